package io.kvroute.protocol;

import java.util.Objects;

/**
 * The worker that was selected for a request.
 *
 * @param worker that was selected
 * @param requiredBlocks blocks of the whole prompt, unsigned 64-bit
 * @param effectiveOverlapBlocks blocks that count as cached on the worker, weighted by tier; can be
 *     fractional
 * @param cachedTokens tokens that count as cached, derived from the weighted blocks, unsigned
 *     64-bit
 */
public record WorkerSelectionResult(
    WorkerWithDpRank worker,
    long requiredBlocks,
    double effectiveOverlapBlocks,
    long cachedTokens) {
  private static final double U32_MAX = 4_294_967_295.0;

  /** Checks that there is a worker. */
  public WorkerSelectionResult {
    Objects.requireNonNull(worker, "worker");
  }

  /**
   * {@link #effectiveOverlapBlocks()} as a number of blocks: halves are rounded up, what is below 0
   * or not a number is 0, what is above 2^32-1 is 2^32-1.
   *
   * @return unsigned 32-bit
   */
  public int overlapBlocks() {
    final double blocks = effectiveOverlapBlocks;
    final double whole = Math.floor(blocks);
    final double rounded = blocks - whole >= 0.5 ? whole + 1.0 : whole;
    return (int) (long) Math.max(0.0, Math.min(U32_MAX, rounded));
  }

  @Override
  public String toString() {
    return "WorkerSelectionResult[worker="
        + worker
        + ", requiredBlocks="
        + Long.toUnsignedString(requiredBlocks)
        + ", effectiveOverlapBlocks="
        + effectiveOverlapBlocks
        + ", cachedTokens="
        + Long.toUnsignedString(cachedTokens)
        + ']';
  }
}
