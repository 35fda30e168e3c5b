package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.PotentialLoad;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RouterResponse;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a router answers. */
final class KvRouterTest {
  private RouterRig rig = new RouterRig();

  private void remake(final KvRouterBuilder builder) {
    rig.close();
    rig = new RouterRig(builder);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private RouterResponse.PotentialLoads potential(final int... tokens) {
    return assertInstanceOf(
        RouterResponse.PotentialLoads.class,
        rig.router.handle(new RouterRequest.PotentialLoads(UnsignedInts.of(tokens), null, null)));
  }

  // ------ routing

  @Test
  void shouldSendAPromptToWhoHasItsBeginning() {
    rig.worker(1);
    final WorkerFeed feed = rig.worker(2);
    rig.worker(3);
    rig.store(feed, RouterRig.prompt(1, 2, 3));
    final RouteRequest request = RouterRig.request(10, RouterRig.prompt(1, 2, 9, 9));
    assertEquals(RouteOutcome.ROUTED, rig.router.route(request));
    assertEquals(2, request.decision().workerId());
    assertEquals(2.0, request.decision().effectiveOverlapBlocks());
    assertEquals(32, request.decision().cachedTokens());
    assertEquals(4, request.decision().requiredBlocks());
    assertEquals(4, request.blocks());
    assertEquals(new WorkerWithDpRank(2, 0), rig.router.activeSequences().find(10));
  }

  @Test
  void shouldSpreadWhatNobodyHasOverTheWorkers() {
    rig.worker(1);
    rig.worker(2);
    final long first = routed(1, RouterRig.prompt(1, 2));
    final long second = routed(2, RouterRig.prompt(3, 4));
    assertEquals(3, first + second);
  }

  private long routed(final long key, final int... tokens) {
    final RouteRequest request = RouterRig.request(key, tokens);
    assertEquals(RouteOutcome.ROUTED, rig.router.route(request));
    return request.decision().workerId();
  }

  @Test
  void shouldBookNothingForAQuery() {
    rig.worker(1);
    final RouteRequest query = new RouteRequest().queryOnly(true);
    final int[] tokens = RouterRig.prompt(1, 2);
    assertEquals(RouteOutcome.ROUTED, rig.router.route(query.prompt(tokens, 0, tokens.length)));
    assertEquals(1, query.decision().workerId());
    assertEquals(0, rig.router.activeSequences().requestCount());
    assertEquals(1, rig.router.counters().queries());
    assertEquals(0, rig.router.counters().routed());
  }

  @Test
  void shouldRefuseToBookWhatHasNoName() {
    rig.worker(1);
    final int[] tokens = RouterRig.prompt(1);
    final RouteRequest request = new RouteRequest().prompt(tokens, 0, tokens.length);
    final IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> rig.router.route(request));
    assertTrue(refused.getMessage().endsWith("promptTokens=16"), refused.getMessage());
    assertEquals(RouteOutcome.UNROUTED, request.outcome());
    assertEquals(0, rig.router.activeSequences().requestCount());
  }

  @Test
  void shouldFailWithoutWorkersWithAPromptOrWithout() {
    final RouteRequest request = RouterRig.request(1, RouterRig.prompt(1));
    assertEquals(RouteOutcome.FAILED, rig.router.route(request));
    assertEquals(KvSchedulerError.NO_ENDPOINTS, request.error());
    rig.worker(1);
    final RouteRequest empty = RouterRig.request(2);
    assertEquals(RouteOutcome.FAILED, rig.router.route(empty));
    assertEquals(KvSchedulerError.INVALID_REQUEST, empty.error());
    assertEquals(1, rig.router.counters().failed(KvSchedulerError.NO_ENDPOINTS));
    assertEquals(1, rig.router.counters().failed(KvSchedulerError.INVALID_REQUEST));
    assertEquals(2, rig.router.counters().failed());
  }

