package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueuePolicy;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A whole decision costs no garbage, from the prompt to the end of the request. */
final class KvRouterAllocationTest {
  private static final int WARM_UPS = 3000;

  static Stream<KvRouterConfig> configs() {
    return Stream.of(
        KvRouterConfig.DEFAULT,
        KvRouterConfig.builder().routerTemperature(0.5).overlapScoreCreditDecay(0.3).build(),
        KvRouterConfig.builder().useKvEvents(false).build(),
        KvRouterConfig.builder().routerPredictedTtlSecs(2.0).build(),
        KvRouterConfig.builder().routerTrackOutputBlocks(true).build(),
        KvRouterConfig.builder().routerAssumeKvReuse(false).build());
  }

  @ParameterizedTest
  @MethodSource("configs")
  void shouldRouteMarkFreeAndPollWithoutGarbage(final KvRouterConfig config) {
    try (RouterRig rig = new RouterRig(config)) {
      final WorkerFeed[] feeds = new WorkerFeed[8];
      for (int i = 0; i < feeds.length; i++) {
        feeds[i] = rig.worker(i);
        rig.store(feeds[i], RouterRig.prompt(1, 2, i));
      }
      final int[] tokens = RouterRig.prompt(1, 2, 3, 4, 5, 6, 7, 8);
      final RouteRequest request = new RouteRequest();
      assertEquals(
          0,
          AllocationMeter.bytes(
              WARM_UPS,
              () -> {
                rig.nowNs += 1_000_000;
                request.reset().request(77).prompt(tokens, 0, tokens.length);
                assertEquals(RouteOutcome.ROUTED, rig.router.route(request));
                assertTrue(rig.router.markPrefill(77));
                rig.router.addOutputBlock(77, 1);
                assertTrue(rig.router.free(77));
                rig.router.poll();
              }));
    }
  }

  @Test
  void shouldParkCancelAndDrainWithoutGarbage() {
    final QueuePolicy policy =
        QueuePolicy.of(QueueClass.builder(QueuePolicy.DEFAULT_CLASS).busyThreshold(10).build());
    try (RouterRig rig = new RouterRig(RouterRig.small().queuePolicy(policy))) {
      rig.worker(1);
      final int[] tokens = RouterRig.prompt(1, 2, 3);
      final RouteRequest[] requests = {new RouteRequest(), new RouteRequest(), new RouteRequest()};
      assertEquals(
          0,
          AllocationMeter.bytes(
              WARM_UPS,
              () -> {
                for (int i = 0; i < requests.length; i++) {
                  requests[i].reset().request(i).prompt(tokens, 0, tokens.length);
                  rig.router.route(requests[i]);
                }
                assertTrue(rig.router.cancel(requests[1]));
                assertTrue(rig.router.free(0));
                assertTrue(rig.router.free(2));
              }));
    }
  }

  @Test
  void shouldTakeEventsWithoutGarbage() {
    try (RouterRig rig = new RouterRig()) {
      final WorkerFeed feed = rig.worker(1);
      final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
      final int length = KvEventEncoder.stored(buffer, 0, 1, 0, StorageTier.DEVICE, 1, false, 0, 1);
      assertEquals(
          0,
          AllocationMeter.bytes(
              WARM_UPS,
              () -> {
                assertEquals(FeedAnswer.ACCEPTED, feed.offer(buffer, 0, length));
                assertEquals(1, rig.router.poll());
              }));
    }
  }
}
