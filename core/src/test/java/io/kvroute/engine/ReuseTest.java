package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.cache.CacheView;
import io.kvroute.cache.RadixCache;
import io.kvroute.hash.TokenView;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.KvCacheStoreData;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Requests that share, split and extend cached prefixes, and the locks that protect them. */
class ReuseTest {
  @Test
  void shouldExtendARetainedTailInPlaceSplitItAndReleaseEveryLock() {
    try (Worker worker = Worker.of(16, 4)) {
      final int[] firstTokens = range(1, 8);
      final ActiveKvLease first = worker.allocate(1, 2, 3, 4);
      worker.cache(first, 1, 2, 3, 4);
      final int tail = EngineInspector.node(first);
      assertTrue(worker.extend(first, firstTokens));
      worker.cache(first, firstTokens);
      assertEquals(tail, EngineInspector.node(first), "the tail node grew");
      assertEquals(2, worker.cache().nodes());

      final int[] secondTokens = {1, 2, 3, 4, 9, 10, 11, 12};
      final ActiveKvLease second = new ActiveKvLease();
      assertEquals(4, worker.tryAllocate(second, secondTokens));
      assertEquals(tail, EngineInspector.node(first), "a split leaves the lease's node to it");
      assertEquals(3, worker.cache().nodes());
      worker.cache(second, secondTokens);
      assertEquals(4, worker.cache().nodes());

      worker.finish(first, firstTokens);
      assertTrue(worker.manager.retract(second));
      assertEquals(0, worker.protectedTokens());
      assertEquals(12, worker.evictable());
      worker.manager.evict(12);
      assertEquals(16, worker.available());
      assertEquals(0, worker.protectedTokens());
      assertEquals(0, worker.evictable());
      assertEquals(1, worker.cache().nodes());
      assertTrue(worker.routerAcceptedAll());
      assertEquals(0, worker.index.blockCount());
    }
  }

  @Test
  void shouldEvictARetainedTailPageByPageAndKeepItsPrefixInUse() {
    try (Worker worker = Worker.of(8, 4)) {
      final int[] tokens = range(1, 8);
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      worker.cache(lease, 1, 2, 3, 4);
      assertTrue(worker.extend(lease, tokens));
      worker.cache(lease, tokens);
      worker.finish(lease, tokens);
      assertEquals(2, worker.drain().size());
      assertEquals(2, worker.overlap(tokens));
      assertEquals(8, worker.evictable());
      assertEquals(0, worker.available());

      worker.manager.evict(4);
      assertArrayEquals(
          new long[] {worker.chainHashes(tokens)[1]},
          worker.drainRemoved().blockHashes().toArray());
      assertEquals(4, worker.prefixMatchLen(tokens));
      assertEquals(4, worker.evictable());
      assertEquals(0, worker.protectedTokens());
      assertEquals(4, worker.available());
      assertEquals(1, worker.overlap(tokens));
      assertTrue(worker.routerAcceptedAll());
    }
  }

  @Test
  void shouldMoveAnActiveDuplicateToTheCachedPagesSoThatNoParentGoesMissing() {
    try (Worker worker = Worker.of(32, 4)) {
      final int[] shared = range(1, 8);
      worker.serve(1, 2, 3, 4);
      final ActiveKvLease first = worker.allocate(shared);
      final ActiveKvLease duplicate = worker.allocate(shared);
      final long[] own = Arrays.copyOfRange(Worker.indices(duplicate), 4, 8);
      final long[] firstOwn = Arrays.copyOfRange(Worker.indices(first), 4, 8);
      assertNotEquals(own[0], firstOwn[0]);

      worker.cache(first, shared);
      worker.cache(duplicate, shared);
      assertArrayEquals(Worker.indices(first), Worker.indices(duplicate));
      assertEquals(24, worker.available(), "the duplicate page is free again");
      for (final long index : own) {
        assertTrue(Arrays.stream(Worker.indices(duplicate)).noneMatch(i -> i == index));
      }

      assertTrue(worker.manager.retract(duplicate));
      worker.finish(first, shared);
      worker.manager.evict(4);
      worker.manager.evict(4);
      worker.serve(1, 2, 3, 4);
      worker.drain();
      final ActiveKvLease extended = worker.allocate(range(1, 12));
      final KvCacheStoreData stored = worker.drainStored();
      assertEquals(2, stored.blocks().size(), "both missing descendants are stored");
      assertTrue(worker.routerAcceptedAll());
      assertTrue(worker.manager.abort(extended));
      assertTrue(worker.routerAcceptedAll());
    }
  }

