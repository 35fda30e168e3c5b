package io.kvroute.engine;

import io.kvroute.cache.PageChain;
import io.kvroute.cache.PagePool;
import io.kvroute.cache.RadixCache;
import io.kvroute.engine.CacheTrace.Event;
import io.kvroute.hash.TokenView;
import io.kvroute.memory.Arena;
import io.kvroute.protocol.KvEventSink;

/**
 * The KV cache of one SGLang worker, as a router sees it: which prompts find their prefix, which
 * pages a request owns, what is evicted to make room, and the events that tell a router so.
 *
 * <p>All state lies in an arena of its own, sized at construction: at most 40 bytes per page, 72
 * per radix node and 256 in all. Operations allocate nothing on the heap after warm-up and cost a
 * step per extent of consecutive pages, besides hashing each token once. Rules follow NVIDIA
 * Dynamo's mock SGLang manager (Apache-2.0).
 *
 * <p>A refused operation leaves no pages behind. Arguments that make no sense are an {@code
 * IllegalArgumentException}, a second use of a released lease an {@code IllegalStateException};
 * both leave everything as it was. Not thread-safe.
 */
public final class SglangKvManager implements AutoCloseable {
  /** Returned by operations that found no room. */
  public static final long REFUSED = -1;

  private final Arena arena;
  private final RadixCache cache;
  private final PagePool pool;
  private final EventPublisher publisher;
  private final LeaseKeys keys;
  private final StateReporter trace;
  private final long pageSize;
  private final boolean nodesMayRunOut;
  private final PageChain evicted = new PageChain();
  private final PageChain inserted = new PageChain();
  private final PageChain duplicates = new PageChain();
  private final DecodeReservation singleToken = new DecodeReservation();
  private long hashedBlocks;
  private int lastHashedBlocks;
  private long nodeRefusals;
  private boolean closed;

  SglangKvManager(final ManagerConfig config) {
    pageSize = config.pageSize;
    arena = Arena.ofCapacity(requiredBytes(config.totalTokens, pageSize, config.nodeCapacity));
    try {
      cache = new RadixCache(arena, config.totalTokens, pageSize, config.nodeCapacity);
      pool = cache.pool();
      publisher = new EventPublisher(arena, cache, config.workerId, config.dpRank);
    } catch (final RuntimeException failure) {
      arena.close();
      throw failure;
    }
    trace = new StateReporter(cache, config.dpRank, config.trace);
    keys = new LeaseKeys(cache);
    nodesMayRunOut = config.nodeCapacity < pool.pageCount();
    publisher.sink(config.sink);
  }

  /**
   * Starts the configuration of a manager.
   *
   * @param totalTokens size of the pool in tokens; whole pages of it are used
   * @param pageSize tokens per page, at least 1
   * @throws IllegalArgumentException if the page size is 0 or the pool smaller than a page
   * @throws io.kvroute.memory.CapacityExceededException if there are more than 2^31-1 pages
   */
  public static ManagerConfig builder(final long totalTokens, final long pageSize) {
    return new ManagerConfig(totalTokens, pageSize);
  }

  /** Off-heap bytes of a manager, all structures included. */
  public static long requiredBytes(
      final long totalTokens, final long pageSize, final int nodeCapacity) {
    return RadixCache.length(totalTokens, pageSize, nodeCapacity)
        + CopyCounts.length(RadixCache.pageCount(totalTokens, pageSize));
  }

  /** Off-heap bytes in use, as the arena counts them. */
  public long usedBytes() {
    return arena.usedBytes();
  }

  /** The radix cache, for figures and read-only matches. */
  public RadixCache cache() {
    return cache;
  }

  /** Sends later events to {@code sink}, or nowhere if null; blocks of before stay unannounced. */
  public void sink(final KvEventSink sink) {
    checkOpen();
    publisher.sink(sink);
  }

