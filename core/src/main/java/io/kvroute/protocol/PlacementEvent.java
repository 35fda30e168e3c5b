package io.kvroute.protocol;

import java.util.Objects;

/**
 * A cache event and the place it is about.
 *
 * @param placement the place
 * @param event what happened there
 */
public record PlacementEvent(Placement placement, KvCacheEvent event) {
  /** Checks that placement and event are there. */
  public PlacementEvent {
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(event, "event");
  }

  /**
   * An event on the accelerator of a worker; the rank is the event's.
   *
   * @param workerId unsigned 64-bit
   * @param event what happened
   */
  public static PlacementEvent localGpu(final long workerId, final KvCacheEvent event) {
    return new PlacementEvent(Placement.localGpu(workerId, event.dpRank()), event);
  }

  /**
   * The event as the router sees it.
   *
   * @return the event of the worker that owns the place, with the event's own rank; null if no
   *     worker owns it, because it is in a shared store
   */
  public RouterEvent intoRouterEvent() {
    if (placement.owner() instanceof PlacementOwner.LocalWorker local) {
      return new RouterEvent(local.worker().workerId(), placement.tier(), event);
    }
    return null;
  }
}
