package io.kvroute.engine;

import static io.kvroute.engine.Worker.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.engine.CacheTrace.Event;
import io.kvroute.hash.TokenView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The six events of the cache-state trace and the figures that they carry. */
class CacheTraceTest {
  private static final int RANK = 5;

  private final List<String> lines = new ArrayList<>();
  private final SglangKvManager manager =
      SglangKvManager.builder(33, 4).dpRank(RANK).trace(this::onCacheState).build();
  private final ActiveKvLease lease = new ActiveKvLease();

  private void onCacheState(
      final Event event,
      final int dpRank,
      final long numTokens,
      final long pageSize,
      final long available,
      final long evictable,
      final long locked,
      final long total) {
    assertEquals(RANK, dpRank);
    assertEquals(4, pageSize);
    assertEquals(33, total);
    lines.add(event + " " + numTokens + ": " + available + " " + evictable + " " + locked);
  }

  private void expect(final String... expected) {
    assertEquals(List.of(expected), lines);
    lines.clear();
  }

  @Test
  void shouldTraceAllocationsEvenOfNothing() {
    manager.allocate(TokenView.of(range(1, 6)), lease);
    expect("ALLOCATION 8: 24 0 0");
    manager.extendAllocation(TokenView.of(range(1, 8)), lease);
    expect("ALLOCATION 0: 24 0 0");
    manager.extendAllocation(TokenView.of(range(1, 9)), lease);
    expect("ALLOCATION 4: 20 0 0");
    assertEquals(SglangKvManager.REFUSED, manager.allocate(TokenView.of(range(50, 90)), other()));
    expect();
  }

  private static ActiveKvLease other() {
    return new ActiveKvLease();
  }

  @Test
  void shouldTraceFreedTailsAndDuplicatesWhileTheOldPathIsStillLocked() {
    manager.allocate(TokenView.of(range(1, 8)), lease);
    final ActiveKvLease second = other();
    manager.allocate(TokenView.of(range(1, 10)), second);
    manager.extendCachedPrefix(TokenView.of(range(1, 8)), lease);
    lines.clear();
    manager.extendCachedPrefix(TokenView.of(range(1, 10)), second);
    expect("FREE 8: 20 0 8");
    manager.finish(TokenView.of(range(1, 10)), second);
    expect("FREE 4: 24 0 8");
    manager.abort(lease);
    expect();
    assertEquals(8, manager.cache().evictableTokens());
  }

  @Test
  void shouldTraceEvictionsEvenOfNothing() {
    manager.evict(4);
    expect("EVICTION 0: 32 0 0");
    manager.allocate(TokenView.of(range(1, 8)), lease);
    manager.finish(TokenView.of(range(1, 8)), lease);
    lines.clear();
    manager.evict(1);
    expect("EVICTION 4: 28 4 0");
    manager.allocate(TokenView.of(range(51, 80)), other());
    expect("EVICTION 4: 32 0 0", "ALLOCATION 32: 0 0 0");
  }

  @Test
  void shouldTraceDestinationsAndWhatIsReleasedUnpublished() {
    manager.allocate(TokenView.of(range(1, 4)), lease);
    manager.finish(TokenView.of(range(1, 4)), lease);
    lines.clear();
    final DestinationReservation destination = new DestinationReservation();
    assertTrue(manager.reserveDestination(TokenView.of(range(1, 10)), destination));
    expect("RESERVE_DESTINATION 8: 20 0 4");
    manager.cancelDestination(destination);
    expect("RELEASE_UNPUBLISHED 8: 28 4 0");
    assertTrue(manager.reserveDestination(TokenView.of(range(1, 10)), destination));
    lines.clear();
    manager.activateDestination(destination, TokenView.of(range(1, 10)), lease);
    expect("ACTIVATE_DESTINATION 6: 20 0 8");
  }

  @Test
  void shouldTraceDecodePagesButNotTokensThatFitTheLastPage() {
    manager.allocate(TokenView.of(range(1, 3)), lease);
    lines.clear();
    final DecodeReservation reservation = new DecodeReservation();
    assertTrue(manager.reserveDecodePages(0, reservation));
    manager.releaseDecodeReservation(reservation);
    assertEquals(3, manager.allocateDecodeToken(lease));
    expect();
    assertEquals(4, manager.allocateDecodeToken(lease));
    expect("ALLOCATION 4: 24 0 0");
    assertTrue(manager.reserveDecodePages(3, reservation));
    expect("ALLOCATION 12: 12 0 0");
    manager.releaseDecodeReservation(reservation);
    expect("RELEASE_UNPUBLISHED 12: 24 0 0");
  }
}
