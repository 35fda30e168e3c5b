package io.kvroute.route;

import io.kvroute.index.ApproximateIndex;
import io.kvroute.index.ApproximateIndexBuilder;
import io.kvroute.index.MatchScores;
import io.kvroute.index.PredictiveIndex;
import io.kvroute.index.RadixIndex;
import io.kvroute.index.RadixIndexBuilder;

/**
 * What a router knows of caches, as its configuration has it: from events, from its own decisions,
 * from both, or nothing at all. Overlap that has no credit is not looked for in events.
 */
final class OverlapIndex implements AutoCloseable {
  private static final double NS_PER_SECOND = 1e9;

  private final RadixIndex events;
  private final ApproximateIndex decisions;
  private final PredictiveIndex both;
  private final MatchScores scores = new MatchScores();

  OverlapIndex(final KvRouterBuilder builder) {
    final KvRouterConfig config = builder.config();
    final boolean hears = config.useKvEvents() && config.overlapScoreCredit() > 0.0;
    final boolean predicts = hears && config.routerPredictedTtlSecs().isPresent();
    events = hears ? exact(builder) : null;
    try {
      if (predicts) {
        decisions = approximate(config.routerPredictedTtlSecs().getAsDouble(), builder);
      } else {
        decisions = config.useKvEvents() ? null : approximate(config.routerTtlSecs(), builder);
      }
    } catch (final RuntimeException failure) {
      closeEvents();
      throw failure;
    }
    both = predicts ? new PredictiveIndex(events, decisions) : null;
  }

  private static RadixIndex exact(final KvRouterBuilder builder) {
    final RadixIndexBuilder made =
        RadixIndex.builder()
            .blockCapacity(builder.blockCapacity())
            .rankCapacity(builder.rankCapacity());
    return (builder.edgeCapacity() == 0 ? made : made.edgeCapacity(builder.edgeCapacity())).build();
  }

  private static ApproximateIndex approximate(final double ttlSecs, final KvRouterBuilder builder) {
    final ApproximateIndexBuilder made =
        ApproximateIndex.builder()
            .ttlNs((long) (ttlSecs * NS_PER_SECOND))
            .blockCapacity(builder.blockCapacity())
            .rankCapacity(builder.rankCapacity());
    return (builder.edgeCapacity() == 0 ? made : made.edgeCapacity(builder.edgeCapacity())).build();
  }

  /** What events are applied to, or null. */
  RadixIndex events() {
    return events;
  }

  /** What decisions are recorded in, or null. */
  ApproximateIndex decisions() {
    return decisions;
  }

  /** Finds who has how much of a request's prompt. */
  void find(
      final RouteRequest request,
      final KvRouterConfig config,
      final long blockSize,
      final long nowNs) {
    if (both != null) {
      both.find(request.localHashes, 0, request.blocks, nowNs, scores);
    } else if (decisions != null) {
      decisions.find(request.localHashes, 0, request.blocks, nowNs, scores);
    } else if (events != null) {
      events.find(request.localHashes, 0, request.blocks, scores);
    } else {
      request.overlaps.clear();
      return;
    }
    request.overlaps.read(scores, config, blockSize);
  }

  /** Remembers where a request was sent to. */
  void record(final RouteRequest request, final long nowNs) {
    if (decisions != null) {
      decisions.record(
          request.decision.workerId(),
          request.decision.dpRank(),
          request.localHashes,
          0,
          request.sequenceHashes,
          0,
          request.blocks,
          nowNs);
    }
  }

  /** Does a share of what is due; how much was done. */
  int poll(final long nowNs) {
    final int swept = events != null && events.sweep() ? 1 : 0;
    return decisions == null ? swept : swept + decisions.expire(nowNs);
  }

  void removeWorker(final long workerId) {
    if (events != null) {
      events.removeWorker(workerId);
    }
    if (decisions != null) {
      decisions.removeWorker(workerId);
    }
  }

  void removeRank(final long workerId, final int dpRank) {
    if (events != null) {
      events.removeWorkerDpRank(workerId, dpRank);
    }
    if (decisions != null) {
      decisions.removeWorkerDpRank(workerId, dpRank);
    }
  }

  private void closeEvents() {
    if (events != null) {
      events.close();
    }
  }

  @Override
  public void close() {
    closeEvents();
    if (decisions != null) {
      decisions.close();
    }
  }
}
