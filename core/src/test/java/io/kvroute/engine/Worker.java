package io.kvroute.engine;

import io.kvroute.cache.RadixCache;
import io.kvroute.hash.BlockHashOptions;
import io.kvroute.hash.BlockHashes;
import io.kvroute.hash.TokenView;
import io.kvroute.index.ApplyResult;
import io.kvroute.index.MatchScores;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvCacheEvent;
import io.kvroute.protocol.KvCacheRemoveData;
import io.kvroute.protocol.KvCacheStoreData;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.ListenerSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * A manager as tests use it: tokens are plain numbers, and the events that it sends are kept for
 * inspection and applied to a router's index as well.
 */
final class Worker implements AutoCloseable {
  private static final long ID = 31;

  final SglangKvManager manager;
  final RadixIndex index = RadixIndex.builder().blockCapacity(16_384).rankCapacity(4).build();
  private final int pageSize;
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final List<KvCacheEvent> events = new ArrayList<>();
  private final List<ApplyResult> results = new ArrayList<>();
  private final MatchScores scores = new MatchScores();
  private final ListenerSink sink = new ListenerSink(this::onEvent);

  private Worker(final long totalTokens, final int pageSize, final boolean withSink) {
    this.pageSize = pageSize;
    manager =
        SglangKvManager.builder(totalTokens, pageSize)
            .workerId(ID)
            .sink(withSink ? sink : null)
            .build();
  }

  /** A worker whose events are heard from the start. */
  static Worker of(final long totalTokens, final int pageSize) {
    return new Worker(totalTokens, pageSize, true);
  }

  /** A worker that nobody listens to yet. */
  static Worker unheard(final long totalTokens, final int pageSize) {
    return new Worker(totalTokens, pageSize, false);
  }

  private void onEvent(final DirectBuffer buffer, final int offset, final int length) {
    events.add(decoder.wrap(buffer, offset, length).toRouterEvent().event());
    results.add(index.apply(buffer, offset, length));
  }

  /** What the router made of each event so far. */
  List<ApplyResult> routerResults() {
    return List.copyOf(results);
  }

  /** True if the router could apply every event so far. */
  boolean routerAcceptedAll() {
    return results.stream().allMatch(result -> result == ApplyResult.OK);
  }

  /** Listens from now on. */
  void attachSink() {
    manager.sink(sink);
  }

  RadixCache cache() {
    return manager.cache();
  }

  long available() {
    return manager.cache().availableTokens();
  }

  long evictable() {
    return manager.cache().evictableTokens();
  }

  long protectedTokens() {
    return manager.cache().protectedTokens();
  }

  /** A new lease for a prompt that must find room. */
  ActiveKvLease allocate(final int... tokens) {
    final ActiveKvLease lease = new ActiveKvLease();
    if (manager.allocate(TokenView.of(tokens), lease) == SglangKvManager.REFUSED) {
      throw new AssertionError("no room for " + Arrays.toString(tokens));
    }
    return lease;
  }

  /** The cached prefix that a new lease for a prompt finds, or -1. */
  long tryAllocate(final ActiveKvLease lease, final int... tokens) {
    return manager.allocate(TokenView.of(tokens), lease);
  }

  boolean extend(final ActiveKvLease lease, final int... tokens) {
    return manager.extendAllocation(TokenView.of(tokens), lease);
  }

  void cache(final ActiveKvLease lease, final int... tokens) {
    manager.extendCachedPrefix(TokenView.of(tokens), lease);
  }

  void finish(final ActiveKvLease lease, final int... tokens) {
    manager.finish(TokenView.of(tokens), lease);
  }

  /** Allocates and finishes a prompt, which leaves its whole pages in the cache. */
  void serve(final int... tokens) {
    finish(allocate(tokens), tokens);
  }

  long prefixMatchLen(final int... tokens) {
    return manager.cache().prefixMatchLen(TokenView.of(tokens));
  }

  /** A match that counts as a use. */
  long match(final int... tokens) {
    return manager.cache().matchPrefix(TokenView.of(tokens));
  }

  /** All events since the last call of a method that drains. */
  List<KvCacheEvent> drain() {
    final List<KvCacheEvent> drained = List.copyOf(events);
    events.clear();
    return drained;
  }

  /** The only event since the last drain, which must be a Stored one. */
  KvCacheStoreData drainStored() {
    final List<KvCacheEvent> drained = drain();
    if (drained.size() != 1 || !(drained.get(0).data() instanceof KvCacheStoreData)) {
      throw new AssertionError("not one stored event: " + drained);
    }
    return (KvCacheStoreData) drained.get(0).data();
  }

  /** The only event since the last drain, which must be a Removed one. */
  KvCacheRemoveData drainRemoved() {
    final List<KvCacheEvent> drained = drain();
    if (drained.size() != 1 || !(drained.get(0).data() instanceof KvCacheRemoveData)) {
      throw new AssertionError("not one removed event: " + drained);
    }
    return (KvCacheRemoveData) drained.get(0).data();
  }

  /** Hashes of the prompt's whole pages, each by itself. */
  long[] localHashes(final int... tokens) {
    return BlockHashes.computeBlockHashForSeq(tokens, pageSize, BlockHashOptions.DEFAULT);
  }

  /** Hashes of the prompt's whole pages, each with all before it. */
  long[] chainHashes(final int... tokens) {
    return BlockHashes.computeSeqHashForBlock(localHashes(tokens));
  }

  /** Leading blocks of a prompt that the router believes this worker to hold. */
  int overlap(final int... tokens) {
    final long[] hashes = localHashes(tokens);
    index.find(hashes, 0, hashes.length, scores);
    final int row = scores.indexOf(ID, 0);
    return row < 0 ? 0 : scores.device(row);
  }

  static long[] indices(final ActiveKvLease lease) {
    final long[] indices = new long[(int) lease.tokenCount()];
    lease.tokenIndices(indices);
    return indices;
  }

  /** The numbers from {@code first} to {@code last}. */
  static int[] range(final int first, final int last) {
    final int[] tokens = new int[last - first + 1];
    Arrays.setAll(tokens, i -> first + i);
    return tokens;
  }

  @Override
  public void close() {
    manager.close();
    index.close();
  }
}
