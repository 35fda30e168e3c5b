package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.protocol.SharedCacheHits;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selecting costs no garbage. */
final class SelectionAllocationTest {
  private static final int WARM_UPS = 2000;

  private static SelectionBench bench(final int workers) {
    final SelectionBench bench = new SelectionBench(16).prompt(8192);
    for (int i = 0; i < workers; i++) {
      bench.worker(i, TestWorker.one().tainted("zone-" + i % 3));
      bench.load(i, 64L * i, i);
      if (i % 2 == 0) {
        bench.device(i, i % 512);
      }
    }
    return bench;
  }

  private static void assertFree(final SelectionBench bench, final KvRouterConfig config) {
    final WorkerSelector selector = bench.selector(config);
    assertEquals(
        0,
        AllocationMeter.bytes(
            WARM_UPS,
            () ->
                assertTrue(
                    selector.select(bench.request, bench.overlaps, bench.loads, bench.selection))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 64, 512})
  void shouldAllocateNothingAtTemperatureZero(final int workers) {
    assertFree(bench(workers), KvRouterConfig.DEFAULT);
  }

  @Test
  void shouldAllocateNothingWithEveryTerm() {
    final SelectionBench bench = bench(64).prefer(Map.of("zone-1", 0.5f, "zone-2", -0.5f));
    bench.request.sharedHits(SharedCacheHits.fromHits(true, true, false, true));
    bench.request.override(
        RouterConfigOverride.builder().trackPrefillTokens(true).assumeKvReuse(true).build());
    bench.request.allowOnly(1, 2, 3, 40, 41);
    assertFree(
        bench,
        KvRouterConfig.builder()
            .overlapScoreCreditDecay(0.5)
            .sharedCacheMultiplier(0.5)
            .routerTemperature(0.7)
            .build());
  }
}
