package io.kvroute.protocol;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * The load of a worker, published by the worker (blocks in use) and by the scheduler (decode blocks
 * and prefill tokens), for the detection of overload.
 *
 * @param workerId unsigned 64-bit
 * @param dpRank unsigned 32-bit
 * @param activeDecodeBlocks the scheduler's view, unsigned 64-bit
 * @param activePrefillTokens the scheduler's view, unsigned 64-bit
 * @param kvUsedBlocks blocks in use, the worker's word, unsigned 64-bit
 */
public record ActiveLoad(
    long workerId,
    int dpRank,
    OptionalLong activeDecodeBlocks,
    OptionalLong activePrefillTokens,
    OptionalLong kvUsedBlocks) {
  /** Checks that the optional numbers are there. */
  public ActiveLoad {
    Objects.requireNonNull(activeDecodeBlocks, "activeDecodeBlocks");
    Objects.requireNonNull(activePrefillTokens, "activePrefillTokens");
    Objects.requireNonNull(kvUsedBlocks, "kvUsedBlocks");
  }

  /** Worker 0, rank 0, nothing known. */
  public ActiveLoad() {
    this(0, 0, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
  }

  @Override
  public String toString() {
    return "ActiveLoad[workerId="
        + Long.toUnsignedString(workerId)
        + ", dpRank="
        + Integer.toUnsignedString(dpRank)
        + ", activeDecodeBlocks="
        + Unsigned.text(activeDecodeBlocks)
        + ", activePrefillTokens="
        + Unsigned.text(activePrefillTokens)
        + ", kvUsedBlocks="
        + Unsigned.text(kvUsedBlocks)
        + ']';
  }
}
