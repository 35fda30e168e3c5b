package io.kvroute.engine;

import static io.kvroute.engine.SglangKvManager.REFUSED;
import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.cache.CacheView;
import io.kvroute.hash.TokenView;
import io.kvroute.memory.CapacityExceededException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a request finds in the cache, what it is given, and when it is refused. */
class AllocationTest {
  @Test
  void shouldGiveFreshPagesWhenNothingIsCached() {
    try (Worker worker = Worker.unheard(100, 1)) {
      final ActiveKvLease lease = new ActiveKvLease();
      assertEquals(0, worker.tryAllocate(lease, 1, 2, 3, 4, 5));
      assertEquals(5, lease.tokenCount());
      assertEquals(95, worker.available());
    }
  }

  @Test
  void shouldReuseTheCachedPrefixWhenThereIsOne() {
    try (Worker worker = Worker.unheard(100, 1)) {
      final ActiveKvLease first = worker.allocate(1, 2, 3, 4, 5);
      assertEquals(5, first.tokenCount());
      final long[] pages = Worker.indices(first);
      worker.finish(first, 1, 2, 3, 4, 5);
      final ActiveKvLease second = new ActiveKvLease();
      assertEquals(5, worker.tryAllocate(second, 1, 2, 3, 4, 5, 6, 7));
      assertEquals(7, second.tokenCount());
      assertEquals(93, worker.available());
      assertArrayEquals(pages, Arrays.copyOf(Worker.indices(second), 5));
    }
  }

  @Test
  void shouldRefuseWhenNeitherFreeNorEvictablePagesSuffice() {
    try (Worker worker = Worker.unheard(3, 1)) {
      worker.allocate(1, 2, 3);
      final ActiveKvLease lease = new ActiveKvLease();
      assertEquals(REFUSED, worker.tryAllocate(lease, 4, 5, 6));
      assertFalse(lease.isActive());
      assertEquals(0, lease.tokenCount());
    }
  }

  @Test
  void shouldProtectTheMatchedPrefixBeforeEvictingForTheRest() {
    try (Worker worker = Worker.of(12, 4)) {
      worker.serve(range(1, 4));
      worker.serve(range(9, 16));
      assertEquals(8, worker.match(range(9, 16)), "makes 1..4 the least recently used");
      assertEquals(0, worker.available());
      final ActiveKvLease lease = new ActiveKvLease();
      assertEquals(4, worker.tryAllocate(lease, range(1, 8)));
      assertEquals(4, worker.prefixMatchLen(range(1, 4)));
      assertArrayEquals(new long[] {0, 1, 2, 3, 8, 9, 10, 11}, Worker.indices(lease));
      assertEquals(0, worker.available());
      assertEquals(4, worker.evictable());
      assertEquals(4, worker.protectedTokens());
      assertTrue(worker.routerAcceptedAll());
      assertEquals(2, worker.overlap(range(1, 8)));
      assertEquals(1, worker.overlap(range(9, 16)));
    }
  }

  @Test
  void shouldNotCountTheMatchedPrefixAsRoomForTheRest() {
    try (Worker worker = Worker.of(12, 4)) {
      worker.serve(range(1, 4));
      worker.drain();
      final ActiveKvLease lease = new ActiveKvLease();
      assertEquals(REFUSED, worker.tryAllocate(lease, range(1, 13)));
      assertTrue(worker.drain().isEmpty());
      assertEquals(8, worker.available());
      assertEquals(4, worker.evictable());
      assertEquals(0, worker.protectedTokens());
      assertEquals(4, worker.prefixMatchLen(range(1, 4)));
      assertEquals(0, worker.manager.unbalancedUnlocks());
    }
  }

  @Test
  void shouldDropThePartialTailPageAndCacheWholePagesWhenFinished() {
    try (Worker worker = Worker.unheard(12, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4, 5);
      assertEquals(4, worker.available());
      worker.finish(lease, 1, 2, 3, 4, 5);
      assertEquals(8, worker.available());
      assertEquals(4, worker.match(1, 2, 3, 4, 5));
      final CacheView view = new CacheView(worker.cache());
      final List<Integer> edge = view.edge(worker.cache().matchedNode());
      assertEquals(List.of(0), edge);
      assertEquals(worker.localHashes(1, 2, 3, 4)[0], view.key(edge.get(0)));
    }
  }

