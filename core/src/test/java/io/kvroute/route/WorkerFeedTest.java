package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.ActiveLoad;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reaches a router through its feeds, and what does not. */
final class WorkerFeedTest {
  private static final ActiveLoad BUSY =
      new ActiveLoad(1, 0, OptionalLong.empty(), OptionalLong.of(1000), OptionalLong.empty());

  private RouterRig rig = new RouterRig();

  private RouterCounters counters() {
    return rig.router.counters();
  }

  private void remake(final KvRouterConfig config) {
    rig.close();
    rig = new RouterRig(config);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private long cachedTokens(final int... tokens) {
    final RouteRequest query = new RouteRequest().queryOnly(true).prompt(tokens, 0, tokens.length);
    assertEquals(RouteOutcome.ROUTED, rig.router.route(query));
    return query.decision().cachedTokens();
  }

  @Test
  void shouldApplyEventsWhenARequestIsRouted() {
    final WorkerFeed feed = rig.worker(1);
    assertEquals(FeedAnswer.ACCEPTED, rig.store(feed, RouterRig.prompt(1, 2)));
    assertEquals(0, rig.router.index().blockCount());
    assertEquals(32, cachedTokens(RouterRig.prompt(1, 2, 3)));
    assertEquals(1, counters().appliedEvents());
  }

  @Test
  void shouldApplyAtMostItsShareOfEventsBeforeARequestAndTheRestWhenPolled() {
    final WorkerFeed feed = rig.worker(1);
    final ActiveLoad idle =
        new ActiveLoad(1, 0, OptionalLong.of(0), OptionalLong.empty(), OptionalLong.empty());
    final int few = KvRouter.EVENTS_PER_REQUEST - 1;
    for (int i = 0; i < few; i++) {
      assertEquals(FeedAnswer.ACCEPTED, feed.offer(idle));
    }
    feed.offer(idle);
    rig.store(feed, RouterRig.prompt(1));
    assertEquals(0, cachedTokens(RouterRig.prompt(1)));
    assertEquals(1, rig.router.poll());
    assertEquals(16, cachedTokens(RouterRig.prompt(1)));
  }

  @Test
  void shouldTakeEventsOfASimulatedWorkerWithoutACopy() {
    final WorkerFeed feed = rig.worker(1);
    final int[] prompt = RouterRig.prompt(1, 2, 3);
    try (SglangKvManager worker =
        SglangKvManager.builder(1024, RouterRig.BLOCK).workerId(1).sink(feed).build()) {
      final ActiveKvLease lease = new ActiveKvLease();
      worker.allocate(TokenView.of(prompt), lease);
      worker.finish(TokenView.of(prompt), lease);
      assertEquals(48, cachedTokens(prompt));
    }
    assertEquals(0, cachedTokens(prompt));
    assertEquals(2, counters().appliedEvents());
  }

  @Test
  void shouldAnswerAndCountWhenTheRingIsFullAndTakeMoreOnceItIsDrained() {
    final WorkerFeed feed = rig.worker(1);
    int accepted = 0;
    while (rig.store(feed, RouterRig.prompt(accepted)) == FeedAnswer.ACCEPTED) {
      accepted++;
    }
    assertTrue(accepted > 64, () -> "the ring takes few events");
    assertEquals(FeedAnswer.RING_FULL, rig.store(feed, RouterRig.prompt(1)));
    while (feed.offer(BUSY) == FeedAnswer.ACCEPTED) {
      accepted++;
    }
    assertEquals(3, counters().fullRing());
    int drained = 0;
    for (int count = rig.router.poll(); count > 0; count = rig.router.poll()) {
      drained += count;
    }
    assertEquals(accepted, drained);
    assertEquals(accepted, counters().appliedEvents());
    assertEquals(FeedAnswer.ACCEPTED, rig.store(feed, RouterRig.prompt(1)));
  }

  @Test
  void shouldAnswerAndCountWhatIsTooLargeForTheRing() {
    final WorkerFeed feed = rig.worker(1);
    final int[] tooLong = new int[RouterRig.BLOCK * 200];
    assertEquals(FeedAnswer.OVERSIZED, rig.store(feed, tooLong));
    assertTrue(feed.claim(1 << 13) < 0);
    assertTrue(feed.claim(Integer.MAX_VALUE) < 0);
    assertEquals(3, counters().oversizedEvents());
    assertEquals(0, rig.router.poll());
  }

  @Test
  void shouldRefuseWhatIsNotInsideItsBuffer() {
    final WorkerFeed feed = rig.worker(1);
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    assertThrows(IndexOutOfBoundsException.class, () -> feed.offer(buffer, 32, 48));
    assertThrows(IndexOutOfBoundsException.class, () -> feed.offer(buffer, -8, 48));
    assertEquals(0, rig.router.poll());
  }

  @Test
  void shouldIgnoreAndCountEventsOfARegistrationThatHasEnded() {
    final WorkerFeed before = rig.worker(1);
    rig.store(before, RouterRig.prompt(1));
    rig.router.remove(1);
    final WorkerFeed after = rig.worker(1);
    rig.store(before, RouterRig.prompt(2));
    before.offer(BUSY);
    rig.store(after, RouterRig.prompt(3));
    rig.router.poll();
    assertEquals(1, rig.router.index().blockCount());
    assertEquals(3, counters().lateEvents());
    assertEquals(1, counters().appliedEvents());
    assertTrue(before.generation() != after.generation());
  }

  @Test
  void shouldIgnoreAndCountEventsInTheNameOfAnotherWorkerOrOfARankThatIsNotThere() {
    final WorkerFeed feed = rig.worker(1);
    rig.worker(2);
    rig.store(feed, 2, 0, StorageTier.DEVICE, RouterRig.prompt(1));
    rig.store(feed, 1, 1, StorageTier.DEVICE, RouterRig.prompt(1));
    rig.router.poll();
    assertEquals(0, rig.router.index().blockCount());
    assertEquals(1, counters().lateEvents());
    assertEquals(1, counters().unknownRankEvents());
  }

  @Test
  void shouldCountBytesThatAreNoEventAndEventsThatTheIndexRefuses() {
    final WorkerFeed feed = rig.worker(1);
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    feed.offer(buffer, 0, 0);
    feed.offer(buffer, 0, 48);
    final int length = KvEventEncoder.stored(buffer, 0, 1, 0, StorageTier.DEVICE, 0, true, 99, 1);
    feed.offer(buffer, 0, length);
    rig.router.poll();
    assertEquals(2, counters().malformedEvents());
    assertEquals(1, counters().refusedEvents());
    assertEquals(0, counters().appliedEvents());
  }

  @Test
  void shouldJudgeOverloadByWhatWorkersReport() {
    rig.close();
    rig =
        new RouterRig(
            RouterRig.small()
                .overloadThresholds(
                    new OverloadThresholds(
                        OptionalDouble.empty(), OptionalLong.of(500), OptionalDouble.empty())));
    final WorkerFeed feed = rig.worker(1);
    assertEquals(FeedAnswer.ACCEPTED, feed.offer(BUSY));
    final RouteRequest request = RouterRig.request(1, RouterRig.prompt(1));
    assertEquals(RouteOutcome.FAILED, rig.router.route(request));
    assertEquals(KvSchedulerError.ALL_ELIGIBLE_WORKERS_OVERLOADED, request.error());
  }

  // ------ what the configuration makes of events

  @Test
  void shouldIgnoreEventsWithoutCreditForOverlap() {
    remake(KvRouterConfig.builder().overlapScoreCredit(0.0).build());
    final WorkerFeed feed = rig.worker(1);
    rig.store(feed, RouterRig.prompt(1));
    assertEquals(0, cachedTokens(RouterRig.prompt(1)));
    assertNull(rig.router.index());
    assertEquals(1, counters().ignoredEvents());
  }

  @Test
  void shouldRememberItsOwnDecisionsWhereThereAreNoEvents() {
    remake(KvRouterConfig.builder().useKvEvents(false).routerTtlSecs(10).build());
    rig.worker(1);
    rig.router.route(RouterRig.request(1, RouterRig.prompt(1, 2)));
    assertEquals(32, cachedTokens(RouterRig.prompt(1, 2, 3)));
    rig.nowNs += 11 * RouterRig.SECOND_NS;
    rig.router.poll();
    assertEquals(0, cachedTokens(RouterRig.prompt(1, 2, 3)));
  }

  @Test
  void shouldForgetDecisionsForAWorkerThatWasRemoved() {
    remake(KvRouterConfig.builder().useKvEvents(false).build());
    rig.worker(1);
    rig.router.route(RouterRig.request(1, RouterRig.prompt(1, 2)));
    rig.router.remove(1);
    rig.worker(1);
    assertEquals(0, cachedTokens(RouterRig.prompt(1, 2)));
  }

  @Test
  void shouldTakeTheMoreOfEventsAndPredictions() {
    remake(KvRouterConfig.builder().routerPredictedTtlSecs(5.0).build());
    final WorkerFeed feed = rig.worker(1);
    rig.store(feed, RouterRig.prompt(1));
    rig.router.route(RouterRig.request(1, RouterRig.prompt(1, 2)));
    assertEquals(32, cachedTokens(RouterRig.prompt(1, 2)));
    assertEquals(1, rig.router.index().blockCount());
    rig.nowNs += 6 * RouterRig.SECOND_NS;
    assertEquals(16, cachedTokens(RouterRig.prompt(1, 2)));
  }

  // ------ many threads

  @Test
  @Timeout(60)
  void shouldLoseNothingOfManyThreads() throws Exception {
    final int threads = 4;
    final int events = 2000;
    final Thread[] producers = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      final WorkerFeed feed = rig.worker(t);
      producers[t] =
          new Thread(
              () -> {
                final ActiveLoad load =
                    new ActiveLoad(
                        feed.workerId(),
                        0,
                        OptionalLong.of(1),
                        OptionalLong.empty(),
                        OptionalLong.empty());
                for (int i = 0; i < events; i++) {
                  while (feed.offer(load) != FeedAnswer.ACCEPTED) {
                    Thread.onSpinWait();
                  }
                }
              });
      producers[t].start();
    }
    long drained = 0;
    while (drained < (long) threads * events) {
      drained += rig.router.poll();
    }
    for (final Thread producer : producers) {
      producer.join();
    }
    assertEquals((long) threads * events, counters().appliedEvents());
    assertEquals(0, rig.router.poll());
  }
}
