package io.kvroute.tools.sim;

import io.kvroute.index.ApplyResult;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.KvEventType;
import io.kvroute.route.RandomSource;

/** Knows the caches by the workers' events. */
final class KvPolicy extends CostPolicy {
  private static final int BLOCKS_PER_EDGE = 4;

  private final RadixIndex index;

  KvPolicy(final SimulationSettings settings, final RouterLoads loads, final RandomSource random) {
    super(settings, loads, random);
    final long indexed = settings.workers() * settings.pages();
    index =
        RadixIndex.builder()
            .blockCapacity(indexed)
            .edgeCapacity(indexed / BLOCKS_PER_EDGE + settings.workers())
            .rankCapacity(settings.workers())
            .build();
  }

  @Override
  void find(final long nowNs) {
    index.find(local, 0, blocks, scores);
  }

  @Override
  public KvEventListener events() {
    return index;
  }

  @Override
  public long indexBlocks() {
    return index.blockCount();
  }

  @Override
  public long indexRefusals() {
    long refusals = index.counters().malformedEvents();
    for (final KvEventType type : KvEventType.values()) {
      for (final ApplyResult result : ApplyResult.values()) {
        refusals += result == ApplyResult.OK ? 0 : index.counters().events(type, result);
      }
    }
    return refusals;
  }

  @Override
  public long indexBytes() {
    return index.usedBytes();
  }

  @Override
  public void close() {
    index.close();
  }
}
