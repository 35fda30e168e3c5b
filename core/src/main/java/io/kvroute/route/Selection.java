package io.kvroute.route;

import io.kvroute.protocol.UnsignedMath;
import io.kvroute.protocol.WorkerSelectionResult;
import io.kvroute.protocol.WorkerWithDpRank;

/** What a selection came to. Owned by the caller and used again and again. Not thread-safe. */
public final class Selection {
  private KvSchedulerError error = KvSchedulerError.NO_ENDPOINTS;
  private long workerId;
  private int dpRank;
  private long requiredBlocks;
  private double effectiveOverlapBlocks;
  private long cachedTokens;
  private double bestOverlapBlocks;
  private double cost;

  /** Makes one in which nothing is selected. */
  public Selection() {}

  /** True if a rank was selected. */
  public boolean isSelected() {
    return error == null;
  }

  /** Why none was selected; null if one was. */
  public KvSchedulerError error() {
    return error;
  }

  /** The selected worker, or the one that the error is about, unsigned. */
  public long workerId() {
    return workerId;
  }

  /** The selected rank, unsigned. */
  public int dpRank() {
    return dpRank;
  }

  /** Blocks of the whole prompt, the last of which may be a part. */
  public long requiredBlocks() {
    return requiredBlocks;
  }

  /** Blocks that count as cached on the selected rank, weighted by tier. */
  public double effectiveOverlapBlocks() {
    return effectiveOverlapBlocks;
  }

  /** Tokens that count as cached on the selected rank, at most those of the prompt. */
  public long cachedTokens() {
    return cachedTokens;
  }

  /** Tokens of the prompt that do not count as cached. */
  public long effectivePrefillTokens(final long promptTokens) {
    return promptTokens - cachedTokens;
  }

  /** The most blocks that count as cached on any rank that could have been selected. */
  public double bestOverlapBlocks() {
    return bestOverlapBlocks;
  }

  /** The cost of the selected rank. */
  public double cost() {
    return cost;
  }

  /**
   * The result as an object.
   *
   * @throws KvSchedulerException if nothing was selected
   */
  public WorkerSelectionResult result() {
    if (error != null) {
      throw new KvSchedulerException(error, workerId);
    }
    return new WorkerSelectionResult(
        new WorkerWithDpRank(workerId, dpRank),
        requiredBlocks,
        effectiveOverlapBlocks,
        cachedTokens);
  }

  void fail(final KvSchedulerError failure, final long about) {
    error = failure;
    workerId = about;
    dpRank = 0;
    requiredBlocks = 0;
    effectiveOverlapBlocks = 0.0;
    cachedTokens = 0;
    bestOverlapBlocks = 0.0;
    cost = Double.NaN;
  }

  void select(final Candidate candidate, final double candidateCost, final double bestOverlap) {
    error = null;
    workerId = candidate.workerId();
    dpRank = candidate.dpRank();
    requiredBlocks = candidate.requestBlocks();
    effectiveOverlapBlocks = candidate.effectiveOverlapBlocks();
    cachedTokens = UnsignedMath.min(candidate.cachedTokens(), candidate.promptTokens());
    bestOverlapBlocks = bestOverlap;
    cost = candidateCost;
  }
}
