package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.UnsignedDuration;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What several routers tell each other of their requests. */
final class ReplicaTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long OWN = 1;
  private static final long OTHER = 2;
  private static final ActiveSequenceEventData FREE = new ActiveSequenceEventData.Free();
  private static final ActiveSequenceEventData MARK =
      new ActiveSequenceEventData.MarkPrefillCompleted();

  private final List<ActiveSequenceEvent> told = new ArrayList<>();
  private final LoadProjections projections = new LoadProjections();
  private final ActiveSequences sequences =
      ActiveSequences.builder().rankCapacity(4).routerId(OWN).replicaListener(told::add).build();

  @AfterEach
  void close() {
    sequences.close();
  }

  private static ActiveSequenceEventData added(final long tokens, final long... hashes) {
    return new ActiveSequenceEventData.AddRequest(
        UnsignedLongs.of(hashes), true, OptionalInt.empty(), new PrefillLoadHint(tokens, null));
  }

  private ReplicaOutcome apply(
      final String id, final long worker, final ActiveSequenceEventData data, final long router) {
    return sequences.apply(
        new ActiveSequenceEvent(id, new WorkerWithDpRank(worker, 0), data, router, null), 0, 0);
  }

  private String load(final long worker) {
    sequences.loads(0, projections);
    final int at = projections.indexOf(worker, 0);
    return at < 0
        ? "unknown"
        : projections.activeDecodeBlocks(at)
            + " "
            + projections.activePrefillTokens(at)
            + " "
            + projections.activeRequests(at);
  }

  @Test
  void shouldApplyWhatAnotherRouterTells() {
    assertEquals(ReplicaOutcome.ADDED, apply("r", 1, added(9, 1, 2), OTHER));
    assertEquals("2 9 1", load(1));
    assertEquals(ReplicaOutcome.DUPLICATE, apply("r", 1, added(5, 3), OTHER));
    assertEquals("2 9 1", load(1));
    assertEquals(ReplicaOutcome.RELIEVED, apply("r", 7, MARK, OTHER));
    assertEquals("2 0 1", load(1));
    assertEquals(ReplicaOutcome.RELIEVED, apply("r", 7, FREE, OTHER));
    assertEquals(ReplicaOutcome.UNKNOWN_REQUEST, apply("r", 7, FREE, OTHER));
    assertEquals(ReplicaOutcome.UNKNOWN_REQUEST, apply("r", 7, MARK, OTHER));
    assertEquals("0 0 0", load(1));
    assertEquals(2, sequences.counters().replicaEvents(ReplicaOutcome.UNKNOWN_REQUEST));
    assertEquals(0, told.size());
  }

  @Test
  void shouldIgnoreItsOwnEvents() {
    assertEquals(ReplicaOutcome.OWN, apply("r", 1, added(9, 1), OWN));
    assertEquals("unknown", load(1));
  }

  @Test
  void shouldTakeTheBookingsOfARouterThatLeavesAlong() {
    apply("r9", 1, added(9, 1, 2), OTHER);
    sequences.add(new Booking().request("mine").rank(1, 0).prompt(new long[] {1, 3}, 0, 2), 0);
    apply("theirs", 1, added(7, 1, 2, 3), 3);
    assertEquals(1, sequences.removeReplica(OTHER, 0));
    assertEquals("4 7 2", load(1));
    assertEquals(ReplicaOutcome.DEPARTED, apply("r9", 1, MARK, OTHER));
    assertEquals(ReplicaOutcome.DEPARTED, apply("r9", 1, added(9, 1), OTHER));
    assertEquals(ReplicaOutcome.DEPARTED, apply("mine", 1, FREE, OTHER));
    assertEquals("4 7 2", load(1));
    assertEquals(0, sequences.removeReplica(OTHER, 0));
    assertThrows(IllegalArgumentException.class, () -> sequences.removeReplica(OWN, 0));
    assertEquals(1, sequences.counters().endedWithReplica());
    sequences.admitReplica(OTHER);
    assertEquals(ReplicaOutcome.ADDED, apply("r9", 1, added(9, 1), OTHER));
  }

  @Test
  void shouldRememberTheLatestRoutersThatLeft() {
    for (int router = 10; router < 10 + 1025; router++) {
      sequences.removeReplica(router, 0);
    }
    assertEquals(ReplicaOutcome.UNKNOWN_REQUEST, apply("r", 1, FREE, 10));
    assertEquals(ReplicaOutcome.DEPARTED, apply("r", 1, FREE, 11));
    sequences.admitReplica(500);
    assertEquals(ReplicaOutcome.UNKNOWN_REQUEST, apply("r", 1, FREE, 500));
    sequences.removeReplica(9, 0);
    assertEquals(ReplicaOutcome.DEPARTED, apply("r", 1, FREE, 11));
    assertEquals(ReplicaOutcome.DEPARTED, apply("r", 1, FREE, 9));
    sequences.removeReplica(8, 0);
    assertEquals(ReplicaOutcome.UNKNOWN_REQUEST, apply("r", 1, FREE, 11));
    assertEquals(ReplicaOutcome.DEPARTED, apply("r", 1, FREE, 1034));
  }

  @Test
  void shouldDropARequestThatIsTooOldButFreeAtAnyAge() {
    final WorkerWithDpRank worker = WorkerWithDpRank.fromWorkerId(1);
    final ActiveSequenceEvent add = new ActiveSequenceEvent("r", worker, added(9, 1), OTHER, null);
    assertEquals(ReplicaOutcome.OVER_AGE, sequences.apply(add, 90 * SECOND, 0));
    assertEquals("unknown", load(1));
    assertEquals(ReplicaOutcome.ADDED, sequences.apply(add, 60 * SECOND, 0));
    assertEquals(
        ReplicaOutcome.RELIEVED,
        sequences.apply(new ActiveSequenceEvent("r", worker, FREE, OTHER, null), 90 * SECOND, 0));
    assertEquals("0 0 0", load(1));
  }

  @Test
  void shouldMoveAnIdThatAnotherRouterAddsElsewhereAndLeaveItsLoadBehind() {
    apply("r", 1, added(9, 1, 2), OTHER);
    assertEquals(ReplicaOutcome.ADDED, apply("r", 2, added(5, 1), OTHER));
    assertEquals("2 9 1", load(1));
    assertEquals("1 5 1", load(2));
    assertEquals(2, sequences.find("r").workerId());
    apply("r", 1, FREE, OTHER);
    assertEquals("2 9 1", load(1));
    assertEquals("0 0 0", load(2));
    assertNull(sequences.find("r"));
    assertEquals(1, sequences.sweep(301 * SECOND));
    assertEquals("0 0 0", load(1));
  }

  @Test
  void shouldLeadAnIdBackToTheRankThatItWasMovedFrom() {
    apply("r", 1, added(9, 1, 2), OTHER);
    apply("r", 2, added(5, 1), OTHER);
    assertEquals(ReplicaOutcome.DUPLICATE, apply("r", 1, added(7, 3), OTHER));
    assertEquals("2 9 1", load(1));
    assertEquals(1, sequences.find("r").workerId());
    assertEquals(1, sequences.counters().revived());
  }

  @Test
  void shouldDropRequestsForUnknownRanksIfRanksMustBeRegistered() {
    try (ActiveSequences strict =
        ActiveSequences.builder()
            .routerId(OWN)
            .replicaPolicy(ReplicaPolicy.REQUIRE_REGISTERED)
            .build()) {
      final ActiveSequenceEvent add =
          new ActiveSequenceEvent("r", WorkerWithDpRank.fromWorkerId(1), added(9, 1), OTHER, null);
      assertEquals(ReplicaOutcome.UNKNOWN_RANK, strict.apply(add, 0, 0));
      strict.register(new WorkerRange(1, 0, 1), 0);
      assertEquals(ReplicaOutcome.ADDED, strict.apply(add, 0, 0));
    }
  }

  @Test
  void shouldRefuseARequestForARankThatThereIsNoRoomFor() {
    for (int worker = 0; worker < 4; worker++) {
      apply("r" + worker, worker, added(1), OTHER);
    }
    assertEquals(ReplicaOutcome.REFUSED, apply("r", 4, added(1), OTHER));
    assertEquals("no room for a request: missing=1 ranks=4 capacity=4", sequences.refusal());
  }

  @Test
  void shouldTellOthersOfItsOwnRequests() {
    final UnsignedDuration expected = new UnsignedDuration(2, 500);
    sequences.add(
        new Booking()
            .request("a")
            .rank(1, 2)
            .prompt(new long[] {7, 8, 9}, 1, 2)
            .prefill(100, expected)
            .expectedOutputTokens(50)
            .loraName("adapter"),
        0);
    sequences.add(new Booking().request(-1).rank(1, 2).trackPrefillTokens(false), 0);
    sequences.add(new Booking().request("a").rank(1, 2), 0);
    sequences.markPrefillCompleted("a", 0);
    sequences.free("a", 0);
    sequences.free("a", 0);
    final WorkerWithDpRank worker = new WorkerWithDpRank(1, 2);
    assertEquals(
        List.of(
            new ActiveSequenceEvent(
                "a",
                worker,
                new ActiveSequenceEventData.AddRequest(
                    UnsignedLongs.of(8, 9),
                    true,
                    OptionalInt.of(50),
                    new PrefillLoadHint(100, expected)),
                OWN,
                "adapter"),
            new ActiveSequenceEvent(
                "18446744073709551615",
                worker,
                new ActiveSequenceEventData.AddRequest(null, false, OptionalInt.empty(), null),
                OWN,
                null),
            new ActiveSequenceEvent("a", worker, MARK, OWN, "adapter"),
            new ActiveSequenceEvent("a", worker, FREE, OWN, "adapter")),
        told);
  }

  @Test
  void shouldKeepTwoRoutersAlike() {
    try (ActiveSequences other = ActiveSequences.builder().routerId(OTHER).build()) {
      sequences.add(
          new Booking().request("a").rank(1, 0).prompt(new long[] {1, 2}, 0, 2).prefill(40), 0);
      told.forEach(event -> assertEquals(ReplicaOutcome.ADDED, other.apply(event, 0, 0)));
      other.loads(0, projections);
      assertEquals(2, projections.activeDecodeBlocks(0));
      assertEquals(40, projections.activePrefillTokens(0));
      told.clear();
      sequences.free("a", 0);
      told.forEach(event -> assertEquals(ReplicaOutcome.RELIEVED, other.apply(event, 0, 0)));
      assertEquals(0, other.requestCount());
    }
  }
}
