package io.kvroute.cache;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.TokenView;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.IndexedHeap;

/**
 * A compressed radix tree over the pages of one worker: which token prefixes have their KV pages in
 * the cache, which of them are in use, and which go first when room is needed.
 *
 * <p>An edge holds one page per key (the local hash of the page's tokens). Order of use is a
 * logical tick: every match and every insert of at least one page takes a new one. The evictable
 * leaves (not locked, no children) stand in an indexed heap by their stamp; equal stamps lie on one
 * path, so at most one of them is a leaf and no tie can occur.
 *
 * <p>Rules and order of operations follow the radix cache under NVIDIA Dynamo's mock SGLang engine
 * (Apache-2.0). Not thread-safe. Nothing allocates after construction. Once the arena is closed,
 * every method that touches memory is an {@code IllegalStateException}, with bounds checks on or
 * off. Costs are one step per extent of consecutive pages and one per node on the path; eviction
 * adds the logarithm of the leaf count.
 */
public final class RadixCache {
  /** The root node: never locked, never evicted. */
  public static final int ROOT = NodeStore.ROOT;

  private final Arena arena;
  private final PagePool pool;
  private final NodeStore nodes;
  private final IndexedHeap candidates;
  private final PrefixMatcher matcher;
  private final long totalTokens;
  private final long pageSize;
  private final boolean nodesMayRunOut;
  private final PageChain edge = new PageChain();
  private final PageChain part = new PageChain();
  private final PageChain matched = new PageChain();
  private long tick;
  private long evictablePages;
  private long protectedPages;
  private long unbalancedUnlocks;

  /**
   * Makes an empty cache.
   *
   * @param totalTokens size of the pool in tokens; whole pages of it are used
   * @param pageSize tokens per page, 1 to 2^32-1
   * @param nodeCapacity most radix nodes besides the root, 1 to 2^31-2; as many as there are pages
   *     always suffice, with fewer an insert needs two at hand
   * @throws IllegalArgumentException if a size makes no sense
   * @throws CapacityExceededException if there are more than 2^31-1 pages or too many nodes, or if
   *     the arena has too little room; nothing is allocated then
   */
  public RadixCache(
      final Arena arena, final long totalTokens, final long pageSize, final int nodeCapacity) {
    final long pageCount = pageCount(totalTokens, pageSize);
    if (nodeCapacity < 1) {
      throw new IllegalArgumentException("too few radix nodes: nodeCapacity=" + nodeCapacity);
    }
    arena.requireRoom("radix cache", length(totalTokens, pageSize, nodeCapacity));
    this.arena = arena;
    this.totalTokens = totalTokens;
    this.pageSize = pageSize;
    nodesMayRunOut = nodeCapacity < pageCount;
    pool = new PagePool(arena, pageCount);
    nodes = new NodeStore(arena, nodeCapacity, pool.keys());
    candidates = new IndexedHeap(arena, "radix.candidates", nodeCapacity + 1);
    matcher = new PrefixMatcher(arena, pool, nodes, pageSize);
  }

  /**
   * Whole pages in a pool.
   *
   * @throws IllegalArgumentException if the page size is out of range or the pool smaller than a
   *     page
   * @throws CapacityExceededException if there are more than 2^31-1 pages
   */
  public static long pageCount(final long totalTokens, final long pageSize) {
    if (pageSize < 1 || totalTokens < pageSize) {
      throw new IllegalArgumentException(
          "a pool holds at least one page of at least one token: totalTokens="
              + totalTokens
              + " pageSize="
              + pageSize);
    }
    if (pageSize > BlockHasher.MAX_BLOCK_SIZE) {
      throw new IllegalArgumentException(
          "page size out of range: pageSize=" + pageSize + " max=" + BlockHasher.MAX_BLOCK_SIZE);
    }
    final long pageCount = totalTokens / pageSize;
    if (pageCount > Integer.MAX_VALUE) {
      throw new CapacityExceededException(
          "too many pages: pageCount=" + pageCount + " limit=" + Integer.MAX_VALUE);
    }
    return pageCount;
  }

