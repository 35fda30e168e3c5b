package io.kvroute.protocol;

import java.util.Objects;

/**
 * A cache event of a certain worker and tier, as the router sees it.
 *
 * @param workerId the worker, unsigned 64-bit
 * @param storageTier the tier the event is about
 * @param event what happened
 */
public record RouterEvent(long workerId, StorageTier storageTier, KvCacheEvent event) {
  /** Checks that tier and event are there. */
  public RouterEvent {
    Objects.requireNonNull(storageTier, "storageTier");
    Objects.requireNonNull(event, "event");
  }

  /** An event about {@link StorageTier#DEVICE}. */
  public RouterEvent(final long workerId, final KvCacheEvent event) {
    this(workerId, StorageTier.DEVICE, event);
  }

  @Override
  public String toString() {
    return "RouterEvent[workerId="
        + Long.toUnsignedString(workerId)
        + ", storageTier="
        + storageTier
        + ", event="
        + event
        + ']';
  }
}
