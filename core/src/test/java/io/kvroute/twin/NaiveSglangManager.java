package io.kvroute.twin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The SGLang KV manager in plain collections, as a second opinion on the off-heap one. Written for
 * clarity: page lists instead of chains, hashes worked out again whenever they are needed.
 */
public final class NaiveSglangManager {
  public static final long REFUSED = -1;

  private final BlockHashing hashing = BlockHashing.reference();
  private final NaiveRadixCache cache = new NaiveRadixCache();
  private final NaivePagePool pool;
  private final long totalTokens;
  private final int pageSize;
  private final int dpRank;
  private final Consumer<TraceRecord> trace;
  private final Map<Integer, Long> hashOfPage = new HashMap<>();
  private final Map<Long, Integer> copiesOfHash = new TreeMap<>();
  private Predicate<TwinEvent> sink;
  private long nextEventId;
  private long storedEvents;
  private long removedEvents;
  private long storedBlocks;
  private long removedBlocks;
  private long hashedBlocks;
  private long lastHashedBlocks;
  private long sinkRefusals;
  private long sinkFailures;

  NaiveSglangManager(
      final long totalTokens,
      final int pageSize,
      final int dpRank,
      final Predicate<TwinEvent> sink,
      final Consumer<TraceRecord> trace) {
    this.totalTokens = totalTokens;
    this.pool = new NaivePagePool((int) (totalTokens / pageSize));
    this.pageSize = pageSize;
    this.dpRank = dpRank;
    this.sink = sink;
    this.trace = trace;
  }

  /** A manager that announces what it does to nobody who listens, or to nobody at all. */
  public static NaiveSglangManager of(
      final long totalTokens, final int pageSize, final boolean announcing) {
    return new NaiveSglangManager(
        totalTokens, pageSize, 0, announcing ? event -> true : null, null);
  }

  // ---- requests

  /** Starts a request; answers the cached prefix in tokens, or {@link #REFUSED}. */
  public long allocate(final int[] tokens, final int count, final NaiveLease lease) {
    require(!lease.isActive(), "the lease is in use");
    final NaiveRadixCache.Match match = cache.match(keys(tokens, 0, count / pageSize));
    final int prefixLen = match.pages() * pageSize;
    final List<Integer> fresh = lockAndTake(match.node(), pagesFor(count - prefixLen));
    if (fresh == null) {
      return REFUSED;
    }
    fill(lease, match.node(), prefixLen, count);
    lease.pages.addAll(cache.pathPages(match.node()));
    lease.pages.addAll(fresh);
    publish(tokens, count, lease, prefixLen);
    trace("ALLOCATION", fresh.size());
    return prefixLen;
  }

  /** Gives the request pages up to {@code count} tokens; evicts nothing. */
  public boolean extendAllocation(final int[] tokens, final int count, final NaiveLease lease) {
    require(lease.isActive() && lease.tokenCount <= count, "the lease cannot be extended");
    final int before = lease.tokenCount;
    final List<Integer> fresh = pool.take(pagesFor(count) - lease.pages.size());
    if (fresh == null) {
      return false;
    }
    lease.pages.addAll(fresh);
    lease.tokenCount = count;
    publish(tokens, count, lease, before);
    trace("ALLOCATION", fresh.size());
    return true;
  }

  /** Puts the whole pages of {@code tokens} into the tree; the request goes on. */
  public void extendCachedPrefix(final int[] tokens, final int count, final NaiveLease lease) {
    require(lease.isActive(), "the lease is not in use");
    final int complete = wholePages(count);
    if (complete <= lease.cachedTokens) {
      return;
    }
    require(complete <= lease.tokenCount, "the lease owns too few tokens");
    cacheUnfinished(tokens, complete, lease);
  }

  /** Ends a request and leaves its whole pages in the tree. */
  public void finish(final int[] tokens, final int count, final NaiveLease lease) {
    if (isUnused(lease)) {
      return;
    }
    require(lease.isActive(), "the lease is not in use");
    final int complete = wholePages(Math.min(count, lease.tokenCount));
    require(lease.cachedTokens <= complete, "fewer tokens than are cached");
    final List<Integer> tail = lease.pages.subList(complete / pageSize, lease.pages.size());
    freeOwned(tail);
    tail.clear();
    lease.tokenCount = complete;
    if (complete > 0) {
      publish(tokens, complete, lease, lease.cachedTokens);
      final NaiveNode end = insert(tokens, complete, lease);
      freeOwned(duplicates(lease, end));
    }
    cache.unlock(lease.node);
    clear(lease);
  }