  /** Off-heap bytes of a cache. */
  public static long length(final long totalTokens, final long pageSize, final int nodeCapacity) {
    return PagePool.length(pageCount(totalTokens, pageSize))
        + NodeStore.length(nodeCapacity)
        + IndexedHeap.length(nodeCapacity + 1)
        + PrefixMatcher.length(pageCount(totalTokens, pageSize));
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    pool.free(arena);
    nodes.free(arena);
    candidates.free(arena);
    matcher.free(arena);
  }

  /** Size of the pool in tokens, as given. */
  public long totalTokens() {
    return totalTokens;
  }

  /** Tokens per page. */
  public long pageSize() {
    return pageSize;
  }

  /** Tokens in free pages. */
  public long availableTokens() {
    return pool.available() * pageSize;
  }

  /** Tokens in cached pages that no lease protects. */
  public long evictableTokens() {
    return evictablePages * pageSize;
  }

  /** Tokens in cached pages on the path of at least one lease. */
  public long protectedTokens() {
    return protectedPages * pageSize;
  }

  /** Radix nodes, the root included. */
  public int nodes() {
    return nodes.live();
  }

  /** Radix nodes that can still be made. */
  public int availableNodes() {
    return nodes.available();
  }

  /** Unlocks of a node that was not locked; each changed nothing. */
  public long unbalancedUnlocks() {
    return unbalancedUnlocks;
  }

  /**
   * The pages.
   *
   * @throws IllegalStateException if the memory was given back
   */
  public PagePool pool() {
    checkOpen();
    return pool;
  }

  /** The hasher of this cache's pages: no LoRA, no multimodal objects, no Eagle windows. */
  public BlockHasher hasher() {
    return matcher.hasher();
  }

  /** Length in tokens of the longest cached prefix of whole pages. Changes nothing. */
  public long prefixMatchLen(final TokenView tokens) {
    checkOpen();
    return matcher.peek(tokens, ROOT) * pageSize;
  }

  /**
   * Finds the longest cached prefix of whole pages, stamps it and makes its end a node: takes a new
   * tick, stamps the root and every node matched to its end; if the match ends inside an edge,
   * splits the edge there and stamps neither half.
   *
   * @return the length of the match in tokens; its node is {@link #matchedNode()}
   * @throws CapacityExceededException if a split needs a node and none is left; nothing changes
   *     then
   */
  public long matchPrefix(final TokenView tokens) {
    checkOpen();
    final long pages = matcher.walk(tokens, ROOT);
    if (matcher.pagesInside() > 0) {
      matcher.endAt(split(matcher.insideNode(), matcher.pagesInside()));
    }
    stampPath(matcher.wholeNode(), ++tick);
    return pages * pageSize;
  }

  /** The node at the end of the last {@link #matchPrefix}. */
  public int matchedNode() {
    return matcher.endNode();
  }

  /**
   * Writes the local hashes of the pages behind the last match to the pages of {@code suffix}, each
   * page hashed once: what the match had already hashed is copied.
   *
   * @param completePages pages of {@code suffix} that the prompt fills
   */
  public void keySuffix(final TokenView tokens, final PageChain suffix, final int completePages) {
    checkOpen();
    matcher.keySuffix(tokens, suffix, completePages);
  }

  /**
   * As {@link #keySuffix}, and writes the chain hashes in the same pass.
   *
   * @param hasParent false if the suffix starts at the root
   * @param parentHash chain hash of the page before the suffix; not read without a parent
   */
  public void keyAndChainSuffix(
      final TokenView tokens,
      final PageChain suffix,
      final int completePages,
      final boolean hasParent,
      final long parentHash) {
    checkOpen();
    matcher.keyAndChainSuffix(tokens, suffix, completePages, hasParent, parentHash);
  }

