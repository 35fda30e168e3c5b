package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of one router: what they hold, when they end, and what is said of them twice. */
final class ActiveSequencesTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<String> published = new ArrayList<>();
  private final LoadProjections projections = new LoadProjections();
  private final Booking booking = new Booking();
  private final ActiveSequences sequences =
      ActiveSequences.builder()
          .requestCapacity(64)
          .rankCapacity(8)
          .blockCapacity(1000)
          .loadListener(
              (worker, dp, blocks, tokens) ->
                  published.add(worker + ":" + dp + " " + blocks + " " + tokens))
          .build();

  @AfterEach
  void close() {
    sequences.close();
  }

  private void register(final long... workers) {
    for (final long worker : workers) {
      sequences.register(new WorkerRange(worker, 0, 1), 0);
    }
  }

  private SequenceResult add(
      final String id, final long worker, final long tokens, final long now, final long... hashes) {
    return sequences.add(
        booking
            .reset()
            .request(id)
            .rank(worker, 0)
            .prompt(hashes, 0, hashes.length)
            .prefill(tokens),
        now);
  }

  /** Blocks, prefill tokens and requests of a worker's rank 0. */
  private String load(final long worker, final long now) {
    sequences.loads(now, projections);
    final int at = projections.indexOf(worker, 0);
    return at < 0
        ? "unknown"
        : projections.activeDecodeBlocks(at)
            + " "
            + projections.activePrefillTokens(at)
            + " "
            + projections.activeRequests(at);
  }

  private long additional(final long worker, final long... hashes) {
    sequences.potentialLoads(hashes, 0, hashes.length, 0, projections);
    return projections.additionalActiveBlocks(projections.indexOf(worker, 0));
  }

  // ------ blocks

  @Test
  void shouldCountABlockThatTwoRequestsOfARankHaveOnce() {
    register(1, 2);
    add("a", 1, 0, 0, 1, 2, 3);
    add("b", 1, 0, 0, 1, 2, 4);
    add("c", 2, 0, 0, 1, 2, 3);
    assertEquals("4 0 2", load(1, 0));
    assertEquals("3 0 1", load(2, 0));
    sequences.free("a", 0);
    assertEquals("3 0 1", load(1, 0));
    sequences.free("b", 0);
    assertEquals("0 0 0", load(1, 0));
    assertEquals(3, sequences.blockCount());
  }

  @Test
  void shouldTellEveryRankHowMuchOfAPromptItWouldHaveToAdd() {
    register(1, 2, 3);
    add("a", 1, 0, 0, 1, 2, 3);
    add("b", 2, 0, 0, 1, 2, 4, 5);
    assertEquals(0, additional(1, 1, 2, 3));
    assertEquals(1, additional(2, 1, 2, 3));
    assertEquals(3, additional(3, 1, 2, 3));
    assertEquals(1, additional(2, 1, 2, 4, 5, 6));
    assertEquals(2, additional(1, 1, 9, 3));
    assertEquals(0, additional(1));
    sequences.potentialLoads(new long[] {7, 1, 2, 7}, 1, 2, 0, projections);
    assertEquals(0, projections.additionalActiveBlocks(0));
    assertEquals(3, projections.potentialDecodeBlocks(0));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> sequences.potentialLoads(new long[2], 1, 2, 0, projections));
  }

  @Test
  void shouldKeepNothingOfAPromptButWhatOthersHaveWhenItIsFreed() {
    register(1);
    add("long", 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
    add("short", 1, 0, 0, 1, 2, 3);
    add("fork", 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 21);
    LoadInvariants.check(sequences);
    sequences.free("long", 0);
    LoadInvariants.check(sequences);
    assertEquals("11 0 2", load(1, 0));
    assertEquals(7, additional(1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17));
    sequences.free("short", 0);
    LoadInvariants.check(sequences);
    assertEquals(1, sequences.bookings().tree.edges().used());
    assertEquals(0, additional(1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 21));
  }

  @Test
  void shouldKnowNoBlockOfARequestWithoutAPrompt() {
    register(1);
    assertEquals(
        SequenceResult.OK, sequences.add(booking.reset().request(1).rank(1, 0).prefill(9), 0));
    assertEquals(SequenceResult.OK, add("empty", 1, 0, 0));
    assertEquals("0 9 2", load(1, 0));
    sequences.free(1, 0);
    sequences.free("empty", 0);
    assertEquals("0 0 0", load(1, 0));
  }

  @Test
  void shouldChargePromptsShorterThanABlockByTheirTokens() {
    register(1, 2);
    for (int i = 0; i < 12; i++) {
      sequences.loads(0, projections);
      final int least =
          projections.activePrefillTokens(0) <= projections.activePrefillTokens(1) ? 0 : 1;
      add("r" + i, projections.workerId(least), 9, 0);
    }
    assertEquals("0 54 6", load(1, 0));
    assertEquals("0 54 6", load(2, 0));
  }

  // ------ output

  @Test
  void shouldWeighBlocksThatOnlyOneRequestHas() {
    register(1);
    add("a", 1, 0, 0, 1, 2, 3, 4);
    sequences.addOutputBlock("a", 0.5, 0);
    assertEquals("3 0 1", load(1, 0));
    add("b", 1, 0, 0, 1, 2, 9);
    assertEquals("4 0 2", load(1, 0));
    sequences.addOutputBlock("b", 0.0, 0);
    assertEquals("3 0 2", load(1, 0));
    sequences.free("a", 0);
    assertEquals("1 0 1", load(1, 0));
    sequences.addOutputBlock("b", 1.0, 0);
    assertEquals("5 0 1", load(1, 0));
    sequences.free("b", 0);
    assertEquals("0 0 0", load(1, 0));
    LoadInvariants.check(sequences);
  }

  @Test
  void shouldRoundWeightsHalfAwayFromZeroAndNeverBelowIt() {
    register(1);
    add("a", 1, 0, 0);
    sequences.addOutputBlock("a", 0.5, 0);
    assertEquals("1 0 1", load(1, 0));
    sequences.addOutputBlock("a", 0.75, 0);
    assertEquals("2 0 1", load(1, 0));
    sequences.addOutputBlock("a", 0.49, 0);
    assertEquals("1 0 1", load(1, 0));
    sequences.addOutputBlock("a", -3.0, 0);
    assertEquals("0 0 1", load(1, 0));
    sequences.addOutputBlock("a", 0);
    assertEquals("0 0 1", load(1, 0));
    sequences.addOutputBlock("a", 1024, 0);
    assertEquals("6144 0 1", load(1, 0));
  }

  @Test
  void shouldRefuseFractionsThatAreNoNumberOrTooLarge() {
    register(1);
    add("a", 1, 0, 0);
    for (final double fraction : new double[] {Double.NaN, 1025, Double.NEGATIVE_INFINITY}) {
      assertThrows(
          IllegalArgumentException.class, () -> sequences.addOutputBlock("a", fraction, 0));
    }
    assertEquals("0 0 1", load(1, 0));
  }

  @Test
  void shouldLeaveNoTraceOfWeightsInWhateverOrderTheyGo() {
    register(1);
    for (int i = 0; i < 50; i++) {
      add("r" + i, 1, 0, 0, 1, 2, 100 + i);
      sequences.addOutputBlock("r" + i, 1.0 / (3 + i), 0);
    }
    for (int i = 0; i < 50; i++) {
      sequences.free("r" + (i * 7 % 50), 0);
    }
    add("last", 1, 0, 0, 1);
    sequences.addOutputBlock("last", 0.25, 0);
    assertEquals("1 0 1", load(1, 0));
  }

  @Test
  void shouldSayWhatOutputIsLeftAndHowManyBlocksItFills() {
    assertEquals(0.75, TokenCounts.outputLeft(25, 100));
    assertEquals(0.0, TokenCounts.outputLeft(101, 100));
    assertEquals(0.0, TokenCounts.outputLeft(1, 0));
    assertEquals(1.0, TokenCounts.outputLeft(0, 0));
    assertEquals(2, TokenCounts.totalBlocks(9, 8, 16));
    assertEquals(1, TokenCounts.totalBlocks(9, 7, 16));
    assertEquals(0, TokenCounts.totalBlocks(0, 0, 16));
    assertEquals(60, TokenCounts.effectivePrefill(100, 40));
    assertEquals(0, TokenCounts.effectivePrefill(100, 101));
    assertEquals(40, TokenCounts.cachedPrefix(100, 60));
    assertThrows(IllegalArgumentException.class, () -> TokenCounts.cachedPrefix(100, 101));
  }

  @Test
  void shouldRememberTheOutputThatIsExpected() {
    register(1);
    sequences.add(booking.reset().request(5).rank(1, 0).expectedOutputTokens(-1), 0);
    add("a", 1, 0, 0);
    assertEquals(OptionalInt.of(-1), sequences.expectedOutputTokens(5));
    assertEquals(OptionalInt.empty(), sequences.expectedOutputTokens("a"));
    assertEquals(OptionalInt.empty(), sequences.expectedOutputTokens(6));
  }

  // ------ said twice, late, or of what is not known

  @Test
  void shouldBearWhateverIsSaidTwiceOrLate() {
    register(1);
    add("r1", 1, 100, 0, 1, 2, 3, 4, 5, 6, 7);
    assertEquals("7 100 1", load(1, 0));
    assertEquals(SequenceResult.OK, sequences.markPrefillCompleted("r1", 0));
    assertEquals(SequenceResult.OK, sequences.markPrefillCompleted("r1", 0));
    assertEquals("7 0 1", load(1, 0));
    assertEquals(SequenceResult.OK, sequences.free("r1", 0));
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.free("r1", 0));
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.markPrefillCompleted("r1", 0));
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.free("unknown", 0));
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.addOutputBlock("r1", 0));
    assertEquals("0 0 0", load(1, 0));
    final LoadCounters counters = sequences.counters();
    assertEquals(2, counters.operations(SequenceOperation.FREE, SequenceResult.REQUEST_NOT_FOUND));
    assertEquals(
        1,
        counters.operations(
            SequenceOperation.MARK_PREFILL_COMPLETED, SequenceResult.REQUEST_NOT_FOUND));
    assertEquals(
        1,
        counters.operations(SequenceOperation.ADD_OUTPUT_BLOCK, SequenceResult.REQUEST_NOT_FOUND));
  }

  @Test
  void shouldKeepTheFirstOfTwoRequestsOfOneId() {
    register(1, 2);
    add("a", 1, 100, 0, 1, 2);
    assertEquals(SequenceResult.DUPLICATE_REQUEST, add("a", 2, 50, 0, 1, 2, 3));
    assertEquals("2 100 1", load(1, 0));
    assertEquals("0 0 0", load(2, 0));
    assertEquals(1, sequences.find("a").workerId());
    assertEquals(SequenceResult.DUPLICATE_REQUEST, add("a", 9, 50, 0, 1));
    assertEquals("0 0 0", load(9, 0));
  }

  @Test
  void shouldTellKeysFromTextsOfTheSameHash() {
    register(1);
    final long key = Booking.keyOf("text");
    add("text", 1, 0, 0, 1);
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.free(key, 0));
    assertEquals(SequenceResult.OK, sequences.add(booking.reset().request(key).rank(1, 0), 0));
    assertEquals("1 0 2", load(1, 0));
    assertEquals(SequenceResult.OK, sequences.free(key, 0));
    assertEquals("1 0 1", load(1, 0));
    assertNull(sequences.find(key));
    assertEquals(1, sequences.find("text").workerId());
  }

  @Test
  void shouldStartFromNothingWhenAWorkerComesBack() {
    register(1);
    add("a", 1, 100, 0, 1, 2);
    sequences.unregister(1, 0);
    assertEquals("unknown", load(1, 0));
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.free("a", 0));
    register(1);
    assertEquals("0 0 0", load(1, 0));
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.markPrefillCompleted("a", 0));
    assertEquals("0 0 0", load(1, 0));
    assertEquals(1, sequences.counters().endedWithRank());
  }

  @Test
  void shouldNotTrackAPrefillThatIsNotToBeTracked() {
    register(1);
    sequences.add(
        booking.reset().request("a").rank(1, 0).trackPrefillTokens(false).prefill(100), 0);
    assertEquals("0 0 1", load(1, 0));
  }

  // ------ age

  @Test
  void shouldKeepARequestOf300SecondsAndEndAnOlderOne() {
    register(1);
    add("a", 1, 100, 0, 1);
    add("b", 1, 0, 300 * SECOND, 2);
    assertEquals("2 100 2", load(1, 300 * SECOND));
    add("c", 1, 0, 330 * SECOND - 1, 3);
    assertEquals("3 100 3", load(1, 330 * SECOND));
    add("d", 1, 0, 330 * SECOND, 4);
    assertEquals("3 0 3", load(1, 330 * SECOND));
    assertEquals(1, sequences.counters().expired());
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.free("a", 330 * SECOND));
  }

  @Test
  void shouldLookForOldRequestsAtMostEvery30Seconds() {
    register(1, 2);
    add("a", 1, 0, SECOND, 1);
    add("b", 2, 0, SECOND, 1);
    assertEquals(0, sequences.sweep(290 * SECOND));
    assertEquals(0, sequences.sweep(302 * SECOND));
    assertEquals(0, sequences.sweep(320 * SECOND - 1));
    published.clear();
    assertEquals(2, sequences.sweep(320 * SECOND));
    assertEquals(List.of("1:0 0 0", "2:0 0 0"), published);
    assertEquals(0, sequences.sweep(500 * SECOND));
    assertEquals(2, published.size());
  }

  @Test
  void shouldTakeAnExpiredRequestThatNobodyHasSweptAsADuplicate() {
    register(1);
    add("a", 1, 50, 0, 1, 2);
    assertEquals(SequenceResult.DUPLICATE_REQUEST, add("a", 1, 50, 400 * SECOND, 1, 2));
    assertEquals("2 50 1", load(1, 400 * SECOND));
  }

  @Test
  void shouldTakeAnInstantThatIsTooEarlyAsTheLatestOne() {
    register(1);
    add("a", 1, 0, 100 * SECOND, 1);
    add("b", 1, 0, 10 * SECOND, 2);
    assertEquals(0, sequences.sweep(311 * SECOND));
    assertEquals(0, sequences.sweep(400 * SECOND));
    assertEquals(2, sequences.sweep(431 * SECOND));
  }

  // ------ workers

  @Test
  void shouldSayWhyAWorkerCannotBeRegistered() {
    register(1);
    assertKind(TopologyException.Kind.DUPLICATE_WORKER, () -> register(1));
    assertKind(
        TopologyException.Kind.INVALID_DP_SIZE,
        () -> sequences.register(new WorkerRange(2, 5, 0), 0));
    assertKind(
        TopologyException.Kind.INVALID_DP_RANGE,
        () -> sequences.register(new WorkerRange(2, -1, 1), 0));
    assertKind(TopologyException.Kind.WORKER_NOT_FOUND, () -> sequences.unregister(2, 0));
    add("a", 1, 7, 0, 1, 2);
    assertKind(
        TopologyException.Kind.DUPLICATE_WORKER,
        () -> sequences.reconcile(List.of(new WorkerRange(3, 0, 1), new WorkerRange(3, 1, 1)), 0));
    assertEquals("2 7 1", load(1, 0));
    assertEquals(1, sequences.rankCount());
    assertEquals(1, sequences.workerCount());
  }

  private static void assertKind(final TopologyException.Kind kind, final Runnable change) {
    final TopologyException failure = assertThrows(TopologyException.class, change::run);
    assertEquals(kind, failure.kind());
    assertTrue(failure.getMessage().contains("workerId="), failure.getMessage());
  }

  @Test
  void shouldKeepARankThatARequestMadeKnownUntilItsWorkerIsReconciled() {
    register(1);
    add("a", 9, 5, 0, 1);
    assertKind(TopologyException.Kind.WORKER_NOT_FOUND, () -> sequences.unregister(9, 0));
    assertEquals("1 5 1", load(9, 0));
    sequences.upsert(new WorkerRange(9, 0, 2), 0);
    assertEquals("1 5 1", load(9, 0));
    sequences.reconcile(List.of(new WorkerRange(1, 0, 1)), 0);
    assertEquals("unknown", load(9, 0));
    assertEquals(SequenceResult.REQUEST_NOT_FOUND, sequences.free("a", 0));
  }

  @Test
  void shouldDropTheRequestsOfARankThatAWorkerNoLongerHas() {
    sequences.register(new WorkerRange(1, 0, 2), 0);
    add("a", 1, 0, 0, 1);
    sequences.add(booking.reset().request("b").rank(1, 1).prompt(new long[] {1, 2}, 0, 2), 0);
    sequences.upsert(new WorkerRange(1, 0, 1), 0);
    assertEquals("1 0 1", load(1, 0));
    assertEquals(1, sequences.rankCount());
    assertEquals(1, sequences.blockCount());
    LoadInvariants.check(sequences);
  }

  @Test
  void shouldAddToRegisteredRanksOnlyWhenAskedTo() {
    booking.reset().request("a").rank(4, 0);
    assertEquals(SequenceResult.WORKER_NOT_FOUND, sequences.addIfRegistered(booking, 0));
    assertEquals("unknown", load(4, 0));
    assertEquals(SequenceResult.OK, sequences.add(booking, 0));
    assertEquals("0 0 1", load(4, 0));
  }

  // ------ those who listen, and the end

  @Test
  void shouldPublishTheLoadOfTheRankAfterEachChange() {
    register(1);
    add("a", 1, 10, 0, 1, 2);
    sequences.addOutputBlock("a", 0.5, 0);
    sequences.markPrefillCompleted("a", 0);
    sequences.markPrefillCompleted("unknown", 0);
    sequences.free("a", 0);
    sequences.unregister(1, 0);
    assertEquals(List.of("1:0 2 10", "1:0 2 10", "1:0 2 0", "1:0 0 0"), published);
  }

  @Test
  void shouldBearAListenerThatThrows() {
    try (ActiveSequences loud =
        ActiveSequences.builder()
            .loadListener(
                (worker, dp, blocks, tokens) -> {
                  throw new IllegalStateException("deaf");
                })
            .replicaListener(
                event -> {
                  throw new IllegalStateException("mute");
                })
            .build()) {
      assertEquals(SequenceResult.OK, loud.add(booking.reset().request(1).rank(1, 0), 0));
      assertEquals(SequenceResult.OK, loud.free(1, 0));
      assertEquals(4, loud.counters().listenerFailures());
      assertEquals(0, loud.requestCount());
    }
  }

  @Test
  void shouldFailAfterClose() {
    sequences.close();
    sequences.close();
    assertThrows(IllegalStateException.class, () -> add("a", 1, 0, 0));
    assertThrows(IllegalStateException.class, () -> sequences.loads(0, projections));
    assertFalse(SequenceResult.OK.isRefusal());
  }
}
