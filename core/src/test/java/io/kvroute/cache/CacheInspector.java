package io.kvroute.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Walks everything a {@link RadixCache} consists of and checks that it fits together: pages, nodes,
 * child table, locks, sums and eviction candidates. For tests; costs a step per page and per node.
 */
public final class CacheInspector {
  private final RadixCache cache;
  private final PagePool pool;
  private final NodeStore nodes;
  private final int[] children;
  private final long[] childLocks;

  private CacheInspector(final RadixCache cache) {
    this.cache = cache;
    pool = cache.pool();
    nodes = cache.nodeStore();
    children = new int[nodes.highWater()];
    childLocks = new long[nodes.highWater()];
  }

  /**
   * Checks a cache between two operations.
   *
   * @param chains the pages that are neither free nor cached: those of leases and reservations
   * @throws AssertionError naming the first thing that is wrong, with a picture of the cache
   */
  public static void verify(final RadixCache cache, final List<PageChain> chains) {
    final CacheInspector inspector = new CacheInspector(cache);
    try {
      inspector.verifyPages(chains);
      inspector.verifyNodes();
      inspector.verifyCandidates();
    } catch (final AssertionError error) {
      throw new AssertionError(error.getMessage() + "\n" + describe(cache), error);
    }
  }

  static void check(final boolean condition, final String problem, final Object... values) {
    if (!condition) {
      throw new AssertionError(problem + ": " + Arrays.toString(values));
    }
  }

  private void verifyPages(final List<PageChain> chains) {
    final PageBook book = new PageBook(pool);
    book.verifyFreePagesAreUnpublished();
    final PageChain edge = new PageChain();
    for (int node = 1; node < nodes.highWater(); node++) {
      if (isLive(node)) {
        nodes.loadEdge(node, edge);
        book.claim("node " + node, edge);
      }
    }
    for (int i = 0; i < chains.size(); i++) {
      book.claim("chain " + i, chains.get(i));
    }
    book.verifyComplete();
    check(
        cache.availableTokens() == pool.available() * cache.pageSize(),
        "availableTokens (actual, expected pages)",
        cache.availableTokens(),
        pool.available());
  }

  private boolean isLive(final int node) {
    return node == NodeStore.ROOT || nodes.count(node) != 0;
  }

  private void verifyNodes() {
    int live = 1;
    long evictable = 0;
    long locked = 0;
    check(nodes.count(NodeStore.ROOT) == 0, "the root has pages");
    check(nodes.lockCount(NodeStore.ROOT) == 0, "the root is locked");
    for (int node = 1; node < nodes.highWater(); node++) {
      if (isLive(node)) {
        live++;
        verifyPlace(node);
        if (nodes.lockCount(node) == 0) {
          evictable += nodes.count(node);
        } else {
          locked += nodes.count(node);
        }
      }
    }
    verifyPaths(live);
    for (int node = 0; node < nodes.highWater(); node++) {
      if (isLive(node)) {
        check(nodes.childCount(node) == children[node], "childCount of node", node, children[node]);
        check(
            node == NodeStore.ROOT || nodes.lockCount(node) >= childLocks[node],
            "a node has fewer locks than its children together",
            node,
            nodes.lockCount(node),
            childLocks[node]);
      }
    }
    check(live == cache.nodes(), "nodes (actual, expected)", cache.nodes(), live);
    check(live - 1 == nodes.childEntries(), "child table entries", nodes.childEntries(), live - 1);
    final long pageSize = cache.pageSize();
    check(
        cache.evictableTokens() == evictable * pageSize,
        "evictableTokens (actual, expected)",
        cache.evictableTokens(),
        evictable * pageSize);
    check(
        cache.protectedTokens() == locked * pageSize,
        "protectedTokens (actual, expected)",
        cache.protectedTokens(),
        locked * pageSize);
  }

  private void verifyPlace(final int node) {
    final int parent = nodes.parent(node);
    check(
        parent >= 0 && parent < nodes.highWater() && isLive(parent),
        "no such parent",
        node,
        parent);
    check(nodes.lockCount(node) >= 0, "negative lock count", node, nodes.lockCount(node));
    check(nodes.stamp(node) > 0, "a node was never stamped", node, nodes.stamp(node));
    final int found = nodes.child(parent, nodes.firstKey(node));
    check(found == node, "the child table gives another node (node, found)", node, found);
    children[parent]++;
    childLocks[parent] += nodes.lockCount(node);
  }