  private void checkOpen() {
    if (arena.isClosed()) {
      throw usedAfterClose();
    }
  }

  private IllegalStateException usedAfterClose() {
    return new IllegalStateException(
        "radix cache used after close: totalTokens=" + totalTokens + " pageSize=" + pageSize);
  }

  private void stampPath(final int from, final long stamp) {
    int node = from;
    while (true) {
      stamp(node, stamp);
      if (node == ROOT) {
        return;
      }
      node = nodes.parent(node);
    }
  }

  private void stamp(final int node, final long stamp) {
    nodes.setStamp(node, stamp);
    if (candidates.contains(node)) {
      candidates.update(node, stamp);
    }
  }

  /**
   * Splits the edge of {@code node} behind its first {@code pages} pages: a new node takes the
   * front part and copies lock count and stamp, the old one keeps its identity, the rear and its
   * children.
   */
  private int split(final int node, final int pages) {
    final int front = nodes.take();
    nodes.replaceChild(node, front);
    nodes.loadEdge(node, edge);
    pool.cutFront(edge, pages, part);
    nodes.storeEdge(front, part);
    nodes.storeEdge(node, edge);
    nodes.setLockCount(front, nodes.lockCount(node));
    nodes.setStamp(front, nodes.stamp(node));
    nodes.attach(front, node);
    return front;
  }

  /** Protects the path from the root to {@code node} from eviction. */
  public void lock(final int node) {
    checkOpen();
    for (int n = node; n != ROOT; n = nodes.parent(n)) {
      final int locks = nodes.lockCount(n);
      if (locks == 0) {
        evictablePages -= nodes.count(n);
        protectedPages += nodes.count(n);
        if (candidates.contains(n)) {
          candidates.remove(n);
        }
      }
      nodes.setLockCount(n, locks + 1);
    }
  }

  /** Takes one lock back along the path; at a node that is not locked it is counted and stops. */
  public void unlock(final int node) {
    checkOpen();
    for (int n = node; n != ROOT; n = nodes.parent(n)) {
      final int locks = nodes.lockCount(n);
      if (locks == 0) {
        unbalancedUnlocks++;
        return;
      }
      nodes.setLockCount(n, locks - 1);
      if (locks == 1) {
        protectedPages -= nodes.count(n);
        evictablePages += nodes.count(n);
        offerCandidate(n);
      }
    }
  }

  private void offerCandidate(final int node) {
    if (node != ROOT && nodes.childCount(node) == 0 && nodes.lockCount(node) == 0) {
      candidates.push(node, nodes.stamp(node));
    }
  }

  /**
   * Number of leading pages of {@code suffix} that the tree already holds below {@code start}.
   * Changes nothing.
   */
  public int coveredPages(final int start, final PageChain suffix) {
    checkOpen();
    return matcher.cover(start, suffix);
  }

  /**
   * The tree's page for {@code position} of a suffix below {@code start}; the suffix is covered
   * there.
   */
  public int coveringPage(final int start, final PageChain suffix, final int position) {
    checkOpen();
    return matcher.coveringPage(start, suffix, position);
  }

  /**
   * Inserts pages, whose keys are set, below {@code start}. Takes a new tick if there are any,
   * stamps the path of {@code start} and every node passed to its end. Pages that the tree holds
   * already go to {@code duplicates} (those of the deepest node first, ascending within a node),
   * the others become the tree's; {@code suffix} is empty then. At most two nodes are needed.
   *
   * @return the node at the end of the inserted path
   * @throws CapacityExceededException if nodes are limited and fewer than two are left; nothing
   *     changes then
   */
  public int insert(final int start, final PageChain suffix, final PageChain duplicates) {
    checkOpen();
    if (suffix.isEmpty()) {
      return start;
    }
    if (nodesMayRunOut && nodes.available() < 2) {
      throw nodes.full();
    }
    stampPath(start, ++tick);
    int node = start;
    while (!suffix.isEmpty()) {
      if (mayGrow(node, start)) {
        return grow(node, suffix);
      }
      final int child = nodes.child(node, pool.firstKey(suffix));
      if (child == NodeStore.NONE) {
        return addChild(node, suffix);
      }
      node = pass(child, suffix, duplicates);
    }
    return node;
  }

