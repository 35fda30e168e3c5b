package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.load.LoadProjections;
import io.kvroute.memory.SeededRun;
import io.kvroute.protocol.BlockRange;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.SharedCacheHits;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.route.WorkerRegistrationException.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registry, overload, eligibility, cost and pick beside a naive selection, at random. */
final class SelectionTwinTest {
  private static final int LONG_OPERATIONS = 100_000;
  private static final long[] IDS = {1, 2, 3, 77, Long.MAX_VALUE, Long.MIN_VALUE, -5, -1};
  private static final String[] TAINTS = {"a", "b", "c", "zone=é"};

  private static final class Twin implements SeededRun.Step {
    private final NaiveSelection naive = new NaiveSelection();
    private final OverlapSignals overlaps = new OverlapSignals();
    private final LoadProjections loads = new LoadProjections();
    private final SelectionRequest request = new SelectionRequest();
    private final Selection selection = new Selection();
    private final RandomSource draws = RandomSource.seeded(3);
    private final WorkerRegistry registry;
    private final WorkerSelector selector;
    private double drawn;

    private Twin(final int blockSize, final KvRouterConfig config) {
      naive.blockSize = blockSize;
      naive.config = config;
      registry = new WorkerRegistry(blockSize);
      selector =
          new WorkerSelector(
              registry,
              config,
              () -> {
                final long bits = draws.nextLong();
                drawn = (bits >>> 11) * 0x1.0p-53;
                return bits;
              });
    }

    @Override
    public void run(final SeededRun run) {
      switch (run.below(10)) {
        case 0 -> register(run);
        case 1 -> remove(run);
        case 2 -> update(run);
        case 3, 4 -> observe(run);
        case 5 -> thresholds(run);
        default -> select(run);
      }
    }

    private static long id(final SeededRun run) {
      return IDS[run.below(IDS.length)];
    }

    private static Set<String> taints(final SeededRun run) {
      final Set<String> taints = new HashSet<>();
      while (run.below(3) > 0) {
        taints.add(TAINTS[run.below(TAINTS.length)]);
      }
      return taints;
    }

    private static TestWorker description(final SeededRun run) {
      final TestWorker worker =
          TestWorker.ranks(run.below(3), 1 + run.below(3))
              .tainted(taints(run).toArray(String[]::new));
      return run.below(2) == 0 ? worker : worker.limits(1 + run.below(200), 1 + run.below(200));
    }

    private static void describe(final NaiveSelection.Worker worker, final TestWorker by) {
      worker.start = by.dataParallelStartRank();
      worker.size = by.dataParallelSize();
      worker.taints = by.taints();
      worker.batch =
          by.maxNumBatchedTokens().isPresent() ? by.maxNumBatchedTokens().getAsLong() : null;
      worker.blocks = by.totalKvBlocks().isPresent() ? by.totalKvBlocks().getAsLong() : null;
      worker.keepOnlyOwnRanks();
    }

    private void register(final SeededRun run) {
      final long id = id(run);
      final TestWorker described = description(run);
      run.note("register", id, described.dataParallelStartRank(), described.dataParallelSize());
      boolean refused = false;
      try {
        registry.register(id, described, (long) naive.blockSize);
      } catch (final WorkerRegistrationException refusal) {
        assertEquals(Reason.DUPLICATE_WORKER, refusal.reason());
        refused = true;
      }
      assertEquals(naive.workers.containsKey(id), refused);
      if (!refused) {
        final NaiveSelection.Worker worker = new NaiveSelection.Worker();
        describe(worker, described);
        naive.workers.put(id, worker);
      }
    }

    private void remove(final SeededRun run) {
      final long id = id(run);
      run.note("remove", id);
      assertEquals(naive.workers.remove(id) != null, registry.remove(id));
    }

    private void update(final SeededRun run) {
      final long id = id(run);
      if (naive.workers.containsKey(id)) {
        final TestWorker described = description(run);
        run.note("update", id, described.dataParallelStartRank(), described.dataParallelSize());
        registry.update(id, described);
        describe(naive.workers.get(id), described);
      }
    }