  /**
   * Matches and protects the cached prefix of a prompt, evicts other pages if need be, and gives
   * the request pages for the rest.
   *
   * @param lease not active; armed on success
   * @return length of the cached prefix in tokens, or {@link #REFUSED} if free and evictable pages
   *     do not suffice; nothing is evicted then
   */
  public long allocate(final TokenView tokens, final ActiveKvLease lease) {
    checkOpen();
    lease.requireIdle();
    if (!secureNodes(1)) {
      return REFUSED;
    }
    final long prefixLen = cache.matchPrefix(tokens);
    final int node = cache.matchedNode();
    final int newPages = (int) pagesFor(tokens.count() - prefixLen);
    if (!takePages(node, newPages, lease.suffix)) {
      return REFUSED;
    }
    lease.arm(cache, node, prefixLen);
    lease.tokenCount = tokens.count();
    final int completePages = (int) (tokens.count() / pageSize) - lease.cachedPages;
    lease.keyedPages = completePages;
    keyFresh(tokens, lease, completePages);
    trace.report(Event.ALLOCATION, newPages * pageSize);
    return prefixLen;
  }

  /** Hashes the complete pages behind a match and announces them if anybody listens. */
  private void keyFresh(
      final TokenView tokens, final ActiveKvLease lease, final int completePages) {
    if (publisher.isAttached() && completePages > 0) {
      publisher.publishFresh(tokens, lease.node, lease.suffix, completePages);
      lastHashedBlocks = completePages;
      hashedBlocks += completePages;
    } else {
      cache.keySuffix(tokens, lease.suffix, completePages);
      lastHashedBlocks = 0;
    }
  }

  /**
   * Locks {@code node} and takes pages, evicting others; false and unlocked if there is no room.
   */
  private boolean takePages(final int node, final int count, final PageChain target) {
    cache.lock(node);
    final long tokens = count * pageSize;
    if (tokens > cache.availableTokens() + cache.evictableTokens()) {
      cache.unlock(node);
      return false;
    }
    if (tokens > cache.availableTokens()) {
      evict(tokens - cache.availableTokens());
    }
    pool.allocate(count, target);
    return true;
  }

  private long pagesFor(final long tokens) {
    return tokens <= 0 ? 0 : (tokens - 1) / pageSize + 1;
  }

  /**
   * Gives an active request places for more tokens of its prompt: first the rest of its last page,
   * then new pages. Evicts nothing.
   *
   * @param tokens the whole prompt so far; not shorter than the lease
   * @return false, with nothing changed, if there are too few free pages
   */
  public boolean extendAllocation(final TokenView tokens, final ActiveKvLease lease) {
    checkOpen();
    lease.requireActive(cache);
    if (tokens.count() < lease.tokenCount) {
      throw lease.unfit("shorter than the lease", tokens);
    }
    final long ownedPages = (long) lease.cachedPages + lease.suffix.count();
    final int newPages = (int) (pagesFor(tokens.count()) - ownedPages);
    if (!pool.allocate(newPages, lease.suffix)) {
      return false;
    }
    final int firstPage = (int) (lease.tokenCount / pageSize) - lease.cachedPages;
    final int completePages = (int) (tokens.count() / pageSize) - lease.cachedPages;
    lease.tokenCount = tokens.count();
    keys.complete(tokens, lease, completePages);
    publish(lease, lease.suffix, firstPage, completePages, coverage(lease));
    trace.report(Event.ALLOCATION, newPages * pageSize);
    return true;
  }

  /**
   * Puts the complete pages of an unfinished request into the radix tree, where other requests find
   * them, and moves the protection to the longer prefix. Duplicates of pages that the tree holds
   * already are freed. If radix nodes have run out and none can be freed, the pages stay with the
   * lease, which {@link #nodeRefusals()} counts.
   *
   * @param tokens the request's tokens so far; its complete pages must have places in the lease
   */
  public void extendCachedPrefix(final TokenView tokens, final ActiveKvLease lease) {
    checkOpen();
    lease.requireActive(cache);
    final long completePages = tokens.count() / pageSize;
    if (completePages <= lease.cachedPages) {
      return;
    }
    if (completePages * pageSize > lease.tokenCount) {
      throw lease.unfit("longer than the lease", tokens);
    }
    cacheUnfinished(tokens, lease, (int) completePages - lease.cachedPages);
  }