  @Test
  void shouldSendAPinnedRequestWhereItIsPinned() {
    final WorkerFeed feed = rig.worker(1);
    rig.router.register(2, TestWorker.ranks(4, 2), RouterRig.BLOCK);
    rig.store(feed, RouterRig.prompt(1, 2));
    final RouteRequest request = RouterRig.request(1, RouterRig.prompt(1, 2));
    request.wishes().pin(2, 5);
    assertEquals(RouteOutcome.ROUTED, rig.router.route(request));
    assertEquals(2, request.decision().workerId());
    assertEquals(5, request.decision().dpRank());
    request.reset().request(2).prompt(RouterRig.prompt(1), 0, 16).wishes().pin(2, 6);
    assertEquals(RouteOutcome.FAILED, rig.router.route(request));
    assertEquals(KvSchedulerError.NO_ENDPOINTS, request.error());
    request.reset().request(2).prompt(RouterRig.prompt(1), 0, 16).wishes().pin(2, 5).allowOnly(1);
    assertEquals(RouteOutcome.FAILED, rig.router.route(request));
    assertEquals(KvSchedulerError.PINNED_WORKER_NOT_ALLOWED, request.error());
    assertTrue(request.failure().getMessage().contains("pinned worker 2"));
  }

  @Test
  void shouldFailTheSecondBookingOfAnActiveRequestAndKeepTheFirst() {
    rig.worker(1);
    routed(7, RouterRig.prompt(1));
    final RouteRequest twin = RouterRig.request(7, RouterRig.prompt(2));
    assertEquals(RouteOutcome.FAILED, rig.router.route(twin));
    assertEquals(KvSchedulerError.BOOKING_FAILED, twin.error());
    assertTrue(twin.failure().getMessage().contains("DUPLICATE_REQUEST"));
    assertEquals(1, rig.router.activeSequences().requestCount());
    assertEquals(1, rig.router.activeSequences().blockCount());
  }

  @Test
  void shouldFailABookingThatThereIsNoRoomForAndSayHowMuchThereIs() {
    remake(RouterRig.small().requestCapacity(2));
    rig.worker(1);
    routed(1, RouterRig.prompt(1));
    routed(2, RouterRig.prompt(2));
    final RouteRequest third = RouterRig.request(3, RouterRig.prompt(3));
    assertEquals(RouteOutcome.FAILED, rig.router.route(third));
    assertEquals(KvSchedulerError.BOOKING_FAILED, third.error());
    assertTrue(
        third.failure().getMessage().contains("requests=2 capacity=2"),
        third.failure().getMessage());
    assertTrue(rig.router.free(1));
    assertEquals(RouteOutcome.ROUTED, rig.router.route(third));
    assertNull(third.failure());
  }

  @Test
  void shouldFreeOnceAndCountWhatIsNotActive() {
    rig.worker(1);
    routed(1, RouterRig.prompt(1));
    assertTrue(rig.router.markPrefill(1));
    assertTrue(rig.router.markPrefill(1));
    assertTrue(rig.router.free(1));
    assertFalse(rig.router.free(1));
    assertFalse(rig.router.markPrefill(1));
    assertFalse(rig.router.free("1"));
    assertEquals(3, rig.router.counters().unknownRequests());
  }

  @Test
  void shouldGiveUpARequestThatIsNeverFreed() {
    rig.worker(1);
    routed(1, RouterRig.prompt(1));
    rig.nowNs += 301 * RouterRig.SECOND_NS;
    assertTrue(rig.router.poll() > 0);
    assertEquals(0, rig.router.activeSequences().requestCount());
    assertFalse(rig.router.free(1));
  }

