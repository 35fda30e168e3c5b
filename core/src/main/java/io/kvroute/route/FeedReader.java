package io.kvroute.route;

import io.kvroute.index.ApplyResult;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.MalformedEventException;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;

/**
 * Applies the messages of a router's ring: cache events to the index, reports of load to the
 * overload monitor. What belongs to a registration that has ended, or to a rank that its worker
 * does not have, is counted and has no effect.
 */
final class FeedReader implements MessageHandler {
  private final WorkerRegistry registry;
  private final RadixIndex index;
  private final RouterCounters counters;
  private final KvEventDecoder decoder = new KvEventDecoder();

  FeedReader(
      final WorkerRegistry registry, final OverlapIndex index, final RouterCounters counters) {
    this.registry = registry;
    this.index = index.events();
    this.counters = counters;
  }

  @Override
  public void onMessage(
      final int kind, final MutableDirectBuffer buffer, final int at, final int length) {
    if (kind == FeedMessageLayout.KV_EVENT) {
      onKvEvent(buffer, at, length - FeedMessageLayout.EVENT);
    } else {
      onLoad(buffer, at);
    }
  }

  private void onKvEvent(final MutableDirectBuffer buffer, final int at, final int length) {
    final int event = at + FeedMessageLayout.EVENT;
    try {
      decoder.wrap(buffer, event, length);
    } catch (final MalformedEventException malformed) {
      counters.countMalformedEvent();
      return;
    }
    final long generation = buffer.getLong(at + FeedMessageLayout.GENERATION);
    if (index == null) {
      counters.countIgnoredEvent();
    } else if (isCurrent(decoder.workerId(), decoder.dpRank(), generation)) {
      counters.countEvent(index.apply(buffer, event, length) == ApplyResult.OK);
    }
  }

  private void onLoad(final MutableDirectBuffer buffer, final int at) {
    final long workerId = buffer.getLong(at + FeedMessageLayout.WORKER_ID);
    final int dpRank = buffer.getInt(at + FeedMessageLayout.DP_RANK);
    if (isCurrent(workerId, dpRank, buffer.getLong(at + FeedMessageLayout.GENERATION))) {
      registry
          .overload()
          .observe(
              workerId,
              dpRank,
              buffer.getInt(at + FeedMessageLayout.KNOWN),
              buffer.getLong(at + FeedMessageLayout.DECODE_BLOCKS),
              buffer.getLong(at + FeedMessageLayout.PREFILL_TOKENS),
              buffer.getLong(at + FeedMessageLayout.USED_BLOCKS));
      counters.countEvent(true);
    }
  }

  /** Generations are unique, so that one also tells whose it is. */
  private boolean isCurrent(final long workerId, final int dpRank, final long generation) {
    if (registry.generation(workerId) != generation) {
      counters.countLateEvent();
      return false;
    }
    if (!registry.hasRank(workerId, dpRank)) {
      counters.countUnknownRankEvent();
      return false;
    }
    return true;
  }
}
