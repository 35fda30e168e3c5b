package io.kvroute.tools.sim;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.index.MatchScores;
import io.kvroute.load.LoadProjections;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.route.KvRouterConfig;
import io.kvroute.route.OverlapSignals;
import io.kvroute.route.RandomSource;
import io.kvroute.route.Selection;
import io.kvroute.route.SelectionRequest;
import io.kvroute.route.WorkerRegistry;
import io.kvroute.route.WorkerSelector;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The router's own rule: the lowest cost, which weighs what is cached against what a worker is busy
 * with. Where the knowledge of caches comes from is left to subclasses.
 */
abstract class CostPolicy implements RoutingPolicy {
  final SimulationSettings settings;
  final MatchScores scores = new MatchScores();
  long[] local = new long[0];
  long[] chain = new long[0];
  int blocks;
  private final RouterLoads loads;
  private final ActiveBlocks[] active;
  private final BlockHasher hasher;
  private final KvRouterConfig config;
  private final WorkerSelector selector;
  private final OverlapSignals overlaps = new OverlapSignals();
  private final LoadProjections projections = new LoadProjections();
  private final SelectionRequest selectionRequest = new SelectionRequest();
  private final Selection selection = new Selection();

  CostPolicy(
      final SimulationSettings settings, final RouterLoads loads, final RandomSource random) {
    this.settings = settings;
    this.loads = loads;
    hasher = BlockHasher.of(settings.pageSize());
    config =
        KvRouterConfig.builder()
            .overlapScoreCredit(settings.overlapScoreCredit())
            .routerTemperature(settings.routerTemperature())
            .build();
    final WorkerRegistry registry = new WorkerRegistry(settings.pageSize());
    active = new ActiveBlocks[settings.workers()];
    for (int id = 0; id < settings.workers(); id++) {
      registry.register(id, new Config(settings), settings.pageSize());
      active[id] = new ActiveBlocks();
    }
    selector = new WorkerSelector(registry, config, random);
  }

  private record Config(SimulationSettings settings) implements WorkerConfig {
    @Override
    public int dataParallelStartRank() {
      return 0;
    }

    @Override
    public int dataParallelSize() {
      return 1;
    }

    @Override
    public OptionalLong maxNumBatchedTokens() {
      return OptionalLong.of(settings.chunkTokens());
    }

    @Override
    public OptionalLong totalKvBlocks() {
      return OptionalLong.of(settings.pages());
    }
  }

  /** Fills {@link #scores} from the hashes of a prompt. */
  abstract void find(long nowNs);

  @Override
  public final int choose(final SimRequest request, final TokenView prompt, final long nowNs) {
    blocks = (int) hasher.blockCount(prompt.count());
    if (blocks > local.length) {
      local = new long[blocks * 2];
      chain = new long[blocks * 2];
    }
    hasher.localHashes(prompt, 0, blocks, local, 0);
    SequenceHash.chain(local, 0, blocks, false, 0, chain, 0);
    find(nowNs);
    overlaps.read(scores, config, settings.pageSize());
    projections.clear();
    for (int id = 0; id < active.length; id++) {
      projections.add(
          id,
          0,
          loads.prefillTokens(id),
          active[id].size(),
          blocks - (long) active[id].depth(chain, blocks),
          loads.requests(id));
    }
    selectionRequest.promptTokens(prompt.count());
    if (!selector.select(selectionRequest, overlaps, projections, selection)) {
      throw new IllegalStateException("no worker was selected: error=" + selection.error());
    }
    request.cachedTokens = selection.cachedTokens();
    return (int) selection.workerId();
  }

  @Override
  public void booked(final SimRequest request, final long nowNs) {
    request.chain = Arrays.copyOf(chain, blocks);
    request.chainLength = blocks;
    active[request.worker].add(request.chain, blocks);
  }

  @Override
  public final void freed(final SimRequest request, final long nowNs) {
    active[request.worker].remove(request.chain, request.chainLength);
    request.chain = null;
  }
}
