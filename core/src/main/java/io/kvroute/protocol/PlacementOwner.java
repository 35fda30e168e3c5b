package io.kvroute.protocol;

import java.util.Objects;

/** Who holds a block. */
public sealed interface PlacementOwner permits PlacementOwner.LocalWorker, PlacementOwner.Shared {

  /**
   * One worker rank holds it.
   *
   * @param worker that holds it
   */
  record LocalWorker(WorkerWithDpRank worker) implements PlacementOwner {
    /** Checks that there is a worker. */
    public LocalWorker {
      Objects.requireNonNull(worker, "worker");
    }
  }

  /** A store that all workers share holds it. */
  record Shared() implements PlacementOwner {}
}
