package io.kvroute.protocol;

import java.util.Objects;

/**
 * Where a block is.
 *
 * @param owner who holds it
 * @param tier in which tier
 */
public record Placement(PlacementOwner owner, StorageTier tier) {
  /** Checks that owner and tier are there. */
  public Placement {
    Objects.requireNonNull(owner, "owner");
    Objects.requireNonNull(tier, "tier");
  }

  /**
   * A tier of one worker rank.
   *
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param tier of the worker
   */
  public static Placement localWorker(
      final long workerId, final int dpRank, final StorageTier tier) {
    return new Placement(
        new PlacementOwner.LocalWorker(new WorkerWithDpRank(workerId, dpRank)), tier);
  }

  /**
   * The accelerator of one worker rank.
   *
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   */
  public static Placement localGpu(final long workerId, final int dpRank) {
    return localWorker(workerId, dpRank, StorageTier.DEVICE);
  }

  /** True if a worker holds it in the memory of its accelerator. */
  public boolean isLocalGpu() {
    return owner instanceof PlacementOwner.LocalWorker && tier.isGpu();
  }
}
