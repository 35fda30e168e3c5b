package io.kvroute.index;

import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.MalformedEventException;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/** Replaces what a worker, or one of its ranks, holds by what events say that it holds. */
final class Replacement implements KvEventListener {
  private final RadixIndex index;
  private final long workerId;
  private final boolean oneRank;
  private final int dpRank;
  private final KvEventDecoder decoder = new KvEventDecoder();
  private long events;

  /**
   * Prepares one.
   *
   * @param oneRank whether only the rank {@code dpRank} is replaced
   */
  Replacement(
      final RadixIndex index, final long workerId, final boolean oneRank, final int dpRank) {
    this.index = index;
    this.workerId = workerId;
    this.oneRank = oneRank;
    this.dpRank = dpRank;
  }

  /** Empties the ranks and applies their events; how many. */
  long apply(final Consumer<KvEventListener> source) {
    empty();
    boolean whole = false;
    try {
      source.accept(this);
      whole = true;
      return events;
    } finally {
      if (!whole) {
        empty();
      }
    }
  }

  private void empty() {
    if (oneRank) {
      index.clearRank(workerId, dpRank);
    } else {
      index.clearAllBlocks(workerId);
    }
    // What was held makes room for what comes.
    index.sweepAll();
  }

  @Override
  public void onEvent(final DirectBuffer buffer, final int offset, final int length) {
    if (!isWanted(buffer, offset, length)) {
      return;
    }
    final ApplyResult result = index.apply(buffer, offset, length);
    events++;
    if (result == ApplyResult.CAPACITY_EXCEEDED) {
      throw new CapacityExceededException(
          "no room for what a worker is to hold: " + position() + " blocks=" + index.blockCount());
    }
    if (result != ApplyResult.OK && !index.isApproximate(workerId, decoder.dpRank())) {
      throw new IllegalArgumentException(
          "event of a dump cannot be events: " + position() + " result=" + result);
    }
  }

  private boolean isWanted(final DirectBuffer buffer, final int offset, final int length) {
    try {
      decoder.wrap(buffer, offset, length);
    } catch (final MalformedEventException malformed) {
      // Whose it is cannot be said; to apply it counts and refuses it.
      return true;
    }
    return decoder.workerId() == workerId && (!oneRank || decoder.dpRank() == dpRank);
  }

  private String position() {
    return "worker=" + Long.toUnsignedString(workerId) + " event=" + (events - 1);
  }
}
