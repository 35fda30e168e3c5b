package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvCacheStoreData;
import org.junit.jupiter.api.Test;

/** Pages set aside for decoding and for prompts that arrive from another worker. */
class ReservationTest {
  @Test
  void shouldReleaseOnlyTheUnusedPagesOfADecodeReservation() {
    try (Worker worker = Worker.unheard(4, 1)) {
      final DecodeReservation reservation = new DecodeReservation();
      final ActiveKvLease lease = worker.allocate();
      assertTrue(worker.manager.reserveDecodePages(3, reservation));
      worker.manager.extendDecode(lease, reservation);
      assertEquals(2, reservation.count());
      worker.manager.releaseDecodeReservation(reservation);
      assertEquals(3, worker.available());
      assertEquals(0, reservation.count());

      final ActiveKvLease next = worker.allocate(7, 8);
      final long used = lease.lastIndex();
      assertEquals(0, used);
      assertArrayEquals(new long[] {1, 2}, Worker.indices(next), "exactly the unused pages");
    }
  }

  @Test
  void shouldTakeAReservedPageOnlyAtAPageBoundary() {
    try (Worker worker = Worker.unheard(16, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3);
      final DecodeReservation reservation = new DecodeReservation();
      assertTrue(worker.manager.reserveDecodePages(1, reservation));
      worker.manager.extendDecode(lease, reservation);
      assertEquals(1, reservation.count());
      assertEquals(3, lease.lastIndex());
      worker.manager.extendDecode(lease, reservation);
      assertEquals(0, reservation.count());
      assertEquals(4, lease.lastIndex());
      worker.manager.releaseDecodeReservation(reservation);
      assertEquals(8, worker.available());
    }
  }

  @Test
  void shouldRejectDecodingWithoutAReservedPageAndChangeNothing() {
    try (Worker worker = Worker.unheard(16, 4)) {
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      final DecodeReservation reservation = new DecodeReservation();
      assertTrue(worker.manager.reserveDecodePages(0, reservation));
      assertThrows(
          IllegalStateException.class, () -> worker.manager.extendDecode(lease, reservation));
      assertEquals(4, lease.tokenCount());
      assertEquals(12, worker.available());
    }
  }

  @Test
  void shouldRefuseToReserveMoreThanIsFreeAndRejectNegativeCounts() {
    try (Worker worker = Worker.unheard(8, 4)) {
      final DecodeReservation reservation = new DecodeReservation();
      assertFalse(worker.manager.reserveDecodePages(3, reservation));
      assertThrows(
          IllegalArgumentException.class, () -> worker.manager.reserveDecodePages(-1, reservation));
      assertEquals(8, worker.available());
      assertEquals(0, reservation.count());
      assertTrue(worker.manager.reserveDecodePages(2, reservation));
      assertThrows(
          IllegalStateException.class, () -> worker.manager.reserveDecodePages(0, reservation));
      assertEquals(2, reservation.count());
    }
  }

  @Test
  void shouldRejectReleasingADecodeReservationTwice() {
    try (Worker worker = Worker.unheard(8, 4)) {
      final DecodeReservation reservation = new DecodeReservation();
      assertTrue(worker.manager.reserveDecodePages(1, reservation));
      worker.manager.releaseDecodeReservation(reservation);
      assertThrows(
          IllegalStateException.class, () -> worker.manager.releaseDecodeReservation(reservation));
      assertEquals(8, worker.available());
    }
  }

  @Test
  void shouldRefuseADecodeTokenWithoutAFreePageUntilRoomIsMade() {
    try (Worker worker = Worker.unheard(8, 4)) {
      worker.serve(9, 9, 9, 9);
      final ActiveKvLease lease = worker.allocate(1, 2, 3, 4);
      assertEquals(SglangKvManager.REFUSED, worker.manager.allocateDecodeToken(lease));
      assertEquals(4, lease.tokenCount());
      worker.manager.evict(1);
      assertEquals(0, worker.manager.allocateDecodeToken(lease));
      assertEquals(5, lease.tokenCount());
    }
  }