  /** Every node's parents lead to the root. */
  private void verifyPaths(final int live) {
    final BitSet reached = new BitSet();
    reached.set(NodeStore.ROOT);
    for (int start = 1; start < nodes.highWater(); start++) {
      int steps = 0;
      for (int node = start; isLive(start) && !reached.get(node); node = nodes.parent(node)) {
        check(steps++ < live, "a node's parents never reach the root", start);
      }
      for (int node = start; isLive(start) && !reached.get(node); node = nodes.parent(node)) {
        reached.set(node);
      }
    }
  }

  private void verifyCandidates() {
    int expected = 0;
    for (int node = 0; node < nodes.highWater(); node++) {
      final boolean candidate = isCandidate(node);
      check(
          cache.candidates().contains(node) == candidate,
          candidate ? "an unlocked leaf is no candidate" : "a node must not be a candidate",
          node);
      expected += candidate ? 1 : 0;
    }
    check(
        cache.candidates().size() == expected,
        "candidates (actual, expected)",
        cache.candidates().size(),
        expected);
    final long[] stamps = new long[expected];
    for (int i = 0; i < expected; i++) {
      final int node = cache.candidates().itemAt(i);
      stamps[i] = cache.candidates().keyAt(i);
      check(isCandidate(node), "the heap holds a node that is no candidate", node);
      check(stamps[i] == nodes.stamp(node), "key of a candidate", node, stamps[i]);
      check(i == 0 || stamps[(i - 1) >> 2] <= stamps[i], "the heap is out of order at index", i);
    }
    Arrays.sort(stamps);
    for (int i = 1; i < expected; i++) {
      check(stamps[i - 1] != stamps[i], "two candidates have the same stamp", stamps[i]);
    }
  }

  private boolean isCandidate(final int node) {
    return node != NodeStore.ROOT
        && isLive(node)
        && children[node] == 0
        && nodes.lockCount(node) == 0;
  }

  /** Prints a cache: its figures, its free list and its tree with pages, locks and stamps. */
  public static String describe(final RadixCache cache) {
    return new CacheInspector(cache).picture();
  }

  private String picture() {
    final StringBuilder text = new StringBuilder();
    text.append("pages=").append(pool.pageCount());
    text.append(" pageSize=").append(cache.pageSize());
    text.append(" nodes=").append(cache.nodes());
    text.append(" availableTokens=").append(cache.availableTokens());
    text.append(" evictableTokens=").append(cache.evictableTokens());
    text.append(" protectedTokens=").append(cache.protectedTokens());
    text.append("\nfree=");
    text.append(PageBook.freeNumbers(pool));
    text.append(" fresh=").append(pool.freshNumber());
    final List<List<Integer>> below = new ArrayList<>();
    for (int node = 0; node < nodes.highWater(); node++) {
      below.add(new ArrayList<>());
    }
    for (int node = 1; node < nodes.highWater(); node++) {
      final int parent = nodes.parent(node);
      if (isLive(node) && parent >= 0 && parent < below.size()) {
        below.get(parent).add(node);
      }
    }
    appendNode(text, below, NodeStore.ROOT, 0);
    return text.append('\n').toString();
  }

  private void appendNode(
      final StringBuilder text, final List<List<Integer>> below, final int node, final int depth) {
    final PageChain edge = new PageChain();
    nodes.loadEdge(node, edge);
    text.append('\n').append("  ".repeat(Math.min(depth, 40))).append("node ").append(node);
    text.append(" stamp=").append(nodes.stamp(node));
    if (node != NodeStore.ROOT) {
      text.append(" locks=").append(nodes.lockCount(node)).append(" pages=");
      appendPages(text, edge);
      text.append(" firstKey=").append(Long.toHexString(nodes.firstKey(node)));
    }
    if (depth < below.size()) {
      for (final int child : below.get(node)) {
        appendNode(text, below, child, depth + 1);
      }
    }
  }

  /** Appends places as first-last; stops where the chain is broken. */
  private void appendPages(final StringBuilder text, final PageChain chain) {
    text.append('[');
    int extent = chain.head;
    for (int done = 0; done < chain.count; ) {
      text.append(done == 0 ? "" : " ").append(extent);
      if (extent < 0 || extent >= pool.placeCount() || pool.extentLength(extent) < 1) {
        text.append("?");
        break;
      }
      final int length = pool.extentLength(extent);
      text.append(length > 1 ? "-" + (extent + length - 1) : "");
      done += length;
      if (done < chain.count) {
        extent = pool.nextExtent(extent);
      }
    }
    text.append(']');
  }
}