  @Test
  void shouldNotEvictALockedNodeAndCountUnbalancedUnlocks() {
    try (Worker worker = Worker.of(16, 4)) {
      worker.serve(range(1, 8));
      final RadixCache cache = worker.cache();
      final CacheView view = new CacheView(cache);
      assertEquals(8, worker.match(range(1, 8)));
      final int node = cache.matchedNode();
      cache.lock(node);
      worker.manager.evict(8);
      assertEquals(8, worker.available());
      cache.unlock(node);
      assertEquals(8, worker.evictable());
      cache.unlock(node);
      assertEquals(0, view.lockCount(node));
      assertEquals(1, worker.manager.unbalancedUnlocks());
      assertEquals(8, worker.evictable());
      cache.lock(node);
      worker.manager.evict(8);
      assertEquals(8, worker.available());
      assertEquals(8, worker.protectedTokens());
      cache.unlock(node);
      worker.manager.evict(8);
      assertEquals(16, worker.available());
    }
  }

  @Test
  void shouldCopyTheLockToBothHalvesOfASplitAndReleaseBothThroughTheSuffix() {
    try (Worker worker = Worker.of(32, 4)) {
      worker.serve(range(1, 8));
      final RadixCache cache = worker.cache();
      final CacheView view = new CacheView(cache);
      worker.match(range(1, 8));
      final int suffix = cache.matchedNode();
      cache.lock(suffix);
      assertEquals(4, worker.match(1, 2, 3, 4, 9, 9, 9, 9));
      final int prefix = cache.matchedNode();
      assertEquals(prefix, view.parent(suffix));
      assertEquals(1, view.lockCount(prefix));
      assertEquals(1, view.lockCount(suffix));
      assertEquals(8, worker.protectedTokens());
      cache.unlock(suffix);
      assertEquals(0, view.lockCount(prefix));
      assertEquals(0, view.lockCount(suffix));
      assertEquals(0, worker.protectedTokens());
      assertEquals(8, worker.evictable());
    }
  }

  @Test
  void shouldEvictTheLeastRecentlyUsedLeafFirstFromItsRear() {
    try (Worker worker = Worker.of(64, 4)) {
      worker.serve(range(1, 12));
      worker.serve(range(101, 112));
      worker.match(range(1, 12));
      worker.drain();
      worker.manager.evict(5);
      final long[] chain = worker.chainHashes(range(101, 112));
      assertArrayEquals(
          new long[] {chain[1], chain[2]}, worker.drainRemoved().blockHashes().toArray());
      assertEquals(4, worker.prefixMatchLen(range(101, 112)));
      assertEquals(12, worker.prefixMatchLen(range(1, 12)));
    }
  }

  @Test
  void shouldNotCountALookAsAUse() {
    try (Worker worker = Worker.of(8, 4)) {
      worker.serve(1, 2, 3, 4);
      worker.serve(5, 6, 7, 8);
      assertEquals(4, worker.prefixMatchLen(1, 2, 3, 4));
      worker.manager.evict(4);
      assertEquals(0, worker.prefixMatchLen(1, 2, 3, 4));
      assertEquals(4, worker.prefixMatchLen(5, 6, 7, 8));
    }
  }

  @Test
  void shouldRejectANegativeEviction() {
    try (Worker worker = Worker.of(16, 4)) {
      worker.serve(1, 2, 3, 4);
      assertThrows(IllegalArgumentException.class, () -> worker.manager.evict(-1));
      assertEquals(4, worker.evictable());
    }
  }

  @Test
  void shouldRejectAMatchThatNeedsANodeWhenThereIsNoneAndChangeNothing() {
    try (SglangKvManager manager = SglangKvManager.builder(64, 4).nodeCapacity(2).build()) {
      final ActiveKvLease lease = new ActiveKvLease();
      manager.allocate(TokenView.of(range(1, 12)), lease);
      manager.extendCachedPrefix(TokenView.of(range(1, 12)), lease);
      assertEquals(4, manager.cache().matchPrefix(TokenView.of(1, 2, 3, 4)));
      assertEquals(0, manager.cache().availableNodes());
      final CacheView view = new CacheView(manager.cache());
      final long stamp = view.stamp(RadixCache.ROOT);
      final TokenView half = TokenView.of(range(1, 8));
      assertThrows(CapacityExceededException.class, () -> manager.cache().matchPrefix(half));
      assertEquals(stamp, view.stamp(RadixCache.ROOT));
      assertEquals(3, manager.cache().nodes());
      assertEquals(12, manager.cache().matchPrefix(TokenView.of(range(1, 12))));
    }
  }
}