  /** Moves the pages of {@code suffix} that equal the child's edge to the duplicates. */
  private int pass(final int child, final PageChain suffix, final PageChain duplicates) {
    final int pages = matcher.matchingPages(child, suffix);
    pool.cutFront(suffix, pages, matched);
    pool.append(matched, duplicates);
    duplicates.set(matched);
    if (pages < nodes.count(child)) {
      return split(child, pages);
    }
    stamp(child, tick);
    return child;
  }

  private boolean mayGrow(final int node, final int start) {
    if (node == ROOT || nodes.childCount(node) != 0) {
      return false;
    }
    final int locks = nodes.lockCount(node);
    return locks == 0 || (locks == 1 && node == start);
  }

  private int grow(final int node, final PageChain suffix) {
    if (nodes.lockCount(node) > 0) {
      protectedPages += suffix.count();
    } else {
      evictablePages += suffix.count();
    }
    nodes.loadEdge(node, edge);
    pool.append(edge, suffix);
    nodes.storeEdge(node, edge);
    return node;
  }

  private int addChild(final int parent, final PageChain suffix) {
    final int child = nodes.take();
    evictablePages += suffix.count();
    nodes.storeEdge(child, suffix);
    suffix.reset();
    nodes.setStamp(child, tick);
    nodes.attach(parent, child);
    candidates.push(child, tick);
    return child;
  }

  /**
   * Cuts pages from the rear of the least recently used unlocked leaves until {@code tokens} are
   * freed or no leaf is left, and appends them to {@code evicted} in ascending path order per leaf.
   * The caller gives them to the pool.
   *
   * @return number of tokens cut
   */
  public long evict(final long tokens, final PageChain evicted) {
    checkOpen();
    long freed = 0;
    while (freed < tokens && candidates.size() > 0) {
      final long wanted = (tokens - freed - 1) / pageSize + 1;
      freed += cutLeaf(candidates.peekItem(), wanted, evicted) * pageSize;
    }
    return freed;
  }

  /** Evicts the least recently used unlocked leaf as a whole; returns the tokens cut, 0 if none. */
  public long evictLeaf(final PageChain evicted) {
    checkOpen();
    return candidates.size() == 0
        ? 0
        : cutLeaf(candidates.peekItem(), Long.MAX_VALUE, evicted) * pageSize;
  }

  private long cutLeaf(final int leaf, final long wantedPages, final PageChain evicted) {
    nodes.loadEdge(leaf, edge);
    final int pages = (int) Math.min(wantedPages, edge.count());
    evictablePages -= pages;
    if (pages == edge.count()) {
      candidates.remove(leaf);
      nodes.detach(leaf);
      final int parent = nodes.parent(leaf);
      nodes.release(leaf);
      offerCandidate(parent);
      pool.append(evicted, edge);
    } else {
      pool.cutRear(edge, pages, part);
      nodes.storeEdge(leaf, edge);
      pool.append(evicted, part);
    }
    return pages;
  }

  /** The parent of a node that is not the root. */
  public int parent(final int node) {
    checkOpen();
    return nodes.parent(node);
  }

  /** Loads the pages of a node's edge for reading; the node keeps owning them. */
  public void loadEdge(final int node, final PageChain edgePages) {
    checkOpen();
    nodes.loadEdge(node, edgePages);
  }

  /** The last page of the edge of a node that is not the root. */
  public int lastPage(final int node) {
    return pool.lastPage(nodes.tail(node));
  }

  NodeStore nodeStore() {
    return nodes;
  }

  IndexedHeap candidates() {
    return candidates;
  }
}