  private void cacheUnfinished(
      final TokenView tokens, final ActiveKvLease lease, final int newPages) {
    if (!secureNodes(2)) {
      return;
    }
    final int oldNode = lease.node;
    final int newNode = insertCompleted(tokens, lease, newPages);
    if (newNode != oldNode) {
      cache.lock(newNode);
    }
    free(duplicates);
    if (newNode != oldNode) {
      cache.unlock(oldNode);
    }
    lease.node = newNode;
    lease.cachedPages += newPages;
    lease.keyedPages -= newPages;
    if (lease.keyedPages == 0) {
      publisher.forget(lease.suffix);
    }
  }

  /** Announces the first pages of the suffix and hands them to the tree; fills the duplicates. */
  private int insertCompleted(
      final TokenView tokens, final ActiveKvLease lease, final int newPages) {
    keys.complete(tokens, lease, newPages);
    pool.cutFront(lease.suffix, newPages, inserted);
    if (!publisher.isAttached() && publisher.copies().isEmpty()) {
      lastHashedBlocks = 0;
      return cache.insert(lease.node, inserted, duplicates);
    }
    final int covered = cache.coveredPages(lease.node, inserted);
    publish(lease, inserted, 0, newPages, covered);
    publisher.moveToTree(inserted, covered);
    return cache.insert(lease.node, inserted, duplicates);
  }

  /** Leading pages of the lease's suffix that others have put into the tree meanwhile. */
  private int coverage(final ActiveKvLease lease) {
    if (!publisher.isAttached() || lease.keyedPages == 0) {
      return 0;
    }
    pool.cutFront(lease.suffix, lease.keyedPages, inserted);
    final int covered = cache.coveredPages(lease.node, inserted);
    pool.append(inserted, lease.suffix);
    pool.append(lease.suffix, inserted);
    return covered;
  }

  private void publish(
      final ActiveKvLease lease,
      final PageChain part,
      final int from,
      final int to,
      final int covered) {
    if (!publisher.isAttached() || from >= to) {
      lastHashedBlocks = 0;
      return;
    }
    lastHashedBlocks = publisher.publishStored(lease.suffix, lease.node, part, from, to, covered);
    hashedBlocks += lastHashedBlocks;
  }

  /** Frees pages that were in flight, announcing what goes with them. */
  private void free(final PageChain pages) {
    if (pages.isEmpty()) {
      return;
    }
    final long tokens = pages.count() * pageSize;
    publisher.publishRemoved(pages, false);
    pool.release(pages);
    trace.report(Event.FREE, tokens);
  }

  /**
   * Sets pages aside for decoding. Evicts nothing.
   *
   * @param pages 0 or more
   * @param reservation holding no pages; filled on success
   * @return false, with nothing changed, if there are too few free pages
   */
  public boolean reserveDecodePages(final int pages, final DecodeReservation reservation) {
    checkOpen();
    reservation.requireEmpty();
    if (pages < 0) {
      throw new IllegalArgumentException("pages must not be negative: pages=" + pages);
    }
    if (!pool.allocate(pages, reservation.pages)) {
      return false;
    }
    reservation.activate();
    if (pages > 0) {
      trace.report(Event.ALLOCATION, pages * pageSize);
    }
    return true;
  }

  /**
   * Gives an active request a place for one more token, taking a reserved page at a page boundary.
   *
   * @throws IllegalStateException if a page is needed and none is reserved; nothing changes then
   */
  public void extendDecode(final ActiveKvLease lease, final DecodeReservation reservation) {
    checkOpen();
    lease.requireActive(cache);
    if (lease.tokenCount % pageSize == 0) {
      reservation.requireActive();
      if (reservation.pages.isEmpty()) {
        throw new IllegalStateException(
            "no page is reserved for the next token: tokenCount=" + lease.tokenCount);
      }
      pool.cutFront(reservation.pages, 1, inserted);
      pool.append(lease.suffix, inserted);
    }
    lease.tokenCount++;
  }

