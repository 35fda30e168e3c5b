package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A router under everything at once. The seconds of the long run are the system property {@code
 * kvroute.soak.seconds}.
 */
final class KvRouterSoakTest {
  private static final long SECOND_NS = 1_000_000_000L;

  static Stream<KvRouterConfig> configs() {
    return Stream.of(
        KvRouterConfig.builder()
            .routerTrackOutputBlocks(true)
            .routerReplicaSync(true)
            .routerPrefillLoadModel(RouterPrefillLoadModel.AIC)
            .build(),
        KvRouterConfig.builder().useKvEvents(false).routerTemperature(0.4).build(),
        KvRouterConfig.builder()
            .routerPredictedTtlSecs(2.0)
            .overlapScoreCreditDecay(0.5)
            .routerAssumeKvReuse(false)
            .build());
  }

  private static void soak(final KvRouterConfig config, final long seconds) throws Exception {
    try (RouterSoak soak = new RouterSoak(config, 20261201)) {
      soak.run(seconds * SECOND_NS);
      final RouterCounters counters = soak.counters();
      assertTrue(counters.routed() > 100, "few were routed");
      assertTrue(counters.parked() > 10, "few had to wait");
      assertTrue(counters.rejected() > 10, "few were rejected");
      assertTrue(counters.cancelled() > 0, "none was taken back");
      assertTrue(counters.failed(KvSchedulerError.BOOKING_FAILED) > 0, "all bookings succeeded");
      assertTrue(counters.failed(KvSchedulerError.NO_ENDPOINTS) > 0, "all had somewhere to go");
      assertTrue(counters.listenerFailures() > 0, "no listener failed");
    }
  }

  @ParameterizedTest
  @MethodSource("configs")
  void shouldHoldForAMoment(final KvRouterConfig config) throws Exception {
    soak(config, 2);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("configs")
  void shouldHoldForAMinute(final KvRouterConfig config) throws Exception {
    soak(config, Integer.getInteger("kvroute.soak.seconds", 60));
  }
}