  @Test
  void shouldExplainEveryTermAndBookNothing() {
    final WorkerFeed feed = rig.worker(1);
    rig.worker(2);
    rig.store(feed, RouterRig.prompt(1, 2));
    final RouteRequest request = RouterRig.request(1, RouterRig.prompt(1, 2, 3));
    final Explanation explanation = rig.router.explain(request);
    assertEquals(2, explanation.candidates().size());
    final OverlapReport report = rig.router.overlapReport(request);
    assertEquals(3, report.numBlocks());
    assertEquals(2, report.workers().get(0).deviceBlocks());
    assertEquals(0, report.workers().get(1).deviceBlocks());
    assertEquals(0, rig.router.activeSequences().requestCount());
    assertEquals(RouteOutcome.ROUTED, rig.router.route(request));
  }

  @Test
  void shouldTellHowMuchOverlapWasReachedBesideTheBest() {
    final WorkerFeed feed = rig.worker(1);
    rig.worker(2);
    rig.store(feed, RouterRig.prompt(1, 2));
    final RouteRequest elsewhere = RouterRig.request(1, RouterRig.prompt(1, 2, 3));
    elsewhere.wishes().pin(2, 0);
    rig.router.route(elsewhere);
    routed(2, RouterRig.prompt(1, 2));
    final RouterCounters counters = rig.router.counters();
    assertEquals(2, counters.routed());
    assertEquals(2.0, counters.overlapBlocks());
    assertEquals(5.0, counters.requestBlocks());
    assertTrue(counters.bestOverlapBlocks() >= 2.0);
  }

  @Test
  void shouldAllowACostAndAPickerOfTheEmbedders() {
    final double[] weights = {0};
    remake(
        RouterRig.small()
            .costFunction(candidate -> -candidate.workerId())
            .picker(
                (costs, count, temperature, random) -> {
                  weights[0] = costs[0];
                  return count - 1;
                }));
    rig.worker(1);
    rig.worker(2);
    rig.worker(3);
    assertEquals(3, routed(1, RouterRig.prompt(1)));
    assertEquals(-1.0, weights[0]);
  }

  @Test
  void shouldHashAdaptersApart() {
    final WorkerFeed feed = rig.worker(1);
    rig.store(feed, RouterRig.prompt(1));
    final RouteRequest adapted = RouterRig.request(1, RouterRig.prompt(1)).loraName("sql");
    rig.router.route(adapted);
    assertEquals(0, adapted.decision().cachedTokens());
    final long[] first = adapted.localHashes().clone();
    adapted.reset().request(2).prompt(RouterRig.prompt(1), 0, 16).loraName("sql");
    rig.router.route(adapted);
    assertArrayEquals(first, adapted.localHashes());
    adapted.reset().request(3).prompt(RouterRig.prompt(1), 0, 16).loraName("");
    rig.router.route(adapted);
    assertEquals(16, adapted.decision().cachedTokens());
  }

  // ------ requests as objects

  @Test
  void shouldAnswerEveryKindOfRequest() {
    final WorkerFeed feed = rig.worker(5);
    rig.store(feed, RouterRig.prompt(1));
    final UnsignedInts tokens = UnsignedInts.of(RouterRig.prompt(1, 2));
    assertEquals(
        new RouterResponse.New(5, 0, 1), rig.router.handle(new RouterRequest.New(tokens), "a"));
    assertEquals(
        new RouterResponse.PrefillMarked(true),
        rig.router.handle(new RouterRequest.MarkPrefill("a")));
    assertEquals(
        new RouterResponse.FreeMarked(true),
        rig.router.handle(new RouterRequest.MarkFree(null), "a"));
    assertEquals(
        new RouterResponse.FreeMarked(false), rig.router.handle(new RouterRequest.MarkFree("a")));
    assertEquals(
        new RouterResponse.PrefillMarked(false),
        rig.router.handle(new RouterRequest.MarkPrefill(null)));
    assertEquals(2, rig.router.counters().unknownRequests());
  }

  @Test
  void shouldNotBookANewPromptThatNobodyCouldFree() {
    rig.worker(5);
    final UnsignedInts tokens = UnsignedInts.of(RouterRig.prompt(1, 2));
    assertEquals(new RouterResponse.New(5, 0, 0), rig.router.handle(new RouterRequest.New(tokens)));
    assertEquals(0, rig.router.activeSequences().requestCount());
  }