  /**
   * Gives an active request a place for one more token, taking a free page at a page boundary.
   *
   * @return the token's index, or {@link #REFUSED} if a page is needed and none is free
   */
  public long allocateDecodeToken(final ActiveKvLease lease) {
    checkOpen();
    lease.requireActive(cache);
    final int pages = lease.tokenCount % pageSize == 0 ? 1 : 0;
    if (!reserveDecodePages(pages, singleToken)) {
      return REFUSED;
    }
    extendDecode(lease, singleToken);
    singleToken.deactivate();
    return lease.lastIndex();
  }

  /** Gives the unused pages of a reservation back. */
  public void releaseDecodeReservation(final DecodeReservation reservation) {
    checkOpen();
    reservation.requireActive();
    reservation.deactivate();
    releaseUnpublished(reservation.pages);
  }

  private void releaseUnpublished(final PageChain pages) {
    if (pages.isEmpty()) {
      return;
    }
    final long tokens = pages.count() * pageSize;
    pool.release(pages);
    trace.report(Event.RELEASE_UNPUBLISHED, tokens);
  }

  /**
   * Ends a request: its complete pages stay in the cache, the partial tail page is freed, and so
   * are duplicates of pages that the tree holds already. A lease that was never armed is left
   * alone.
   *
   * @param tokens the request's tokens; pages behind the shorter of tokens and lease are freed
   */
  public void finish(final TokenView tokens, final ActiveKvLease lease) {
    checkOpen();
    if (!lease.requireReleasable(cache)) {
      return;
    }
    final int completePages = (int) (Math.min(tokens.count(), lease.tokenCount) / pageSize);
    if (completePages < lease.cachedPages) {
      throw lease.unfit("shorter than the cached prefix", tokens);
    }
    final int newPages = secureNodes(2) ? completePages - lease.cachedPages : 0;
    pool.cutBehind(lease.suffix, newPages, duplicates);
    free(duplicates);
    if (newPages > 0) {
      insertCompleted(tokens, lease, newPages);
      free(duplicates);
    } else if (completePages > 0) {
      lastHashedBlocks = 0;
    }
    end(lease);
  }

  /**
   * Ends a request without caching more of it: the pages behind its cached prefix are freed.
   *
   * @return true if that made room: there were such pages, or a cached prefix is free to go now
   */
  public boolean abort(final ActiveKvLease lease) {
    return release(lease);
  }

  /** Takes a request off the worker to be run again later; as {@link #abort}. */
  public boolean retract(final ActiveKvLease lease) {
    return release(lease);
  }

  private boolean release(final ActiveKvLease lease) {
    checkOpen();
    if (!lease.requireReleasable(cache)) {
      return false;
    }
    final boolean madeRoom = !lease.suffix.isEmpty() || lease.node != RadixCache.ROOT;
    free(lease.suffix);
    end(lease);
    return madeRoom;
  }

  private void end(final ActiveKvLease lease) {
    publisher.forget(lease.suffix);
    cache.unlock(lease.node);
    lease.disarm();
  }

  /**
   * Sets room aside for a prompt whose KV pages come from another worker, evicting others if need
   * be.
   *
   * @param reservation not active; armed on success
   * @return false, with nothing evicted, if there is no room
   */
  public boolean reserveDestination(
      final TokenView tokens, final DestinationReservation reservation) {
    checkOpen();
    reservation.requireIdle();
    if (!secureNodes(1)) {
      return false;
    }
    final long prefixLen = cache.matchPrefix(tokens);
    final int node = cache.matchedNode();
    final long occupiedTokens = pagesFor(tokens.count()) * pageSize;
    final int freshPages = (int) ((occupiedTokens - prefixLen) / pageSize);
    if (!takePages(node, freshPages, reservation.pages)) {
      return false;
    }
    reservation.arm(cache, node, prefixLen, tokens.count(), occupiedTokens);
    trace.report(Event.RESERVE_DESTINATION, freshPages * pageSize);
    return true;
  }

