package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.load.ReplicaOutcome;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RouterResponse;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueuePolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that have to wait at a router, and how that ends. */
final class KvRouterQueueTest {
  private final List<RouteRequest> answered = new ArrayList<>();
  private RouterRig rig = new RouterRig(queueing());

  /** One class that is busy beyond 40 tokens of prefill, and takes two requests. */
  private static QueueClass.Builder busyClass() {
    return QueueClass.builder(QueuePolicy.DEFAULT_CLASS).busyThreshold(40).requestLimit(2);
  }

  private KvRouterBuilder queueing() {
    return RouterRig.small()
        .queuePolicy(QueuePolicy.of(busyClass().build()))
        .listener(answered::add);
  }

  private void remake(final KvRouterBuilder builder) {
    rig.close();
    rig = new RouterRig(builder);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private RouteRequest submit(final long key, final RouteOutcome expected) {
    final RouteRequest request = RouterRig.request(key, RouterRig.prompt((int) key, 2, 3));
    assertEquals(expected, rig.router.route(request));
    return request;
  }

  @Test
  void shouldLetRequestsGoOnWhenAPrefillIsDone() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    final RouteRequest second = submit(2, RouteOutcome.PARKED);
    assertEquals(1, rig.router.pendingCount());
    assertEquals(48, rig.router.pendingIslTokens());
    assertTrue(answered.isEmpty());
    assertTrue(rig.router.markPrefill(1));
    assertEquals(List.of(second), answered);
    assertEquals(RouteOutcome.ROUTED, second.outcome());
    assertEquals(1, second.decision().workerId());
    assertEquals(0, rig.router.pendingCount());
    assertEquals(1, rig.router.counters().parked());
    assertEquals(2, rig.router.counters().routed());
  }