  @Test
  void shouldThrowWhenANewPromptCanGoNowhere() {
    final KvSchedulerException none =
        assertThrows(
            KvSchedulerException.class,
            () -> rig.router.handle(new RouterRequest.New(UnsignedInts.of(1, 2)), "a"));
    assertEquals(KvSchedulerError.NO_ENDPOINTS, none.error());
    rig.worker(1);
    assertEquals(
        KvSchedulerError.INVALID_REQUEST,
        assertThrows(
                KvSchedulerException.class, () -> rig.router.handle(new RouterRequest.New(), "a"))
            .error());
  }

  @Test
  void shouldTellPotentialLoadsOfEveryRank() {
    final WorkerFeed feed = rig.worker(1);
    rig.worker(2);
    rig.store(feed, RouterRig.prompt(1, 2));
    final RouteRequest running = RouterRig.request(1, RouterRig.prompt(1, 2, 3));
    running.wishes().pin(1, 0);
    rig.router.route(running);
    assertEquals(
        List.of(new PotentialLoad(1, 0, 32, 4, 1), new PotentialLoad(2, 0, 48, 3, 0)),
        potential(RouterRig.prompt(1, 2, 4)).loads());
    assertEquals(
        List.of(new PotentialLoad(1, 0, 16, 3, 1), new PotentialLoad(2, 0, 0, 0, 0)),
        potential().loads());
  }

  @Test
  void shouldCountOutputBlocksIfTheyAreTracked() {
    rig.worker(1);
    routed(1, RouterRig.prompt(1, 2));
    assertFalse(rig.router.addOutputBlock(1, 1));
    assertEquals(2, potential().loads().get(0).potentialDecodeBlocks());
    remake(
        RouterRig.small().config(KvRouterConfig.builder().routerTrackOutputBlocks(true).build()));
    rig.worker(1);
    routed(1, RouterRig.prompt(1, 2));
    assertTrue(rig.router.addOutputBlock(1, 1));
    assertFalse(rig.router.addOutputBlock(2, 1));
    assertEquals(3, potential().loads().get(0).potentialDecodeBlocks());
    final RouteRequest foretold =
        RouterRig.request(3, RouterRig.prompt(5, 6, 7)).expectedOutputTokens(32);
    rig.router.route(foretold);
    assertTrue(rig.router.addOutputBlock(3, 16));
    assertEquals(5, potential().loads().get(0).potentialDecodeBlocks());
    assertEquals(1, rig.router.counters().unknownRequests());
  }

  // ------ workers

  @Test
  void shouldForgetARemovedWorkerWithItsBlocksAndRequests() {
    final WorkerFeed feed = rig.worker(1);
    rig.store(feed, RouterRig.prompt(1, 2));
    routed(1, RouterRig.prompt(1, 2));
    assertEquals(2, rig.router.index().blockCount());
    assertTrue(rig.router.remove(1));
    assertFalse(rig.router.remove(1));
    assertEquals(0, rig.router.index().blockCount());
    assertEquals(0, rig.router.activeSequences().requestCount());
    assertFalse(rig.router.free(1));
    final RouteRequest next = RouterRig.request(2, RouterRig.prompt(1, 2));
    assertEquals(RouteOutcome.FAILED, rig.router.route(next));
  }

  @Test
  void shouldForgetTheRanksThatAnUpdateTakesAway() {
    final WorkerFeed feed = rig.router.register(1, TestWorker.ranks(0, 2), RouterRig.BLOCK);
    rig.store(feed, 1, 0, StorageTier.DEVICE, RouterRig.prompt(1));
    rig.store(feed, 1, 1, StorageTier.DEVICE, RouterRig.prompt(2));
    final RouteRequest request = RouterRig.request(1, RouterRig.prompt(2));
    rig.router.route(request);
    assertEquals(1, request.decision().dpRank());
    rig.router.update(1, TestWorker.one());
    assertEquals(0, rig.router.activeSequences().requestCount());
    rig.store(feed, RouterRig.prompt(3));
    rig.router.poll();
    assertEquals(2, rig.router.index().blockCount());
    assertEquals(0, rig.router.counters().lateEvents());
  }

