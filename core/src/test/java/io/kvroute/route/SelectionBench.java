package io.kvroute.route;

import io.kvroute.load.LoadProjections;
import io.kvroute.protocol.RoutingConstraints;
import java.util.Map;
import java.util.Set;

/** Workers, loads, overlaps and a request, set up in few words; ranks in ascending order. */
final class SelectionBench {
  final WorkerRegistry registry;
  final OverlapSignals overlaps = new OverlapSignals();
  final LoadProjections loads = new LoadProjections();
  final SelectionRequest request = new SelectionRequest();
  final Selection selection = new Selection();
  private final long blockSize;

  SelectionBench(final long blockSize) {
    this.blockSize = blockSize;
    registry = new WorkerRegistry(blockSize);
  }

  SelectionBench worker(final long id, final TestWorker worker) {
    registry.register(id, worker, blockSize);
    return this;
  }

  SelectionBench workers(final long... ids) {
    for (final long id : ids) {
      worker(id, TestWorker.one());
    }
    return this;
  }

  SelectionBench load(final long id, final long prefillTokens, final long decodeBlocks) {
    loads.add(id, 0, prefillTokens, decodeBlocks, 0, 0);
    return this;
  }

  SelectionBench device(final long id, final int blocks) {
    overlaps.addWeighted(id, 0, blocks, 0, 0, KvRouterConfig.DEFAULT, blockSize);
    return this;
  }

  SelectionBench prompt(final long tokens) {
    request.promptTokens(tokens);
    return this;
  }

  SelectionBench require(final String... taints) {
    request.constraints(new RoutingConstraints(Set.of(taints), Map.of()));
    return this;
  }

  SelectionBench prefer(final Map<String, Float> weights) {
    request.constraints(new RoutingConstraints(Set.of(), weights));
    return this;
  }

  WorkerSelector selector(final KvRouterConfig config) {
    return new WorkerSelector(registry, config, RandomSource.seeded(42));
  }

  WorkerSelector selector() {
    return selector(KvRouterConfig.DEFAULT);
  }

  /** The selected worker. */
  long selected() {
    if (!selector().select(request, overlaps, loads, selection)) {
      throw new AssertionError("nothing was selected: " + selection.error());
    }
    return selection.workerId();
  }

  KvSchedulerError error() {
    if (selector().select(request, overlaps, loads, selection)) {
      throw new AssertionError("selected: " + selection.result());
    }
    return selection.error();
  }

  /** The costs of all candidates, in the order of ranks. */
  double[] costs(final KvRouterConfig config) {
    return selector(config).explain(request, overlaps, loads).candidates().stream()
        .mapToDouble(CandidateCost::score)
        .toArray();
  }

  double[] costs() {
    return costs(KvRouterConfig.DEFAULT);
  }
}