  public boolean abort(final NaiveLease lease) {
    return release(lease);
  }

  boolean retract(final NaiveLease lease) {
    return release(lease);
  }

  private boolean release(final NaiveLease lease) {
    if (isUnused(lease)) {
      return false;
    }
    require(lease.isActive(), "the lease is not in use");
    final boolean capacityImproved = lease.tokenCount > lease.cachedTokens || !lease.node.isRoot();
    freeOwned(lease.pages.subList(lease.cachedTokens / pageSize, lease.pages.size()));
    cache.unlock(lease.node);
    clear(lease);
    return capacityImproved;
  }

  // ---- decode

  /** Sets pages aside for decode tokens; null if there are too few. */
  public List<Integer> reserveDecodePages(final int count) {
    require(count >= 0, "negative count");
    final List<Integer> pages = pool.take(count);
    if (pages != null && count > 0) {
      trace("ALLOCATION", count);
    }
    return pages;
  }

  /** Adds one token, in the request's last page or else in the first page of the reservation. */
  public void extendDecode(final NaiveLease lease, final List<Integer> reservation) {
    require(lease.isActive(), "the lease is not in use");
    if (lease.tokenCount % pageSize == 0) {
      require(!reservation.isEmpty(), "the reservation is used up");
      lease.pages.add(reservation.remove(0));
    }
    lease.tokenCount++;
  }

  /** Adds one token without a reservation; answers its index, or {@link #REFUSED}. */
  long allocateDecodeToken(final NaiveLease lease) {
    require(lease.isActive(), "the lease is not in use");
    final List<Integer> page = reserveDecodePages(lease.tokenCount % pageSize == 0 ? 1 : 0);
    if (page == null) {
      return REFUSED;
    }
    extendDecode(lease, page);
    final long[] indices = lease.tokenIndices(pageSize);
    return indices[indices.length - 1];
  }

  public void releaseDecodeReservation(final List<Integer> reservation) {
    releaseUnpublished(reservation);
    reservation.clear();
  }

  // ---- destinations

  /** Makes room for a prompt that will be filled from elsewhere; null if there is too little. */
  NaiveDestination reserveDestination(final int[] tokens, final int count) {
    final NaiveRadixCache.Match match = cache.match(keys(tokens, 0, count / pageSize));
    final List<Integer> fresh =
        lockAndTake(match.node(), pagesFor(count - match.pages() * pageSize));
    if (fresh == null) {
      return null;
    }
    trace("RESERVE_DESTINATION", fresh.size());
    return new NaiveDestination(
        match.node(), cache.pathPages(match.node()), fresh, count, pageSize);
  }

  /**
   * The blocks have arrived: announces and caches them; answers the prefix that was cached before.
   */
  long activateDestination(
      final NaiveDestination destination,
      final int[] tokens,
      final int count,
      final NaiveLease lease) {
    require(!lease.isActive(), "the lease is in use");
    final int complete = wholePages(count);
    require(count == destination.promptTokens(), "not the tokens that were reserved for");
    fill(lease, destination.node(), destination.prefixLen(), destination.promptTokens());
    lease.pages.addAll(destination.prefixPages());
    lease.pages.addAll(destination.freshPages());
    cacheUnfinished(tokens, complete, lease);
    traceTokens("ACTIVATE_DESTINATION", destination.promptTokens() - destination.prefixLen());
    return destination.prefixLen();
  }

  void cancelDestination(final NaiveDestination destination) {
    cache.unlock(destination.node());
    releaseUnpublished(destination.freshPages());
  }

  // ---- cache

  /** Gives back cached pages that nobody uses, oldest first, until {@code tokens} are free. */
  public void evict(final long tokens) {
    require(tokens >= 0, "negative count");
    final List<Integer> evicted = cache.evict((tokens + pageSize - 1) / pageSize);
    pool.give(evicted);
    announceRemoved(evicted);
    trace("EVICTION", evicted.size());
  }

  /** Length in tokens of the cached prefix; counts as a use of it. */
  public long match(final int[] tokens, final int count) {
    return (long) cache.match(keys(tokens, 0, count / pageSize)).pages() * pageSize;
  }

  /** Matches and protects what was matched until the answer is unlocked. */
  NaiveNode matchAndLock(final int[] tokens, final int count) {
    final NaiveNode node = cache.match(keys(tokens, 0, count / pageSize)).node();
    cache.lock(node);
    return node;
  }

  void unlock(final NaiveNode node) {
    cache.unlock(node);
  }

  /** Length in tokens of the cached prefix; leaves no mark. */
  public long prefixMatchLen(final int[] tokens, final int count) {
    return (long) cache.prefixLength(keys(tokens, 0, count / pageSize)) * pageSize;
  }