  @Test
  void shouldLetRequestsGoOnWhenARequestIsFreedOrAWorkerComes() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    submit(2, RouteOutcome.PARKED);
    submit(3, RouteOutcome.PARKED);
    rig.router.free(1);
    assertEquals(1, answered.size());
    rig.worker(2);
    assertEquals(2, answered.size());
    assertEquals(2, answered.get(1).decision().workerId());
  }

  @Test
  void shouldAnswerWhatIsTooMuchForItsClass() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    submit(2, RouteOutcome.PARKED);
    submit(3, RouteOutcome.PARKED);
    final RouteRequest fourth = submit(4, RouteOutcome.REJECTED);
    assertEquals(QueueLimitKind.REQUESTS, fourth.rejection().limitKind());
    assertEquals(2, fourth.rejection().current());
    assertEquals(2, fourth.rejection().limit());
    assertEquals(1, rig.router.counters().rejected());
    assertEquals(2, rig.router.pendingCount());
  }

  @Test
  void shouldTakeARequestBackAtOnceAndOnlyOnce() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    final RouteRequest second = submit(2, RouteOutcome.PARKED);
    assertThrows(IllegalStateException.class, () -> rig.router.route(second));
    assertThrows(IllegalStateException.class, second::reset);
    assertTrue(rig.router.cancel(second));
    assertFalse(rig.router.cancel(second));
    assertEquals(RouteOutcome.UNROUTED, second.outcome());
    assertEquals(0, rig.router.pendingCount());
    assertEquals(0, rig.router.pendingIslTokens());
    rig.router.free(1);
    assertTrue(answered.isEmpty());
    assertEquals(1, rig.router.counters().cancelled());
    assertEquals(RouteOutcome.ROUTED, rig.router.route(second));
  }

  @Test
  void shouldRejectRatherThanLetWaitAQuestionThatTravelsAsJson() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    final RouterResponse response =
        rig.router.handle(new RouterRequest.New(UnsignedInts.of(RouterRig.prompt(1, 2))), "two");
    final RouterResponse.QueueRejected rejected =
        assertInstanceOf(RouterResponse.QueueRejected.class, response);
    assertEquals(0, rejected.rejection().limit());
    assertEquals(0, rig.router.pendingCount());
    assertNull(rig.router.activeSequences().find("two"));
  }

  @Test
  void shouldTakeTheBookingBackWhenTheListenerFails() {
    remake(
        queueing()
            .listener(
                request -> {
                  throw new IllegalStateException("the caller is gone");
                }));
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    submit(2, RouteOutcome.PARKED);
    assertTrue(rig.router.free(1));
    assertEquals(0, rig.router.activeSequences().requestCount());
    assertEquals(1, rig.router.counters().listenerFailures());
    assertEquals(1, rig.router.counters().routed());
  }

  @Test
  void shouldRefuseToBeCalledByItsListenerAndStayWhole() {
    final KvRouter[] called = new KvRouter[1];
    final List<String> refusals = new ArrayList<>();
    remake(
        queueing()
            .listener(
                request -> {
                  for (final Runnable call :
                      List.<Runnable>of(
                          () -> called[0].route(RouterRig.request(9, RouterRig.prompt(9))),
                          () -> called[0].free(1),
                          () -> called[0].cancel(request),
                          () -> called[0].close())) {
                    refusals.add(assertThrows(IllegalStateException.class, call::run).getMessage());
                  }
                }));
    called[0] = rig.router;
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    final RouteRequest second = submit(2, RouteOutcome.PARKED);
    assertTrue(rig.router.free(1));
    assertEquals(Collections.nCopies(4, "router called by its listener"), refusals);
    assertEquals(RouteOutcome.ROUTED, second.outcome());
    assertTrue(rig.router.free(2));
  }

  @Test
  void shouldFailWhatWaitsForAWorkerThatLeaves() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    final RouteRequest second = submit(2, RouteOutcome.PARKED);
    rig.router.remove(1);
    assertEquals(List.of(second), answered);
    assertEquals(KvSchedulerError.NO_ENDPOINTS, second.error());
  }

  @Test
  void shouldAnswerWhatWaitsWhenItIsClosed() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    final RouteRequest second = submit(2, RouteOutcome.PARKED);
    rig.router.close();
    assertEquals(List.of(second), answered);
    assertEquals(KvSchedulerError.SUBSCRIBER_SHUTDOWN, second.error());
  }

  @Test
  void shouldLetRequestsGoOnEverySoOftenWhateverHappens() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    submit(2, RouteOutcome.PARKED);
    rig.router.activeSequences().free(1, rig.nowNs);
    rig.router.poll();
    assertTrue(answered.isEmpty());
    rig.nowNs += 60 * RouterRig.SECOND_NS;
    assertTrue(rig.router.poll() > 0);
    assertEquals(1, answered.size());
  }

  @Test
  void shouldLookAgainWhoHasWhatAfterALongWait() {
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    final RouteRequest second = submit(2, RouteOutcome.PARKED);
    final WorkerFeed feed = rig.worker(2);
    assertEquals(1, answered.size());
    final RouteRequest third = submit(3, RouteOutcome.PARKED);
    assertEquals(0, second.decision().cachedTokens());
    rig.store(feed, RouterRig.prompt(3, 2));
    rig.nowNs += 11 * RouterRig.SECOND_NS;
    rig.router.poll();
    rig.router.free(2);
    assertEquals(RouteOutcome.ROUTED, third.outcome());
    assertEquals(32, third.decision().cachedTokens());
  }

  @Test
  void shouldLetPrefillLoadGoWithTimeByAModel() {
    remake(
        queueing()
            .config(
                KvRouterConfig.builder().routerPrefillLoadModel(RouterPrefillLoadModel.AIC).build())
            .prefillLoadModel((effective, prefix) -> effective * RouterRig.SECOND_NS / 48));
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    submit(2, RouteOutcome.PARKED);
    rig.nowNs += RouterRig.SECOND_NS / 20;
    assertEquals(0, rig.router.poll());
    rig.nowNs += RouterRig.SECOND_NS / 2;
    assertEquals(1, rig.router.poll());
    assertEquals(1, answered.size());
  }

  // ------ replicas

  @Test
  void shouldCountTheRequestsOfOtherRoutersUntilTheyEnd() {
    rig.worker(1);
    assertEquals(ReplicaOutcome.ADDED, rig.router.apply(added("x", 9), 0));
    submit(1, RouteOutcome.ROUTED);
    final RouteRequest second = submit(2, RouteOutcome.PARKED);
    rig.router.free(1);
    assertEquals(RouteOutcome.ROUTED, second.outcome());
    assertEquals(1, rig.router.removeReplica(9));
    assertEquals(1, rig.router.activeSequences().requestCount());
    assertEquals(ReplicaOutcome.DEPARTED, rig.router.apply(added("y", 9), 0));
  }

  @Test
  void shouldHaveRoomForItsWorkersWhateverOtherRoutersSpeakOf() {
    remake(RouterRig.small().rankCapacity(3));
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    assertEquals(ReplicaOutcome.ADDED, rig.router.apply(added("x", 9, 77), 0));
    assertEquals(ReplicaOutcome.ADDED, rig.router.apply(added("y", 9, 78), 0));
    assertEquals(ReplicaOutcome.REFUSED, rig.router.apply(added("z", 9, 79), 0));
    rig.worker(2);
    assertEquals(2, rig.router.activeSequences().rankCount());
    assertEquals(1, rig.router.activeSequences().requestCount());
    rig.router.apply(added("x", 9, 77), 0);
    rig.router.update(2, TestWorker.ranks(0, 2));
    assertEquals(3, rig.router.activeSequences().rankCount());
    assertTrue(rig.router.free(1));
  }

  private static ActiveSequenceEvent added(final String id, final long routerId) {
    return added(id, routerId, 1);
  }

  private static ActiveSequenceEvent added(
      final String id, final long routerId, final long workerId) {
    return new ActiveSequenceEvent(
        id,
        new WorkerWithDpRank(workerId, 0),
        new ActiveSequenceEventData.AddRequest(null, true, OptionalInt.empty(), null),
        routerId,
        null);
  }

  @Test
  void shouldTellOtherRoutersOfItsRequestsIfTheConfigurationSaysSo() {
    final List<ActiveSequenceEvent> told = new ArrayList<>();
    remake(queueing().replicaListener(told::add).routerId(3));
    rig.worker(1);
    submit(1, RouteOutcome.ROUTED);
    assertTrue(told.isEmpty());
    remake(
        queueing()
            .replicaListener(told::add)
            .routerId(3)
            .config(KvRouterConfig.builder().routerReplicaSync(true).build()));
    rig.worker(1);
    final RouteRequest request =
        new RouteRequest().request("r").prompt(RouterRig.prompt(1, 2), 0, 32);
    rig.router.route(request);
    rig.router.markPrefill("r");
    rig.router.free("r");
    assertEquals(3, told.size());
    assertInstanceOf(ActiveSequenceEventData.AddRequest.class, told.get(0).data());
    assertInstanceOf(ActiveSequenceEventData.MarkPrefillCompleted.class, told.get(1).data());
    assertInstanceOf(ActiveSequenceEventData.Free.class, told.get(2).data());
    assertEquals(3, told.get(0).routerId());
  }
}