    private void observe(final SeededRun run) {
      final long id = id(run);
      final int rank = run.below(6);
      final long decode = run.below(250);
      final long prefill = run.below(250);
      final boolean used = run.below(2) == 0;
      run.note(used ? "observe used" : "observe", id, rank, decode, prefill);
      final NaiveSelection.Worker worker = naive.workers.get(id);
      final boolean known = worker != null && worker.has(rank);
      if (used) {
        assertEquals(known, registry.overload().observeUsedBlocks(id, rank, decode));
      } else {
        assertEquals(known, registry.overload().observe(id, rank, decode, prefill));
      }
      if (known && used) {
        worker.used.put(rank, decode);
      } else if (known) {
        worker.decode.put(rank, decode);
        worker.prefill.put(rank, prefill);
      }
    }

    private void thresholds(final SeededRun run) {
      naive.decodeThreshold = run.below(2) == 0 ? null : run.below(9) / 8.0;
      naive.prefillThreshold = run.below(2) == 0 ? null : (long) run.below(250);
      naive.prefillFraction = run.below(2) == 0 ? null : run.below(200) / 100.0;
      run.note("thresholds");
      registry
          .overload()
          .thresholds(
              new OverloadThresholds(
                  optional(naive.decodeThreshold),
                  naive.prefillThreshold == null
                      ? OptionalLong.empty()
                      : OptionalLong.of(naive.prefillThreshold),
                  optional(naive.prefillFraction)));
    }