  /** Events go to {@code newSink} from now on, or nowhere; it answers false if it has no room. */
  void sink(final Predicate<TwinEvent> newSink) {
    sink = newSink;
  }

  /** Announces that everything which was announced is gone. */
  public void close() {
    final List<Long> advertised = List.copyOf(copiesOfHash.keySet());
    hashOfPage.clear();
    copiesOfHash.clear();
    emitRemoved(advertised);
  }

  // ---- steps

  private void cacheUnfinished(final int[] tokens, final int complete, final NaiveLease lease) {
    publish(tokens, complete, lease, lease.cachedTokens);
    final NaiveNode before = lease.node;
    final NaiveNode end = insert(tokens, complete, lease);
    if (end != before) {
      cache.lock(end);
    }
    final List<Integer> duplicates = duplicates(lease, end);
    final List<Integer> canonical = cache.pathPages(end);
    for (int i = 0; i < canonical.size(); i++) {
      lease.pages.set(i, canonical.get(i));
    }
    freeOwned(duplicates);
    if (end != before) {
      cache.unlock(before);
    }
    lease.node = end;
    lease.cachedTokens = complete;
  }

  private NaiveNode insert(final int[] tokens, final int complete, final NaiveLease lease) {
    final int first = lease.cachedTokens / pageSize;
    final int end = complete / pageSize;
    return cache.insert(lease.node, keys(tokens, first, end), lease.pages.subList(first, end));
  }

  /** Pages of the request for which the tree kept another one, deepest node first. */
  private List<Integer> duplicates(final NaiveLease lease, final NaiveNode end) {
    final List<Integer> found = new ArrayList<>();
    int pathEnd = cache.pathPages(end).size();
    final int first = lease.cachedTokens / pageSize;
    for (NaiveNode node = end; pathEnd > first; node = node.parent) {
      final int pathStart = pathEnd - node.size();
      for (int i = Math.max(pathStart, first); i < pathEnd; i++) {
        if (!lease.pages.get(i).equals(node.pages.get(i - pathStart))) {
          found.add(lease.pages.get(i));
        }
      }
      pathEnd = pathStart;
    }
    return found;
  }

  /**
   * Locks a path, evicts what is missing, takes pages; null, with the path unlocked, if it cannot
   * be.
   */
  private List<Integer> lockAndTake(final NaiveNode node, final int pages) {
    cache.lock(node);
    if (pages > pool.available() + cache.evictablePages()) {
      cache.unlock(node);
      return null;
    }
    if (pages > pool.available()) {
      evict((long) (pages - pool.available()) * pageSize);
    }
    return pool.take(pages);
  }

  private void freeOwned(final List<Integer> pages) {
    if (pages.isEmpty()) {
      return;
    }
    pool.give(pages);
    announceRemoved(pages);
    trace("FREE", pages.size());
  }

  private void releaseUnpublished(final List<Integer> pages) {
    if (!pages.isEmpty()) {
      pool.give(pages);
      trace("RELEASE_UNPUBLISHED", pages.size());
    }
  }

  // ---- events

  /**
   * Announces whole pages, from the one that holds token {@code firstNew} on, that were not
   * published before. A block is named if its hash had no copy until now; neighbours share an
   * event.
   */
  private void publish(
      final int[] tokens, final int count, final NaiveLease lease, final int firstNew) {
    lastHashedBlocks = 0;
    if (sink == null) {
      return;
    }
    final int end = Math.min(count, lease.tokenCount) / pageSize;
    int first = firstNew / pageSize;
    while (first < end && hashOfPage.containsKey(lease.pages.get(first))) {
      first++;
    }
    if (first >= end) {
      return;
    }
    lastHashedBlocks = (long) end - first;
    hashedBlocks += lastHashedBlocks;
    final long[] locals = hashing.locals(tokens, end * pageSize, pageSize);
    final long[] chain = chain(locals);
    int runStart = first;
    for (int i = first; i < end; i++) {
      if (!registerNew(lease.pages.get(i), chain[i])) {
        emitStored(locals, chain, runStart, i);
        runStart = i + 1;
      }
    }
    emitStored(locals, chain, runStart, end);
  }

  /** Marks a page as published; true if it is the first copy of its hash. */
  private boolean registerNew(final int page, final long hash) {
    if (hashOfPage.containsKey(page)) {
      return false;
    }
    hashOfPage.put(page, hash);
    return copiesOfHash.merge(hash, 1, Integer::sum) == 1;
  }