  @Test
  void shouldCountOnlyMissingPagesInADestinationsTransfer() {
    try (Worker worker = Worker.unheard(64, 4)) {
      final int[] prompt = range(0, 9);
      final DestinationReservation destination = new DestinationReservation();
      assertTrue(worker.manager.reserveDestination(TokenView.of(prompt), destination));
      assertEquals(12, destination.transferablePromptTokens());
      assertEquals(12, destination.allocatedTokens());
      assertEquals(0, destination.prefixLen());
      worker.manager.cancelDestination(destination);

      worker.serve(0, 1, 2, 3);
      assertTrue(worker.manager.reserveDestination(TokenView.of(prompt), destination));
      assertEquals(8, destination.transferablePromptTokens());
      assertEquals(4, destination.prefixLen());
      worker.manager.cancelDestination(destination);

      worker.serve(range(20, 27));
      assertTrue(worker.manager.reserveDestination(TokenView.of(range(20, 27)), destination));
      assertEquals(0, destination.transferablePromptTokens());
      assertEquals(8, destination.prefixLen());
      assertEquals(8, worker.protectedTokens());
    }
  }

  @Test
  void shouldAnnounceAndCacheADestinationOnlyWhenItIsActivated() {
    try (Worker worker = Worker.of(64, 4)) {
      worker.serve(1, 2, 3, 4);
      worker.drain();
      final int[] prompt = range(1, 10);
      final DestinationReservation destination = new DestinationReservation();
      assertTrue(worker.manager.reserveDestination(TokenView.of(prompt), destination));
      assertTrue(worker.drain().isEmpty());
      final long[] reserved = new long[10];
      assertEquals(10, destination.tokenIndices(reserved));
      assertEquals(4, worker.prefixMatchLen(prompt));

      final ActiveKvLease lease = new ActiveKvLease();
      assertEquals(4, worker.manager.activateDestination(destination, TokenView.of(prompt), lease));
      assertArrayEquals(reserved, Worker.indices(lease));
      assertEquals(8, lease.cachedTokens());
      assertEquals(10, lease.tokenCount());
      final KvCacheStoreData stored = worker.drainStored();
      assertEquals(1, stored.blocks().size());
      assertEquals(worker.chainHashes(prompt)[1], stored.blocks().get(0).blockHash());
      assertEquals(8, worker.prefixMatchLen(prompt));
      assertEquals(8, worker.protectedTokens());
      assertTrue(worker.manager.abort(lease));
      assertEquals(8, worker.evictable());
      assertEquals(56, worker.available());
      assertTrue(worker.routerAcceptedAll());
    }
  }

  @Test
  void shouldEvictForADestinationButRefuseOneThatCannotFit() {
    try (Worker worker = Worker.of(12, 4)) {
      worker.serve(range(21, 28));
      final DestinationReservation destination = new DestinationReservation();
      assertFalse(worker.manager.reserveDestination(TokenView.of(range(1, 13)), destination));
      assertFalse(destination.isActive());
      assertEquals(8, worker.evictable());
      assertTrue(worker.manager.reserveDestination(TokenView.of(range(1, 8)), destination));
      assertEquals(4, worker.evictable());
      assertEquals(0, worker.available());
    }
  }

  @Test
  void shouldUseADestinationOnceOnly() {
    try (Worker worker = Worker.of(12, 4)) {
      final TokenView prompt = TokenView.of(range(1, 6));
      final SglangKvManager manager = worker.manager;
      final DestinationReservation destination = new DestinationReservation();
      final ActiveKvLease lease = new ActiveKvLease();
      assertThrows(
          IllegalStateException.class,
          () -> manager.activateDestination(destination, prompt, lease));
      assertTrue(manager.reserveDestination(prompt, destination));
      assertThrows(
          IllegalStateException.class, () -> manager.reserveDestination(prompt, destination));
      assertThrows(
          IllegalArgumentException.class,
          () -> manager.activateDestination(destination, TokenView.of(range(1, 5)), lease));
      assertTrue(destination.isActive());
      assertFalse(lease.isActive());
      assertEquals(0, manager.activateDestination(destination, prompt, lease));
      assertThrows(
          IllegalStateException.class,
          () -> manager.activateDestination(destination, prompt, new ActiveKvLease()));
      assertThrows(IllegalStateException.class, () -> manager.cancelDestination(destination));
      assertEquals(4, worker.available());
    }
  }
}
