package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.load.LoadProjections;
import io.kvroute.protocol.BlockRange;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.SharedCacheHits;
import io.kvroute.protocol.WorkerSelectionResult;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may serve a request, and what it costs. */
final class WorkerSelectorTest {
  private static final double EXACT = 0.0;

  private static KvRouterConfig.Builder config() {
    return KvRouterConfig.builder();
  }

  private static void overloadAbove(final SelectionBench bench, final long tokens) {
    bench
        .registry
        .overload()
        .thresholds(
            new OverloadThresholds(
                OptionalDouble.empty(), OptionalLong.of(tokens), OptionalDouble.empty()));
  }

  // ------ cost

  @Test
  void shouldSelectAsInTheWorkedExample() {
    final SelectionBench bench =
        new SelectionBench(16).workers(1, 2).load(1, 0, 20).load(2, 0, 13).device(1, 6).prompt(160);
    assertArrayEquals(new double[] {24.0, 23.0}, bench.costs(), EXACT);
    assertEquals(2, bench.selected());
    assertEquals(
        new WorkerSelectionResult(new WorkerWithDpRank(2, 0), 10, 0.0, 0),
        bench.selection.result());
    assertEquals(6.0, bench.selection.bestOverlapBlocks());
  }

  @Test
  void shouldTakeAMissingLoadForNone() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2).load(1, 320, 20).prompt(170);
    assertArrayEquals(new double[] {(320 + 170) / 16.0 + 20, 170 / 16.0}, bench.costs(), EXACT);
  }

  @Test
  void shouldWeighWhatIsCachedBeyondThePromptAndCapItInTheResult() {
    final SelectionBench bench = new SelectionBench(4).workers(1).load(1, 40, 0).device(1, 5);
    bench.prompt(16);
    assertArrayEquals(new double[] {(40 + 20) / 4.0 - 5}, bench.costs(), EXACT);
    assertEquals(1, bench.selected());
    assertEquals(16, bench.selection.cachedTokens());
    assertEquals(0, bench.selection.effectivePrefillTokens(16));
    assertEquals(5.0, bench.selection.effectiveOverlapBlocks());
  }

  @Test
  void shouldLeavePrefillOutWhereItIsNotTracked() {
    final SelectionBench bench =
        new SelectionBench(16).workers(1).load(1, 1600, 7).device(1, 2).prompt(160);
    final KvRouterConfig untracked = config().routerTrackPrefillTokens(false).build();
    assertArrayEquals(new double[] {7.0}, bench.costs(untracked), EXACT);
    bench.request.override(RouterConfigOverride.builder().trackPrefillTokens(false).build());
    assertArrayEquals(new double[] {7.0}, bench.costs(), EXACT);
  }

  @Test
  void shouldLetTheCreditDecayWithPrefillAboveTheLeast() {
    final SelectionBench bench =
        new SelectionBench(16).workers(1, 2).load(1, 0, 0).load(2, 160, 0).device(2, 6).prompt(160);
    final KvRouterConfig decaying = config().overlapScoreCreditDecay(1.0).build();
    // Ten blocks above the least, of a prompt of ten: half of the credit is left.
    assertArrayEquals(new double[] {10.0, 20.0 - 3.0}, bench.costs(decaying), EXACT);
    bench.request.pin(2, 0);
    assertArrayEquals(new double[] {20.0 - 6.0}, bench.costs(decaying), EXACT);
  }

  @Test
  void shouldMeasureDecayByEligibleRanksOnly() {
    final SelectionBench bench =
        new SelectionBench(16)
            .workers(1, 2, 3)
            .load(1, 0, 0)
            .load(2, 160, 0)
            .load(3, 320, 0)
            .device(3, 6)
            .prompt(160);
    final KvRouterConfig decaying = config().overlapScoreCreditDecay(1.0).build();
    bench.request.allowOnly(3, 2);
    assertArrayEquals(new double[] {20.0, 30.0 - 3.0}, bench.costs(decaying), EXACT);
  }

  @Test
  void shouldCreditTiersByTheirWeights() {
    final SelectionBench bench = new SelectionBench(16).workers(1).prompt(1600);
    bench.overlaps.addWeighted(1, 0, 10, 8, 4, KvRouterConfig.DEFAULT, 16);
    assertArrayEquals(new double[] {100 - 10 - 6 - 1}, bench.costs(), EXACT);
    assertEquals(17.0, bench.overlaps.effectiveBlocks(0));
    assertEquals(272, bench.overlaps.cachedTokens(0));
  }

  @Test
  void shouldCreditSharedBlocksBehindThoseOnTheDevice() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2).device(1, 4).prompt(160);
    bench.request.sharedHits(SharedCacheHits.fromRanges(List.of(new BlockRange(0, 10))));
    final KvRouterConfig half = config().sharedCacheMultiplier(0.5).build();
    assertArrayEquals(new double[] {10 - 4 - 3, 10 - 5}, bench.costs(half), EXACT);
    assertArrayEquals(new double[] {6, 10}, bench.costs(), EXACT);
    bench.request.override(RouterConfigOverride.builder().sharedCacheMultiplier(1).build());
    assertArrayEquals(new double[] {0, 0}, bench.costs(half), EXACT);
  }

  @Test
  void shouldTakeTheSumForTheDeviceOnlyWhereNoTierIsKnown() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2).prompt(160);
    bench.overlaps.addUntiered(1, 0, 4.25, 68);
    assertArrayEquals(new double[] {5.75, 10}, bench.costs(), EXACT);
    bench.overlaps.add(2, 0, 0, 0, 0, 0, 0);
    assertArrayEquals(new double[] {10, 10}, bench.costs(), EXACT);
  }

  @Test
  void shouldChargeActiveRequestsIfTheyHaveAWeight() {
    final SelectionBench bench = new SelectionBench(16).workers(1).prompt(16);
    bench.loads.add(1, 0, 0, 5, 2, 3);
    assertArrayEquals(new double[] {1 + 7}, bench.costs(), EXACT);
    assertArrayEquals(
        new double[] {1 + 7 + 1.5},
        bench.costs(config().decodeActiveRequestWeight(0.5).build()),
        EXACT);
  }

  @Test
  void shouldScaleThePrefill() {
    final SelectionBench bench =
        new SelectionBench(16).workers(1).load(1, 0, 2).device(1, 4).prompt(160);
    assertArrayEquals(
        new double[] {0.5 * 6 + 2}, bench.costs(config().prefillLoadScale(0.5).build()), EXACT);
    bench.request.override(RouterConfigOverride.builder().overlapScoreWeight(0).build());
    assertArrayEquals(new double[] {2.0}, bench.costs(), EXACT);
    bench.request.override(RouterConfigOverride.builder().overlapScoreCredit(0).build());
    assertArrayEquals(new double[] {12.0}, bench.costs(), EXACT);
  }

  @Test
  void shouldMultiplyByPreferredTaintsUnlessPinned() {
    final SelectionBench bench =
        new SelectionBench(16)
            .worker(1, TestWorker.one().tainted("a", "b"))
            .worker(2, TestWorker.one().tainted("b"))
            .workers(3)
            .prompt(160)
            .prefer(Map.of("a", 1.0f, "b", -1.0f));
    final double repelled = StrictMath.exp(-StrictMath.tanh(-1.0));
    assertArrayEquals(new double[] {10, 10 * repelled, 10}, bench.costs(), EXACT);
    bench.request.pin(2, 0);
    assertArrayEquals(new double[] {10}, bench.costs(), EXACT);
    final CandidateCost pinned =
        bench.selector().explain(bench.request, bench.overlaps, bench.loads).candidates().get(0);
    assertTrue(pinned.taintMultiplier().isEmpty());
  }

  @Test
  void shouldExplainEveryTerm() {
    final SelectionBench bench = new SelectionBench(16).workers(1).prompt(160);
    bench.overlaps.addWeighted(1, 0, 4, 2, 4, KvRouterConfig.DEFAULT, 16);
    bench.loads.add(1, 0, 32, 5, 2, 3);
    bench.request.sharedHits(SharedCacheHits.fromHits(true, true, true, true, true, true));
    final KvRouterConfig config =
        config().sharedCacheMultiplier(0.25).decodeActiveRequestWeight(2).build();
    final CandidateCost terms =
        bench
            .selector(config)
            .explain(bench.request, bench.overlaps, bench.loads)
            .candidates()
            .get(0);
    assertEquals(new WorkerWithDpRank(1, 0), terms.worker());
    assertEquals(12.0, terms.rawPrefillBlocks());
    assertEquals(1.0, terms.decay());
    assertEquals(4.0, terms.deviceCredit());
    assertEquals(1.5, terms.hostCredit());
    assertEquals(1.0, terms.diskCredit());
    assertEquals(0.5, terms.sharedCredit());
    assertEquals(5.0, terms.prefillTerm());
    assertEquals(7.0, terms.decodeTerm());
    assertEquals(6.0, terms.requestTerm());
    assertEquals(18.0, terms.logit());
    assertEquals(18.0, terms.score());
    assertEquals(104, terms.cachedTokens());
  }

  // ------ who may

  @Test
  void shouldRefuseAnEmptyPromptAndKeepRunning() {
    final SelectionBench bench = new SelectionBench(16).workers(1).prompt(0);
    assertEquals(KvSchedulerError.INVALID_REQUEST, bench.error());
    assertEquals(1, bench.prompt(1).selected());
    assertEquals(1, bench.selection.requiredBlocks());
  }

  @Test
  void shouldTellThatThereIsNobody() {
    assertEquals(KvSchedulerError.NO_ENDPOINTS, new SelectionBench(16).prompt(1).error());
  }

  @Test
  void shouldSelectOnlyAllowedWorkers() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2, -1).prompt(16);
    bench.request.allowOnly(-1);
    assertEquals(-1, bench.selected());
    bench.request.allowOnly(9, 2);
    assertEquals(2, bench.selected());
    bench.request.allowOnly();
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
    bench.request.allowOnly(9);
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
  }

  @Test
  void shouldSelectOnlyWorkersWithAllRequiredTaints() {
    final SelectionBench bench =
        new SelectionBench(16)
            .worker(1, TestWorker.one().tainted("a"))
            .worker(2, TestWorker.one().tainted("a", "b"))
            .prompt(16)
            .require("a", "b");
    assertEquals(2, bench.selected());
    bench.require("a", "c");
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
  }

  @Test
  void shouldTakeTopologyForTaints() {
    final SelectionBench bench =
        new SelectionBench(16)
            .worker(1, TestWorker.one().zone("a", null, 0))
            .worker(2, TestWorker.one().zone("b", null, 0))
            .prompt(16)
            .require("dynamo.topology/zone=b");
    assertEquals(2, bench.selected());
  }

  @Test
  void shouldTellOverloadApartFromNobody() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2).prompt(16);
    overloadAbove(bench, 0);
    bench.registry.overload().observe(1, 0, 0, 1);
    assertEquals(2, bench.selected());
    bench.registry.overload().observe(2, 0, 0, 1);
    assertEquals(KvSchedulerError.ALL_ELIGIBLE_WORKERS_OVERLOADED, bench.error());
    assertTrue(bench.selection.error().isOverload());
    bench.require("x");
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
  }

  @Test
  void shouldTellAllOverloadedEvenIfOthersThatAreNotAllowedAreFree() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2).prompt(16);
    overloadAbove(bench, 0);
    bench.registry.overload().observe(1, 0, 0, 1);
    bench.request.allowOnly(1);
    assertEquals(KvSchedulerError.ALL_ELIGIBLE_WORKERS_OVERLOADED, bench.error());
  }

  @Test
  void shouldCheckAPinnedRankInOrder() {
    final SelectionBench bench =
        new SelectionBench(16).worker(1, TestWorker.ranks(4, 2).tainted("a")).workers(2).prompt(16);
    overloadAbove(bench, 0);
    bench.request.pin(1, 5);
    assertEquals(1, bench.selected());
    assertEquals(5, bench.selection.dpRank());
    bench.request.allowOnly(2);
    assertEquals(KvSchedulerError.PINNED_WORKER_NOT_ALLOWED, bench.error());
    assertEquals(1, bench.selection.workerId());
    bench.request.allowOnly(1).pin(1, 3);
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
    bench.request.pin(1, 6);
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
    bench.registry.overload().observe(1, 4, 0, 1);
    bench.request.pin(1, 4);
    assertEquals(KvSchedulerError.PINNED_WORKER_OVERLOADED, bench.error());
    final KvSchedulerException told =
        assertThrows(KvSchedulerException.class, bench.selection::result);
    assertEquals("pinned worker 1 is overloaded", told.getMessage());
    assertEquals(1, told.workerId());
    bench.require("b");
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
    bench.request.clear().promptTokens(16).pin(9, 0);
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.error());
  }

  @Test
  void shouldFindLoadAndOverlapOfEveryRankWhoeverElseIsListed() {
    final SelectionBench bench =
        new SelectionBench(16)
            .worker(-1, TestWorker.ranks(0, 2))
            .worker(5, TestWorker.ranks(2, 2))
            .prompt(160);
    bench.loads.add(4, 0, 0, 99, 0, 0);
    bench.loads.add(5, 1, 0, 99, 0, 0);
    bench.loads.add(5, 3, 0, 30, 0, 0);
    bench.loads.add(-1, 1, 0, 11, 0, 0);
    bench.loads.add(-1, 7, 0, 99, 0, 0);
    bench.overlaps.addWeighted(5, 2, 2, 0, 0, KvRouterConfig.DEFAULT, 16);
    bench.overlaps.addWeighted(6, 0, 9, 0, 0, KvRouterConfig.DEFAULT, 16);
    bench.overlaps.addWeighted(-1, 1, 5, 0, 0, KvRouterConfig.DEFAULT, 16);
    assertArrayEquals(new double[] {8, 40, 10, 16}, bench.costs(), EXACT);
    assertEquals(5.0, selectAndTellBest(bench));
  }

  private static double selectAndTellBest(final SelectionBench bench) {
    bench.selected();
    return bench.selection.bestOverlapBlocks();
  }

  // ------ what an embedder may bring

  @Test
  void shouldUseTheCostAndThePickerOfAnEmbedder() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2, 3).device(2, 3).prompt(160);
    final WorkerSelector most =
        new WorkerSelector(
            bench.registry,
            KvRouterConfig.DEFAULT,
            RandomSource.seeded(1),
            candidate -> -candidate.workerId(),
            new SoftmaxPicker());
    assertTrue(most.select(bench.request, bench.overlaps, bench.loads, bench.selection));
    assertEquals(3, bench.selection.workerId());
    assertEquals(-3.0, bench.selection.cost());
    final WorkerSelector last =
        new WorkerSelector(
            bench.registry,
            KvRouterConfig.DEFAULT,
            RandomSource.seeded(1),
            WorkerSelector.kvCost(),
            (costs, count, temperature, random) -> count - 1);
    assertTrue(last.select(bench.request, bench.overlaps, bench.loads, bench.selection));
    assertEquals(3, bench.selection.workerId());
    final WorkerSelector nobody =
        new WorkerSelector(
            bench.registry,
            KvRouterConfig.DEFAULT,
            RandomSource.seeded(1),
            candidate -> Double.NaN,
            new SoftmaxPicker());
    assertFalse(nobody.select(bench.request, bench.overlaps, bench.loads, bench.selection));
    assertEquals(KvSchedulerError.NO_ENDPOINTS, bench.selection.error());
  }

  @Test
  void shouldReportOverlapsOfAllRanks() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2).prompt(170);
    bench.overlaps.addWeighted(2, 0, 4, 2, 4, KvRouterConfig.DEFAULT, 16);
    bench.overlaps.addWeighted(9, 1, 1, 0, 0, KvRouterConfig.DEFAULT, 16);
    bench.request.sharedHits(SharedCacheHits.fromHits(true, true, true, true, true));
    final OverlapReport report =
        OverlapReport.of(
            bench.registry,
            config().sharedCacheMultiplier(0.5).build(),
            bench.request,
            bench.overlaps);
    assertEquals(10, report.numBlocks());
    assertEquals(
        List.of(
            new OverlapReport.Row(1, 0, 0, 0, 0, 0, 0, 5, 2.5),
            new OverlapReport.Row(2, 0, 4, 6, 10, 2, 4, 1, 7.0),
            new OverlapReport.Row(9, 1, 1, 1, 1, 0, 0, 4, 3.0)),
        report.workers());
  }

  @Test
  void shouldRefuseOverlapsOutOfOrder() {
    final OverlapSignals overlaps = new OverlapSignals();
    overlaps.addUntiered(Long.MIN_VALUE, 1, 1, 1);
    assertThrows(IllegalArgumentException.class, () -> overlaps.addUntiered(1, 0, 1, 1));
    assertThrows(
        IllegalArgumentException.class, () -> overlaps.addUntiered(Long.MIN_VALUE, 1, 1, 1));
    overlaps.addUntiered(Long.MIN_VALUE, -1, 1, 1);
    assertEquals(1, overlaps.indexOf(Long.MIN_VALUE, -1));
    assertEquals(-1, overlaps.indexOf(1, 1));
  }

  @Test
  void shouldGiveAllToNoneWhereWeightsAreNotNumbers() {
    final SelectionBench bench =
        new SelectionBench(16).worker(1, TestWorker.one().tainted("a")).workers(2).prompt(16);
    bench.request.constraints(new RoutingConstraints(Set.of(), Map.of("a", Float.NaN)));
    assertEquals(2, bench.selected());
  }

  @Test
  void shouldKeepNoLoadsBetweenSelections() {
    final SelectionBench bench = new SelectionBench(16).workers(1, 2).load(1, 16, 0).prompt(16);
    assertEquals(2, bench.selected());
    final WorkerSelector selector = bench.selector();
    final LoadProjections other = new LoadProjections();
    other.add(2, 0, 16, 0, 0, 0);
    assertTrue(selector.select(bench.request, bench.overlaps, other, bench.selection));
    assertEquals(1, bench.selection.workerId());
  }
}