  private long[] chain(final long[] locals) {
    final long[] chain = new long[locals.length];
    for (int i = 0; i < locals.length; i++) {
      chain[i] = i == 0 ? locals[0] : hashing.next(chain[i - 1], locals[i]);
    }
    return chain;
  }

  private void announceRemoved(final List<Integer> pages) {
    final List<Long> gone = new ArrayList<>();
    for (final Integer page : pages) {
      final Long hash = hashOfPage.remove(page);
      if (hash != null && copiesOfHash.merge(hash, -1, Integer::sum) == 0) {
        copiesOfHash.remove(hash);
        gone.add(hash);
      }
    }
    emitRemoved(gone);
  }

  private void emitStored(final long[] locals, final long[] chain, final int from, final int to) {
    if (from < to) {
      storedEvents++;
      storedBlocks += to - from;
      final long parent = from == 0 ? 0 : chain[from - 1];
      emit(
          new TwinEvent.Stored(
              nextEventId, from > 0, parent, box(chain, from, to), box(locals, from, to)));
    }
  }

  private void emitRemoved(final List<Long> hashes) {
    if (sink != null && !hashes.isEmpty()) {
      removedEvents++;
      removedBlocks += hashes.size();
      emit(new TwinEvent.Removed(nextEventId, hashes));
    }
  }

  private void emit(final TwinEvent event) {
    nextEventId++;
    try {
      if (!sink.test(event)) {
        sinkRefusals++;
      }
    } catch (final RuntimeException e) {
      sinkFailures++;
    }
  }

  // ---- helpers

  private List<Long> keys(final int[] tokens, final int fromPage, final int toPage) {
    final List<Long> keys = new ArrayList<>(toPage - fromPage);
    for (int page = fromPage; page < toPage; page++) {
      keys.add(hashing.local(tokens, page * pageSize, pageSize));
    }
    return keys;
  }

  private static List<Long> box(final long[] values, final int from, final int to) {
    return Arrays.stream(values, from, to).boxed().toList();
  }

  private int pagesFor(final int tokens) {
    return (tokens + pageSize - 1) / pageSize;
  }

  private int wholePages(final int tokens) {
    return tokens / pageSize * pageSize;
  }

  private static void fill(
      final NaiveLease lease, final NaiveNode node, final int cachedTokens, final int tokenCount) {
    lease.pages.clear();
    lease.node = node;
    lease.cachedTokens = cachedTokens;
    lease.tokenCount = tokenCount;
  }

  private static void clear(final NaiveLease lease) {
    fill(lease, null, 0, 0);
    lease.released = true;
  }

  /** A lease that was never given anything has nothing to release; ending it is no mistake. */
  private static boolean isUnused(final NaiveLease lease) {
    return !lease.isActive() && !lease.released;
  }

  private static void require(final boolean condition, final String message) {
    if (!condition) {
      throw new IllegalStateException(message);
    }
  }

  private void trace(final String event, final int pages) {
    traceTokens(event, (long) pages * pageSize);
  }

  private void traceTokens(final String event, final long tokens) {
    if (trace != null) {
      trace.accept(
          new TraceRecord(
              event,
              dpRank,
              tokens,
              pageSize,
              availableTokens(),
              evictableTokens(),
              protectedTokens(),
              totalTokens()));
    }
  }

  // ---- figures

  public long availableTokens() {
    return (long) pool.available() * pageSize;
  }

  public long evictableTokens() {
    return (long) cache.evictablePages() * pageSize;
  }

  public long protectedTokens() {
    return (long) cache.protectedPages() * pageSize;
  }

  long totalTokens() {
    return totalTokens;
  }

  public int nodes() {
    return cache.nodes().size();
  }

  NaiveRadixCache cache() {
    return cache;
  }

  NaivePagePool pool() {
    return pool;
  }

  int pageSize() {
    return pageSize;
  }

  Map<Integer, Long> hashOfPage() {
    return hashOfPage;
  }

  Map<Long, Integer> copiesOfHash() {
    return copiesOfHash;
  }

  long storedEvents() {
    return storedEvents;
  }

  long removedEvents() {
    return removedEvents;
  }

  public long storedBlocks() {
    return storedBlocks;
  }

  public long removedBlocks() {
    return removedBlocks;
  }

  public long hashedBlocks() {
    return hashedBlocks;
  }

  long lastHashedBlocks() {
    return lastHashedBlocks;
  }

  long sinkRefusals() {
    return sinkRefusals;
  }

  long sinkFailures() {
    return sinkFailures;
  }

  long unbalancedUnlocks() {
    return cache.unbalancedUnlocks();
  }
}
