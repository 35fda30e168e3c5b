package io.kvroute.tools.sim;

import static io.kvroute.tools.sim.Traces.MILLI;
import static io.kvroute.tools.sim.Traces.row;
import static io.kvroute.tools.sim.Traces.trace;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.cache.RadixCache;
import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.tools.sim.SimulationResult.WorkerResult;
import io.kvroute.tools.sim.Traces.Cluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
  private final Cluster cluster = new Cluster();
  private List<SimRequest> requests;

  /** Runs and checks what must hold of every run. */
  private SimulationResult run(final PolicyKind kind, final String rows) {
    final List<Long> overs = new ArrayList<>();
    try (Simulation simulation = new Simulation(cluster.settings(), kind, trace(rows))) {
      final SimulationResult result = simulation.run(overs::add);
      requests = simulation.requests();
      assertEquals(requests.size(), overs.size(), "each request ends exactly once");
      for (int i = 0; i < overs.size(); i++) {
        assertEquals(i + 1, overs.get(i));
      }
      for (final SimRequest request : requests) {
        checkTimes(request);
      }
      for (final SimWorker worker : simulation.workers()) {
        checkPool(worker);
      }
      return result;
    }
  }

  private static void checkTimes(final SimRequest request) {
    assertTrue(request.isOver());
    assertTrue(request.arrivalNs >= request.earliestNs);
    if (!request.refused) {
      assertTrue(request.arrivalNs <= request.routedNs);
      assertTrue(request.routedNs <= request.admittedNs);
      assertTrue(request.admittedNs < request.firstTokenNs);
      assertTrue(request.firstTokenNs <= request.endNs);
      assertEquals(request.outputLength(), request.decoded);
      assertTrue(request.hitTokens <= request.inputLength());
    }
  }

  private static void checkPool(final SimWorker worker) {
    final RadixCache cache = worker.manager().cache();
    assertEquals(0, cache.protectedTokens());
    assertEquals(cache.totalTokens(), cache.availableTokens() + cache.evictableTokens());
    assertEquals(0, worker.manager().unbalancedUnlocks());
    assertEquals(0, worker.outbox().pending());
    assertEquals(0, worker.requests());
    assertFalse(worker.isWorking());
  }

  private static long millis(final long nanos) {
    assertEquals(0, nanos % MILLI);
    return nanos / MILLI;
  }

  // ------ one worker, by hand

  @Test
  void shouldPrefillAndThenDecodeATokenPerStep() {
    final SimulationResult result = run(PolicyKind.KV, row(0, 100, 3, 0));
    assertEquals(100, millis(result.timeToFirstToken().max()));
    assertEquals(100 + 2 * 11, millis(result.endToEnd().max()));
    assertEquals(3, result.answeredTokens());
    assertEquals(2, result.sum(WorkerResult::decodedTokens));
    assertEquals(3, result.sum(WorkerResult::steps));
    assertEquals(122, millis(result.durationNs()));
  }

  @Test
  void shouldEndWithThePrefillWhenTheAnswerHasAtMostOneToken() {
    assertEquals(100, millis(run(PolicyKind.KV, row(0, 100, 1, 0)).endToEnd().max()));
    assertEquals(100, millis(run(PolicyKind.KV, row(0, 100, 0, 0)).endToEnd().max()));
  }

  @Test
  void shouldComputeOnlyWhatIsNotCached() {
    final String rows = row(0, 102, 1, 0) + row(1_000, 102, 1, 0) + row(2_000, 104, 1, 0);
    final SimulationResult result = run(PolicyKind.KV, rows);
    assertEquals(0, requests.get(0).hitTokens);
    assertEquals(100, requests.get(1).hitTokens, "whole pages of 4");
    assertEquals(2, millis(requests.get(1).firstTokenNs - requests.get(1).arrivalNs));
    assertEquals(4, millis(requests.get(2).firstTokenNs - requests.get(2).arrivalNs));
    assertEquals(200, result.sum(WorkerResult::hitTokens));
    assertEquals(308, result.sum(WorkerResult::inputTokens));
    assertEquals(200, result.trace().bestPossibleTokens());
  }

  @Test
  void shouldComputeTheLastTokenWhenAllOfAPromptIsCached() {
    run(PolicyKind.KV, row(0, 100, 1, 0) + row(1_000, 100, 1, 0));
    assertEquals(100, requests.get(1).hitTokens);
    assertEquals(1, millis(requests.get(1).firstTokenNs - requests.get(1).arrivalNs));
  }

  @Test
  void shouldFindAnAnswerInTheCacheWhenTheSameRequestIsNotWhatFollows() {
    run(PolicyKind.KV, row(0, 8, 40, 0) + row(1_000, 100, 1, 0));
    assertEquals(8, requests.get(1).hitTokens, "decoded tokens are new to every other prompt");
  }

  @Test
  void shouldPrefillInChunksWhileOthersDecode() {
    cluster.chunk = 40;
    run(PolicyKind.KV, row(0, 40, 4, 0) + row(40, 100, 1, 1_000));
    // The second prompt takes three steps of 40, 40 and 20 tokens, each with a decoded token.
    assertEquals(40, millis(requests.get(0).firstTokenNs));
    assertEquals(40 + 51 + 51 + 31, millis(requests.get(0).endNs));
    assertEquals(40 + 51 + 51 + 31, millis(requests.get(1).firstTokenNs));
  }

  @Test
  void shouldComputeRequestsOfOneInstantInOneStep() {
    run(PolicyKind.KV, row(0, 40, 1, 0) + row(0, 60, 1, 1_000));
    assertEquals(100, millis(requests.get(0).firstTokenNs));
    assertEquals(100, millis(requests.get(1).firstTokenNs));
  }

  @Test
  void shouldComputeOneAfterTheOtherWhenTheBatchIsOne() {
    cluster.maxBatch = 1;
    run(PolicyKind.KV, row(0, 40, 2, 0) + row(0, 60, 1, 1_000));
    assertEquals(40 + 11, millis(requests.get(0).endNs));
    assertEquals(40 + 11, millis(requests.get(1).admittedNs));
    assertEquals(40 + 11 + 60, millis(requests.get(1).endNs));
  }

  @Test
  void shouldDivideArrivalsBySpeedAndBeginAtTheFirst() {
    cluster.speed = "2.5";
    run(PolicyKind.KV, row(7_000, 4, 1, 0) + row(8_000, 4, 1, 0));
    assertEquals(0, requests.get(0).arrivalNs);
    assertEquals(400, millis(requests.get(1).arrivalNs));
  }

  @Test
  void shouldSortRowsThatComeInAnyOrder() {
    run(PolicyKind.KV, row(2_000, 4, 1, 0) + row(500, 8, 1, 0));
    assertEquals(8, requests.get(0).inputLength());
    assertEquals(1_500, millis(requests.get(1).arrivalNs));
  }

  // ------ no room

  @Test
  void shouldRetractTheYoungestWhenPagesRunOutAndFinishIt() {
    cluster.pool = 80;
    final SimulationResult result = run(PolicyKind.KV, row(0, 16, 40, 0) + row(0, 16, 40, 1_000));
    assertEquals(0, requests.get(0).retractions);
    assertTrue(requests.get(1).retractions > 0);
    assertEquals(requests.get(1).retractions, result.sum(WorkerResult::retractions));
    assertTrue(result.sum(WorkerResult::recomputedTokens) > 0);
    assertEquals(32, result.sum(WorkerResult::inputTokens), "the second attempt is not counted");
    assertTrue(requests.get(0).endNs < requests.get(1).endNs);
  }

  @Test
  void shouldLetARequestWaitWhenTheOthersNeedTheRoom() {
    cluster.pool = 80;
    run(PolicyKind.KV, row(0, 60, 4, 0) + row(10, 40, 1, 1_000));
    assertEquals(requests.get(0).endNs, requests.get(1).admittedNs);
  }

  @Test
  void shouldRefuseWhatFitsIntoNoPoolAndWhatIsEmpty() {
    cluster.pool = 80;
    final String rows = row(0, 81, 1, 0) + row(0, 0, 1, 0) + row(0, 60, 22, 0) + row(0, 60, 21, 0);
    final SimulationResult result = run(PolicyKind.KV, rows);
    assertEquals(3, result.refused());
    assertEquals(1, result.endToEnd().count());
    assertFalse(requests.get(3).refused);
    assertEquals(60, result.sum(WorkerResult::inputTokens));
  }

  // ------ sessions

  @Test
  void shouldLetATurnWaitForTheTurnBeforeAndItsDelay() {
    final String rows =
        "{\"session_id\":\"a\",\"timestamp\":0,"
            + row(0, 100, 1, 0).replace("{\"timestamp\":0,", "")
            + "{\"session_id\":\"b\",\"timestamp\":50,"
            + row(0, 4, 1, 9_000).replace("{\"timestamp\":0,", "")
            + "{\"session_id\":\"a\",\"delay\":250,"
            + row(0, 200, 1, 0).replace("{\"timestamp\":0,", "")
            + "{\"session_id\":\"a\",\"timestamp\":5000,"
            + row(0, 204, 1, 0).replace("{\"timestamp\":0,", "");
    run(PolicyKind.KV, rows);
    final List<Long> arrivals = new ArrayList<>();
    for (final int tokens : new int[] {100, 200, 204}) {
      for (final SimRequest request : requests) {
        if (request.inputLength() == tokens) {
          arrivals.add(request.arrivalNs / MILLI);
        }
      }
    }
    assertEquals(List.of(0L, 350L, 5_000L), arrivals);
  }

  // ------ routing

  private static String repeated(final int count, final long gapMillis, final long idStep) {
    final StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      rows.append(row(i * gapMillis, 400, 1, i * idStep));
    }
    return rows.toString();
  }

  private static long workersUsed(final SimulationResult result) {
    return result.workers().stream().filter(worker -> worker.requests() > 0).count();
  }

  @Test
  void shouldSendTheSamePromptToTheSameWorkerOnceItsEventsAreThere() {
    cluster.workers = 4;
    final SimulationResult result = run(PolicyKind.KV, repeated(40, 1_000, 0));
    assertEquals(1, workersUsed(result));
    assertEquals(39 * 400, result.sum(WorkerResult::hitTokens));
    assertEquals(100, result.indexBlocks());
    assertEquals(0, result.indexRefusals());
  }

  @Test
  void shouldNotKnowWhatIsCachedBeforeItsEventsAreThere() {
    cluster.workers = 4;
    cluster.eventDelayMillis = 3_600_000;
    final SimulationResult result = run(PolicyKind.KV, repeated(40, 1_000, 0));
    assertTrue(workersUsed(result) > 1);
    assertEquals(100, result.indexBlocks(), "late events are applied at the end");
  }

  @Test
  void shouldRememberItsOwnDecisionsWhenPolicyIsApproximate() {
    cluster.workers = 4;
    cluster.eventDelayMillis = 3_600_000;
    final SimulationResult result = run(PolicyKind.APPROXIMATE, repeated(40, 1_000, 0));
    assertEquals(1, workersUsed(result));
    assertEquals(39 * 400, result.sum(WorkerResult::hitTokens));
  }

  @Test
  void shouldForgetItsDecisionsAfterTheirTimeWhenPolicyIsApproximate() {
    cluster.workers = 4;
    final SimulationResult result = run(PolicyKind.APPROXIMATE, repeated(40, 121_000, 0));
    assertTrue(workersUsed(result) > 1);
  }

  @Test
  void shouldUseOtherWorkersWhenTheOneWithThePrefixIsBusy() {
    cluster.workers = 4;
    // All prompts begin with the same 200 tokens; each has 200 of its own.
    final StringBuilder rows = new StringBuilder(row(0, 200, 1, 0));
    for (int i = 1; i <= 40; i++) {
      final StringBuilder ids = new StringBuilder();
      for (int id = 0; id < 100; id++) {
        ids.append(id == 0 ? "" : ",").append(id < 50 ? id : i * 1_000 + id);
      }
      rows.append("{\"timestamp\":").append(1_000 + i).append(",\"input_length\":400,");
      rows.append("\"output_length\":1,\"hash_ids\":[").append(ids).append("]}\n");
    }
    final SimulationResult result = run(PolicyKind.KV, rows.toString());
    assertEquals(4, workersUsed(result));
    assertTrue(result.max(WorkerResult::requests) < 20, "a herd at one worker");
  }

  @Test
  void shouldGoRoundWhenPolicyIsRoundRobin() {
    cluster.workers = 3;
    run(PolicyKind.ROUND_ROBIN, repeated(7, 10, 1_000));
    for (int i = 0; i < 7; i++) {
      assertEquals(i % 3, requests.get(i).worker);
    }
  }

  @Test
  void shouldChooseTheFewestRequestsWhenPolicyIsLeastLoaded() {
    cluster.workers = 4;
    run(PolicyKind.LEAST_LOADED, repeated(8, 1, 1_000));
    final int[] counts = new int[4];
    for (int i = 0; i < 8; i++) {
      counts[requests.get(i).worker]++;
      if (i == 3) {
        assertEquals(List.of(1, 1, 1, 1), List.of(counts[0], counts[1], counts[2], counts[3]));
      }
    }
    assertEquals(List.of(2, 2, 2, 2), List.of(counts[0], counts[1], counts[2], counts[3]));
  }

  @Test
  void shouldSpreadTiesAndFollowTheSeed() {
    cluster.workers = 4;
    for (final PolicyKind kind :
        new PolicyKind[] {PolicyKind.KV, PolicyKind.RANDOM, PolicyKind.LEAST_LOADED}) {
      cluster.seed = 1;
      run(kind, repeated(200, 1_000, 1_000));
      final List<Integer> first = requests.stream().map(request -> request.worker).toList();
      for (int worker = 0; worker < 4; worker++) {
        final int id = worker;
        final long count = first.stream().filter(chosen -> chosen == id).count();
        assertTrue(count > 25 && count < 75, kind + " seed=1 worker=" + id + " count=" + count);
      }
      run(kind, repeated(200, 1_000, 1_000));
      assertEquals(first, requests.stream().map(request -> request.worker).toList());
      cluster.seed = 2;
      run(kind, repeated(200, 1_000, 1_000));
      assertNotEquals(first, requests.stream().map(request -> request.worker).toList());
    }
  }

  // ------ the router's queue

  @Test
  void shouldKeepRequestsInTheRouterWhileAllWorkersAreBusy() {
    cluster.chunk = 400;
    cluster.queueThreshold = 1;
    final SimulationResult result = run(PolicyKind.ROUND_ROBIN, repeated(10, 0, 1_000));
    assertEquals(8, result.parked(), "two chunks are more than one; before, one is not");
    assertEquals(8, result.mostParked());
    assertEquals(4_000, millis(result.durationNs()));
    for (int i = 1; i < 10; i++) {
      assertTrue(requests.get(i - 1).routedNs <= requests.get(i).routedNs, "first come first");
    }
    cluster.queueThreshold = Double.NaN;
    assertEquals(0, run(PolicyKind.ROUND_ROBIN, repeated(10, 0, 1_000)).parked());
  }

  @Test
  void shouldRefuseWhatTheClassesOfTheQueueDoNotLetIn() {
    cluster.chunk = 400;
    cluster.queueClasses =
        QueuePolicy.of(QueueClass.builder("only").busyThreshold(400).requestLimit(3).build());
    final SimulationResult result = run(PolicyKind.ROUND_ROBIN, repeated(10, 0, 1_000));
    assertEquals(3, result.parked());
    assertEquals(5, result.refused(), "two went on at once");
  }

  // ------ everything at once

  @ParameterizedTest
  @EnumSource(PolicyKind.class)
  void shouldKeepItsInvariantsWhenEverythingIsScarce(final PolicyKind kind) {
    cluster.workers = 3;
    cluster.pool = 640;
    cluster.chunk = 50;
    cluster.maxBatch = 6;
    cluster.eventDelayMillis = 20;
    cluster.queueThreshold = 3;
    final java.util.Random random = new java.util.Random(7);
    final StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      rows.append(
          row(
              i * 100L + random.nextInt(2_000),
              random.nextInt(300),
              random.nextInt(120),
              random.nextInt(12) * 50L));
    }
    final SimulationResult first = run(kind, rows.toString());
    assertTrue(first.sum(WorkerResult::retractions) > 0, "seed=7");
    assertTrue(first.parked() > 0, "seed=7");
    assertTrue(first.sum(WorkerResult::evictions) > 0, "seed=7");
    assertEquals(0, first.indexRefusals(), "seed=7");
    final List<Long> ends = requests.stream().map(request -> request.endNs).toList();
    run(kind, rows.toString());
    assertEquals(ends, requests.stream().map(request -> request.endNs).toList());
  }
}