  /**
   * Turns a reservation whose transfer is complete into an active request and puts its complete
   * pages into the radix tree.
   *
   * @param tokens as many as were reserved for
   * @param lease not active; armed here
   * @return length in tokens of the prefix that was cached before
   */
  public long activateDestination(
      final DestinationReservation reservation, final TokenView tokens, final ActiveKvLease lease) {
    checkOpen();
    reservation.requireActive(cache);
    lease.requireIdle();
    if (tokens.count() != reservation.promptTokens()) {
      throw new IllegalArgumentException(
          "not the tokens that were reserved for: count="
              + tokens.count()
              + " reserved="
              + reservation.promptTokens());
    }
    final long prefixLen = reservation.prefixLen();
    lease.arm(cache, reservation.node, prefixLen);
    lease.tokenCount = tokens.count();
    pool.append(lease.suffix, reservation.pages);
    reservation.disarm();
    cacheUnfinished(tokens, lease, (int) (tokens.count() / pageSize) - lease.cachedPages);
    trace.report(Event.ACTIVATE_DESTINATION, tokens.count() - prefixLen);
    return prefixLen;
  }

  /** Gives up a reservation: its pages are free again, its prefix is no longer protected. */
  public void cancelDestination(final DestinationReservation reservation) {
    checkOpen();
    reservation.requireActive(cache);
    cache.unlock(reservation.node);
    releaseUnpublished(reservation.pages);
    reservation.disarm();
  }

  /**
   * Evicts cached pages that no lease protects, least recently used leaves first, until at least
   * {@code tokens} are freed or nothing is left to evict.
   *
   * @param tokens 0 or more
   */
  public void evict(final long tokens) {
    checkOpen();
    if (tokens < 0) {
      throw new IllegalArgumentException("tokens must not be negative: tokens=" + tokens);
    }
    finishEviction(cache.evict(tokens, evicted));
  }

  private void finishEviction(final long tokens) {
    publisher.publishRemoved(evicted, true);
    pool.release(evicted);
    trace.report(Event.EVICTION, tokens);
  }

  /** Makes sure that {@code count} radix nodes can be made, evicting whole leaves if need be. */
  private boolean secureNodes(final int count) {
    if (!nodesMayRunOut) {
      return true;
    }
    while (cache.availableNodes() < count) {
      final long tokens = cache.evictLeaf(evicted);
      if (tokens == 0) {
        nodeRefusals++;
        return false;
      }
      finishEviction(tokens);
    }
    return true;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the manager is closed");
    }
  }

  /** True once closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Announces as removed all that is still announced and gives the memory back. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    publisher.publishEverythingRemoved();
    closed = true;
    arena.close();
  }

  /** Stored events so far. */
  public long storedEvents() {
    return publisher.writer().storedEvents();
  }

  /** Blocks in Stored events so far. */
  public long storedBlocks() {
    return publisher.writer().storedBlocks();
  }

  /** Removed events so far. */
  public long removedEvents() {
    return publisher.writer().removedEvents();
  }

  /** Blocks in Removed events so far. */
  public long removedBlocks() {
    return publisher.writer().removedBlocks();
  }

  /** The id that the next event will carry; ids count from 0. */
  public long nextEventId() {
    return publisher.writer().nextEventId();
  }

  /** Events lost because a sink had no room. */
  public long sinkRefusals() {
    return publisher.writer().sinkRefusals();
  }

  /** Events lost because a sink threw. */
  public long sinkFailures() {
    return publisher.writer().sinkFailures();
  }

  /** Blocks that publishing looked at, in all. */
  public long hashedBlocks() {
    return hashedBlocks;
  }

  /** Blocks that the latest publishing looked at, from its first unannounced one on. */
  public int lastHashedBlocks() {
    return lastHashedBlocks;
  }

  /** Unlocks of a node that was not locked; each changed nothing. */
  public long unbalancedUnlocks() {
    return cache.unbalancedUnlocks();
  }

  /** Operations that were refused or left pages uncached because radix nodes had run out. */
  public long nodeRefusals() {
    return nodeRefusals;
  }
}