    private static OptionalDouble optional(final Double value) {
      return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static TreeMap<WorkerWithDpRank, Boolean> someRanks(final SeededRun run) {
      final TreeMap<WorkerWithDpRank, Boolean> ranks = new TreeMap<>();
      for (int n = run.below(14); n > 0; n--) {
        ranks.put(new WorkerWithDpRank(id(run), run.below(6)), true);
      }
      return ranks;
    }

    private void situation(final SeededRun run) {
      loads.clear();
      naive.loads.clear();
      for (final WorkerWithDpRank rank : someRanks(run).keySet()) {
        final NaiveSelection.Load load =
            new NaiveSelection.Load(
                run.below(3) * 100L, run.below(20), run.below(20), run.below(5));
        naive.loads.put(rank, load);
        loads.add(
            rank.workerId(),
            rank.dpRank(),
            load.prefill(),
            load.decode(),
            load.additional(),
            load.requests());
      }
      overlaps.clear();
      naive.overlaps.clear();
      for (final WorkerWithDpRank rank : someRanks(run).keySet()) {
        final NaiveSelection.Overlap overlap =
            new NaiveSelection.Overlap(run.below(20), run.below(5), run.below(5));
        naive.overlaps.put(rank, overlap);
        overlaps.addWeighted(
            rank.workerId(),
            rank.dpRank(),
            overlap.device(),
            overlap.host(),
            overlap.disk(),
            naive.config,
            (long) naive.blockSize);
      }
    }

    private NaiveSelection.Request ask(final SeededRun run) {
      final NaiveSelection.Request asked = new NaiveSelection.Request();
      asked.isl = run.below(40) == 0 ? 0 : 1 + run.below(400);
      asked.required = run.below(3) == 0 ? taints(run) : Set.of();
      if (run.below(3) == 0) {
        asked.preferred = new HashMap<>();
        taints(run).forEach(taint -> asked.preferred.put(taint, run.below(9) / 4.0f - 1));
      }
      if (run.below(4) == 0) {
        asked.allowed = new HashSet<>();
        while (run.below(4) > 0) {
          asked.allowed.add(id(run));
        }
      }
      if (run.below(5) == 0) {
        asked.pinned = new WorkerWithDpRank(id(run), run.below(5));
      }
      if (run.below(3) == 0) {
        asked.shared =
            List.of(new BlockRange(run.below(5), 6), new BlockRange(8, 8 + run.below(9)));
      }
      asked.credit = run.below(4) == 0 ? run.below(9) / 8.0 : null;
      asked.scale = run.below(4) == 0 ? run.below(9) / 4.0 : null;
      asked.sharedMultiplier = run.below(4) == 0 ? run.below(9) / 8.0 : null;
      asked.track = run.below(4) == 0 ? Boolean.valueOf(run.below(2) == 0) : null;
      return asked;
    }

    private void tell(final NaiveSelection.Request asked, final Double temperature) {
      request
          .clear()
          .promptTokens(asked.isl)
          .constraints(new RoutingConstraints(asked.required, asked.preferred));
      if (asked.allowed != null) {
        request.allowOnly(asked.allowed.stream().mapToLong(Long::longValue).toArray());
      }
      if (asked.pinned != null) {
        request.pin(asked.pinned.workerId(), asked.pinned.dpRank());
      }
      if (asked.shared != null) {
        request.sharedHits(SharedCacheHits.fromRanges(asked.shared));
      }
      final RouterConfigOverride.Builder override =
          RouterConfigOverride.builder().trackPrefillTokens(asked.track);
      if (asked.credit != null) {
        override.overlapScoreCredit(asked.credit);
      }
      if (asked.scale != null) {
        override.prefillLoadScale(asked.scale);
      }
      if (asked.sharedMultiplier != null) {
        override.sharedCacheMultiplier(asked.sharedMultiplier);
      }
      if (temperature != null) {
        override.routerTemperature(temperature);
      }
      request.override(override.build());
    }

    private void select(final SeededRun run) {
      situation(run);
      final NaiveSelection.Request asked = ask(run);
      final Double temperature = run.below(3) == 0 ? (Double) (run.below(5) / 4.0) : null;
      tell(asked, temperature);
      run.note(
          "select", asked.isl, asked.pinned == null ? 0 : 1, naive.workers.size(), loads.count());
      final TreeMap<WorkerWithDpRank, Double> costs = naive.costs(asked);
      final Explanation explanation = selector.explain(request, overlaps, loads);
      final boolean selected = selector.select(request, overlaps, loads, selection);
      assertEquals(naive.error == null, selected);
      assertEquals(naive.error, name(explanation.error()));
      assertEquals(naive.error, name(selection.error()));
      final TreeMap<WorkerWithDpRank, Double> found = new TreeMap<>();
      explanation.candidates().forEach(each -> found.put(each.worker(), each.score()));
      assertEquals(costs, found);
      if (selected) {
        final double heat = temperature == null ? naive.config.routerTemperature() : temperature;
        compareWinner(asked, costs, heat);
      }
    }

    private static String name(final KvSchedulerError error) {
      return error == null ? null : error.name();
    }

    private void compareWinner(
        final NaiveSelection.Request asked,
        final TreeMap<WorkerWithDpRank, Double> costs,
        final double temperature) {
      final WorkerWithDpRank winner =
          new WorkerWithDpRank(selection.workerId(), selection.dpRank());
      final List<WorkerWithDpRank> possible = new ArrayList<>(costs.keySet());
      if (temperature == 0.0) {
        final double least = Collections.min(costs.values());
        possible.removeIf(rank -> costs.get(rank) > least);
      } else {
        final WorkerWithDpRank drawnRank = NaiveSelection.draw(costs, temperature, drawn);
        possible.removeIf(rank -> drawnRank != null && !rank.equals(drawnRank));
      }
      assertTrue(possible.contains(winner), () -> "winner=" + winner + " possible=" + possible);
      assertEquals(costs.get(winner), selection.cost());
      assertEquals(naive.effective(winner), selection.effectiveOverlapBlocks());
      assertEquals(Math.min(asked.isl, naive.cachedTokens(winner)), selection.cachedTokens());
      assertEquals((long) Math.ceil(asked.isl / naive.blockSize), selection.requiredBlocks());
      final double best = costs.keySet().stream().mapToDouble(naive::effective).max().orElseThrow();
      assertEquals(best, selection.bestOverlapBlocks());
    }
  }

  private static void run(final long seed, final int operations) {
    final KvRouterConfig decaying =
        KvRouterConfig.builder()
            .overlapScoreCreditDecay(0.5)
            .decodeActiveRequestWeight(0.25)
            .sharedCacheMultiplier(0.5)
            .build();
    SeededRun.run(seed, operations, new Twin(16, KvRouterConfig.DEFAULT));
    SeededRun.run(seed + 1, operations, new Twin(5, decaying));
  }

  @Test
  void shouldSelectAsANaiveSelectionDoes() {
    run(20_260_601, SeededRun.operations() / 2);
  }

  @Test
  @Tag("long")
  void shouldSelectAsANaiveSelectionDoesForLong() {
    run(7, LONG_OPERATIONS / 2);
  }
}
