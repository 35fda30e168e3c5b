package io.kvroute.jmh;

import io.kvroute.load.LoadProjections;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.route.KvRouterConfig;
import io.kvroute.route.OverlapSignals;
import io.kvroute.route.RandomSource;
import io.kvroute.route.Selection;
import io.kvroute.route.SelectionRequest;
import io.kvroute.route.WorkerRegistry;
import io.kvroute.route.WorkerSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The selection of a rank of one, where every worker has load and every second one overlap, for 64
 * prompts of 512 blocks in turn. Each must be chosen by ours and by the control alike.
 */
public class SelectBenchmark extends BenchmarkBase {
  private static final int BLOCK_SIZE = 16;
  private static final int BLOCKS = 512;
  private static final int PROMPTS = 64;

  /** Makes the benchmark. */
  public SelectBenchmark() {}

  /** Loads and overlaps, in our form and in the control's. */
  @State(Scope.Thread)
  public static class Cluster {
    private final LoadProjections loads = new LoadProjections();
    private final OverlapSignals[] overlaps = new OverlapSignals[PROMPTS];
    private final SelectionRequest request = new SelectionRequest();
    private final Selection selection = new Selection();
    private final Map<Long, long[]> controlLoads = new TreeMap<>();
    private final List<Map<Long, Integer>> controlOverlaps = new ArrayList<>();
    private WorkerSelector selector;
    private int turn;

    /** Workers, each with one rank. */
    @Param({"8", "64", "512"})
    public int workers;

    /** Makes the state. */
    public Cluster() {}

    /** Draws loads and overlaps, and checks that both forms choose the same workers. */
    @Setup
    public void setUp() {
      final RandomSource random = RandomSource.seeded(7);
      final WorkerRegistry registry = new WorkerRegistry(BLOCK_SIZE, workers);
      for (int w = 0; w < workers; w++) {
        registry.register(w, WorkerConfig.ofRanks(0, 1), BLOCK_SIZE);
        final long prefillTokens = random.nextInt(1 << 16);
        final long decodeBlocks = random.nextInt(1 << 12);
        loads.add(w, 0, prefillTokens, decodeBlocks, BLOCKS, 8);
        controlLoads.put((long) w, new long[] {prefillTokens, decodeBlocks + BLOCKS});
      }
      for (int p = 0; p < PROMPTS; p++) {
        overlaps[p] = new OverlapSignals();
        controlOverlaps.add(new HashMap<>());
        for (int w = random.nextInt(2); w < workers; w += 2) {
          final int blocks = random.nextInt(BLOCKS);
          overlaps[p].addWeighted(w, 0, blocks, 0, 0, KvRouterConfig.DEFAULT, BLOCK_SIZE);
          controlOverlaps.get(p).put((long) w, blocks);
        }
      }
      request.promptTokens((long) BLOCKS * BLOCK_SIZE);
      selector = new WorkerSelector(registry, KvRouterConfig.DEFAULT, random);
      for (int p = 0; p < PROMPTS; p++) {
        require("worker", controlSelect(p), select(p));
      }
    }

    private int turn() {
      turn = (turn + 1) % PROMPTS;
      return turn;
    }

    final long select() {
      return select(turn());
    }

    final long controlSelect() {
      return controlSelect(turn());
    }

    private long select(final int prompt) {
      selector.select(request, overlaps[prompt], loads, selection);
      return selection.workerId();
    }

    private long controlSelect(final int prompt) {
      final Map<Long, Double> costs = new HashMap<>();
      for (final Map.Entry<Long, long[]> load : controlLoads.entrySet()) {
        final long tokens = load.getValue()[0] + (long) BLOCKS * BLOCK_SIZE;
        final int overlap = controlOverlaps.get(prompt).getOrDefault(load.getKey(), 0);
        costs.put(
            load.getKey(),
            Math.max(0.0, (double) tokens / BLOCK_SIZE - overlap) + load.getValue()[1]);
      }
      return costs.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
    }
  }

  /** Selects at temperature 0. */
  @Benchmark
  public long select(final Cluster cluster) {
    return cluster.select();
  }

  /** Control: selects at temperature 0. */
  @Benchmark
  public long controlSelect(final Cluster cluster) {
    return cluster.controlSelect();
  }
}