  @Test
  void shouldServeAnEmptyPromptWithoutPages() {
    try (Worker worker = Worker.of(64, 16)) {
      final ActiveKvLease lease = new ActiveKvLease();
      assertEquals(0, worker.tryAllocate(lease));
      assertTrue(lease.isActive());
      assertEquals(0, lease.tokenCount());
      assertEquals(-1, lease.lastIndex());
      assertEquals(0, lease.tokenIndices(new long[0]));
      assertFalse(worker.manager.retract(lease), "nothing was gained");
      assertEquals(0, worker.tryAllocate(lease));
      worker.finish(lease);
      assertEquals(0, worker.match());
      final DestinationReservation destination = new DestinationReservation();
      assertTrue(worker.manager.reserveDestination(TokenView.of(), destination));
      assertEquals(0, destination.allocatedTokens());
      assertEquals(0, destination.transferablePromptTokens());
      worker.manager.cancelDestination(destination);
      assertEquals(64, worker.available());
      assertEquals(1, worker.cache().nodes());
      assertTrue(worker.drain().isEmpty());
    }
  }

  @Test
  void shouldAnnounceNothingForAPromptShorterThanAPage() {
    try (Worker worker = Worker.of(64, 16)) {
      final ActiveKvLease lease = worker.allocate(range(1, 9));
      assertEquals(48, worker.available());
      assertEquals(0, worker.overlap(range(1, 9)));
      worker.finish(lease, range(1, 9));
      assertEquals(64, worker.available());
      assertEquals(0, worker.evictable());
      assertTrue(worker.drain().isEmpty());
    }
  }

  @Test
  void shouldGrowAnEmptyLeaseByDecodedTokens() {
    try (Worker worker = Worker.of(8, 2)) {
      final ActiveKvLease lease = worker.allocate();
      assertEquals(0, worker.manager.allocateDecodeToken(lease));
      assertEquals(1, worker.manager.allocateDecodeToken(lease));
      assertEquals(2, worker.manager.allocateDecodeToken(lease));
      assertTrue(worker.drain().isEmpty(), "decoded pages wait for the next caching");
      worker.finish(lease, 1, 2, 3);
      assertEquals(worker.chainHashes(1, 2)[0], worker.drainStored().blocks().get(0).blockHash());
      assertEquals(6, worker.available());
    }
  }

  @Test
  void shouldRejectSizesThatMakeNoPool() {
    assertThrows(IllegalArgumentException.class, () -> SglangKvManager.builder(100, 0).build());
    assertThrows(IllegalArgumentException.class, () -> SglangKvManager.builder(100, -1).build());
    assertThrows(IllegalArgumentException.class, () -> SglangKvManager.builder(15, 16).build());
    assertThrows(IllegalArgumentException.class, () -> SglangKvManager.builder(0, 1).build());
    assertThrows(
        CapacityExceededException.class, () -> SglangKvManager.builder(1L << 31, 1).build());
    assertThrows(
        CapacityExceededException.class,
        () -> SglangKvManager.builder(Long.MAX_VALUE, 4_294_967_295L).build());
  }

  @Test
  void shouldUseWholePagesOnlyAndPagesAsLargeAsTheyCome() {
    try (Worker worker = Worker.of(15, 4)) {
      assertEquals(12, worker.available());
      assertEquals(REFUSED, worker.tryAllocate(new ActiveKvLease(), range(1, 13)));
    }
    try (SglangKvManager manager =
        SglangKvManager.builder(8_589_934_590L, 4_294_967_295L).build()) {
      final ActiveKvLease lease = new ActiveKvLease();
      assertEquals(0, manager.allocate(TokenView.of(1, 2, 3), lease));
      assertEquals(4_294_967_295L, manager.cache().availableTokens());
      assertEquals(2, lease.lastIndex());
      final ActiveKvLease second = new ActiveKvLease();
      assertEquals(0, manager.allocate(TokenView.of(1), second));
      assertEquals(4_294_967_295L, second.lastIndex());
      assertEquals(REFUSED, manager.allocate(TokenView.of(1), new ActiveKvLease()));
    }
  }

  @Test
  void shouldTakeRecycledPagesFromTheEndOfTheListInListOrderThenFreshOnes() {
    try (Worker worker = Worker.of(6, 1)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3);
      worker.manager.abort(lease);
      final ActiveKvLease two = worker.allocate(4, 5);
      assertArrayEquals(new long[] {1, 2}, Worker.indices(two));
      assertArrayEquals(new long[] {0, 3}, Worker.indices(worker.allocate(6, 7)));
    }
  }
}
