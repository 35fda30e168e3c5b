package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What went wrong for others in the selection of workers. */
final class SelectionFieldCasesTest {
  private static final double EXACT = 0.0;
  private static final int SELECTIONS = 3000;

  private static long[] sequence(final long seed, final long... registered) {
    final SelectionBench bench = new SelectionBench(16).workers(registered).prompt(160);
    final WorkerSelector selector =
        new WorkerSelector(bench.registry, KvRouterConfig.DEFAULT, RandomSource.seeded(seed));
    final long[] selected = new long[SELECTIONS];
    for (int i = 0; i < SELECTIONS; i++) {
      assertTrue(selector.select(bench.request, bench.overlaps, bench.loads, bench.selection));
      selected[i] = bench.selection.workerId();
    }
    return selected;
  }

  /** Case 24: ties always go to the first worker. */
  @Test
  void shouldSpreadTiesWhateverTheOrderOfRegistration() {
    final long[] selected = sequence(7, 1, 2, 3);
    final int[] wins = new int[4];
    for (final long worker : selected) {
      wins[(int) worker]++;
    }
    for (int worker = 1; worker <= 3; worker++) {
      assertEquals(1000, wins[worker], 120);
    }
    assertArrayEquals(selected, sequence(7, 3, 2, 1));
    assertArrayEquals(selected, sequence(7, 1, 2, 3));
  }

  /** Case 25: a prompt shorter than a block. */
  @Test
  void shouldSplitShortPromptsEvenlyByTheirTokens() {
    final int[] placed = new int[3];
    for (int i = 0; i < 12; i++) {
      final SelectionBench bench =
          new SelectionBench(16)
              .workers(1, 2)
              .load(1, 9L * placed[1], 0)
              .load(2, 9L * placed[2], 0)
              .prompt(9);
      placed[(int) bench.selected()]++;
    }
    assertArrayEquals(new int[] {0, 6, 6}, placed);
  }

  /** Case 32: a miss sends everything to the smallest tree. */
  @Test
  void shouldSendAMissToTheIdleWorkerWhateverItHasCached() {
    final SelectionBench bench =
        new SelectionBench(16).workers(1, 2).load(1, 4000, 200).load(2, 0, 0).prompt(16);
    assertEquals(2, bench.selected());
  }

  /** Case 33: workers that are not eligible shape the decision. */
  @Test
  void shouldDecideAmongEligibleWorkersOnly() {
    final SelectionBench bench =
        new SelectionBench(16)
            .worker(1, TestWorker.one())
            .worker(2, TestWorker.one().tainted("b"))
            .workers(3)
            .load(1, 80, 0)
            .load(2, 80, 0)
            .load(3, 0, 0)
            .device(2, 4)
            .prompt(160);
    bench.request.allowOnly(1, 2); // 3 is not healthy
    assertEquals(2, bench.selected());
    assertEquals(80.0, minimum(bench), "the least prefill is that of eligible ranks");
    final OverloadMonitor monitor = bench.registry.overload();
    monitor.thresholds(
        new OverloadThresholds(
            OptionalDouble.empty(), OptionalLong.of(100), OptionalDouble.empty()));
    monitor.observe(2, 0, 0, 101);
    assertEquals(1, bench.selected());
    monitor.observe(1, 0, 0, 101);
    assertEquals(KvSchedulerError.ALL_ELIGIBLE_WORKERS_OVERLOADED, bench.error());
    monitor.clear();
    bench.require("b");
    assertEquals(2, bench.selected());
    monitor.observe(2, 0, 0, 101);
    bench.request.pin(2, 0);
    assertEquals(KvSchedulerError.PINNED_WORKER_OVERLOADED, bench.error());
  }

  private static double minimum(final SelectionBench bench) {
    final double[] seen = new double[1];
    new WorkerSelector(
            bench.registry,
            KvRouterConfig.DEFAULT,
            RandomSource.seeded(1),
            candidate -> seen[0] = candidate.minActivePrefillTokens(),
            new SoftmaxPicker())
        .select(bench.request, bench.overlaps, bench.loads, bench.selection);
    return seen[0];
  }

  /** Case 73: overlap beyond the prompt, credit above 1. */
  @Test
  void shouldNeverCostLessThanNothing() {
    final SelectionBench even = new SelectionBench(4).workers(1, 2).device(1, 3).prompt(16);
    assertArrayEquals(new double[] {1.0, 4.0}, even.costs(), EXACT);
    assertEquals(1, even.selected());
    assertArrayEquals(
        new double[] {0.0, 4.0},
        even.costs(KvRouterConfig.builder().overlapScoreCredit(2.0).build()),
        EXACT);
    even.load(1, 0, 3);
    assertArrayEquals(new double[] {4.0, 4.0}, even.costs(), EXACT);
    final SelectionBench busy =
        new SelectionBench(4).workers(1, 2).device(1, 3).load(1, 0, 4).prompt(16);
    assertArrayEquals(new double[] {5.0, 4.0}, busy.costs(), EXACT);
    assertEquals(2, busy.selected());
    final SelectionBench beyond = new SelectionBench(4).workers(1).device(1, 5).prompt(16);
    assertArrayEquals(new double[] {0.0}, beyond.costs(), EXACT);
    beyond.selected();
    assertEquals(16, beyond.selection.cachedTokens());
    final SelectionBench part = new SelectionBench(16).workers(1).device(1, 1).prompt(17);
    assertArrayEquals(new double[] {0.0625}, part.costs(), EXACT);
    part.selected();
    assertEquals(1, part.selection.effectivePrefillTokens(17));
  }
}
