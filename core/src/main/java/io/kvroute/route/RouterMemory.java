package io.kvroute.route;

import io.kvroute.load.ActiveSequences;
import io.kvroute.load.LoadListener;

/** The parts of a router that have memory outside of the heap, made together or not at all. */
final class RouterMemory {
  final FeedRing ring;
  final OverlapIndex index;
  final ActiveSequences sequences;

  RouterMemory(final KvRouterBuilder builder, final OverloadMonitor monitor) {
    ring = new FeedRing(builder.feedRingBytes());
    OverlapIndex made = null;
    try {
      made = new OverlapIndex(builder);
      sequences = sequences(builder, monitor);
    } catch (final RuntimeException failure) {
      if (made != null) {
        made.close();
      }
      ring.close();
      throw failure;
    }
    index = made;
  }

  private static ActiveSequences sequences(
      final KvRouterBuilder builder, final OverloadMonitor monitor) {
    final LoadListener other = builder.loadListener();
    return ActiveSequences.builder()
        .blockCapacity(builder.activeBlockCapacity())
        .rankCapacity(builder.rankCapacity())
        .requestCapacity(builder.requestCapacity())
        .routerId(builder.routerId())
        .replicaListener(builder.replicaListener())
        .loadListener(
            (workerId, dpRank, decodeBlocks, prefillTokens) -> {
              monitor.observe(workerId, dpRank, decodeBlocks, prefillTokens);
              if (other != null) {
                other.onActiveLoad(workerId, dpRank, decodeBlocks, prefillTokens);
              }
            })
        .build();
  }
}
