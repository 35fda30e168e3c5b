package io.kvroute.tools.sim;

import io.kvroute.index.ApproximateIndex;
import io.kvroute.route.RandomSource;

/** Guesses the caches from its own decisions, which it remembers for a time. */
final class ApproximatePolicy extends CostPolicy {
  private static final int BLOCKS_PER_EDGE = 4;

  private final ApproximateIndex index;

  ApproximatePolicy(
      final SimulationSettings settings, final RouterLoads loads, final RandomSource random) {
    super(settings, loads, random);
    final long indexed = settings.workers() * settings.pages();
    index =
        ApproximateIndex.builder()
            .ttlNs(settings.ttlNs())
            .blockCapacity(indexed)
            .edgeCapacity(indexed / BLOCKS_PER_EDGE + settings.workers())
            .rankCapacity(settings.workers())
            .build();
  }

  @Override
  void find(final long nowNs) {
    index.find(local, 0, blocks, nowNs, scores);
  }

  @Override
  public void booked(final SimRequest request, final long nowNs) {
    super.booked(request, nowNs);
    index.record(request.worker, 0, local, 0, chain, 0, blocks, nowNs);
  }

  @Override
  public long indexBlocks() {
    return index.heldBlocks();
  }

  @Override
  public long indexRefusals() {
    return index.refusedDecisions();
  }

  @Override
  public void close() {
    index.close();
  }
}
