package io.kvroute.protocol;

import java.util.Objects;

/**
 * One cache event of a worker.
 *
 * @param eventId the event's number at its source, unsigned 64-bit
 * @param data what happened
 * @param dpRank data-parallel rank that emitted it, unsigned 32-bit; 0 without data parallelism
 */
public record KvCacheEvent(long eventId, KvCacheEventData data, int dpRank) {
  /** Checks that there is data. */
  public KvCacheEvent {
    Objects.requireNonNull(data, "data");
  }

  @Override
  public String toString() {
    return "KvCacheEvent[eventId="
        + Long.toUnsignedString(eventId)
        + ", data="
        + data
        + ", dpRank="
        + Integer.toUnsignedString(dpRank)
        + ']';
  }
}