  @Test
  void shouldStayAsItWasWhenAWorkerDoesNotFit() {
    rig.router.register(1, TestWorker.ranks(0, 10), RouterRig.BLOCK);
    assertThrows(
        WorkerRegistrationException.class,
        () -> rig.router.register(2, TestWorker.ranks(0, 7), RouterRig.BLOCK));
    assertThrows(
        WorkerRegistrationException.class, () -> rig.router.register(3, TestWorker.one(), 64));
    assertThrows(
        WorkerRegistrationException.class,
        () -> rig.router.register(1, TestWorker.one(), RouterRig.BLOCK));
    assertThrows(WorkerRegistrationException.class, () -> rig.router.update(9, TestWorker.one()));
    assertThrows(
        WorkerRegistrationException.class, () -> rig.router.update(1, TestWorker.ranks(0, 17)));
    assertEquals(1, rig.router.registry().workerCount());
    assertEquals(10, rig.router.registry().rankCount());
    assertEquals(10, rig.router.activeSequences().rankCount());
    rig.router.register(2, WorkerConfig.ofRanks(3, 6), RouterRig.BLOCK);
    assertEquals(16, rig.router.activeSequences().rankCount());
  }

  @Test
  void shouldLeaveOverloadedWorkersAlone() {
    remake(
        RouterRig.small()
            .overloadThresholds(
                new OverloadThresholds(
                    OptionalDouble.empty(), OptionalLong.of(64), OptionalDouble.empty())));
    rig.worker(1);
    final RouteRequest large = RouterRig.request(1, RouterRig.prompt(1, 2, 3, 4, 5, 6));
    assertEquals(RouteOutcome.ROUTED, rig.router.route(large));
    final RouteRequest next = RouterRig.request(2, RouterRig.prompt(9));
    assertEquals(RouteOutcome.FAILED, rig.router.route(next));
    assertEquals(KvSchedulerError.ALL_ELIGIBLE_WORKERS_OVERLOADED, next.error());
    rig.router.markPrefill(1);
    assertEquals(RouteOutcome.ROUTED, rig.router.route(next));
  }

  // ------ the end

  @Test
  void shouldRefuseEverythingAfterClose() {
    final WorkerFeed feed = rig.worker(1);
    rig.router.close();
    rig.router.close();
    assertEquals(FeedAnswer.CLOSED, rig.store(feed, RouterRig.prompt(1)));
    assertThrows(IllegalStateException.class, () -> rig.router.poll());
    assertThrows(IllegalStateException.class, () -> rig.router.free(1));
    assertThrows(
        IllegalStateException.class,
        () -> rig.router.route(RouterRig.request(1, RouterRig.prompt(1))));
    assertThrows(
        IllegalStateException.class, () -> rig.router.handle(new RouterRequest.MarkFree(null)));
  }

  @Test
  void shouldSayWhatIsWrongWithACapacityAndLeaveNothingBehind() {
    assertThrows(IllegalArgumentException.class, () -> KvRouter.builder(0).build());
    final KvRouterBuilder builder = RouterRig.small();
    assertThrows(CapacityExceededException.class, () -> builder.rankCapacity(0));
    assertTrue(
        assertThrows(CapacityExceededException.class, () -> builder.feedRingBytes(1000).build())
            .getMessage()
            .contains("feedRingBytes=1000"));
    assertThrows(
        CapacityExceededException.class, () -> RouterRig.small().requestCapacity(0).build());
    assertThrows(
        KvRouterConfigException.class,
        () ->
            RouterRig.small()
                .config(
                    KvRouterConfig.builder()
                        .routerPrefillLoadModel(RouterPrefillLoadModel.AIC)
                        .build())
                .build());
  }
}
