package io.kvroute.route;

import io.kvroute.protocol.UnsignedMath;

/**
 * The cost of a rank: blocks to prefill, less a credit for those that are cached, and blocks to
 * decode. The formula is that of NVIDIA Dynamo's router (Apache-2.0). Sums are taken in the order
 * in which the terms stand here. Stateless.
 */
final class KvCost implements CostFunction {
  static final KvCost INSTANCE = new KvCost();

  private KvCost() {}

  @Override
  public double cost(final Candidate candidate) {
    final double logit = logit(candidate);
    return candidate.hasTaintMultiplier() ? logit * candidate.taintMultiplier() : logit;
  }

  /** The cost before taints. */
  static double logit(final Candidate candidate) {
    final double uncredited = rawPrefillBlocks(candidate) - credit(candidate);
    final double prefill = uncredited > 0.0 ? uncredited : 0.0;
    final double logit =
        candidate.prefillLoadScale() * prefill
            + UnsignedMath.toDouble(candidate.potentialDecodeBlocks());
    final double weight = candidate.decodeActiveRequestWeight();
    return weight == 0.0
        ? logit
        : logit + weight * UnsignedMath.toDouble(candidate.activeRequests());
  }

  /**
   * Blocks that wait for prefill on the rank, with the request's. What counts as cached is not
   * taken off here, and if it is more than the prompt, it is what the request counts.
   */
  static double rawPrefillBlocks(final Candidate candidate) {
    if (!candidate.trackPrefillTokens()) {
      return 0.0;
    }
    final long prompt = candidate.promptTokens();
    if (!candidate.hasLoad()) {
      return UnsignedMath.toDouble(prompt) / candidate.blockSize();
    }
    final long cached = candidate.cachedTokens();
    final long own = Long.compareUnsigned(cached, prompt) > 0 ? cached : prompt;
    return UnsignedMath.toDouble(UnsignedMath.add(candidate.activePrefillTokens(), own))
        / candidate.blockSize();
  }

  /** What cached blocks are worth. */
  static double credit(final Candidate candidate) {
    return candidate.overlapScoreCredit() * decay(candidate) * candidate.deviceBlocks()
        + candidate.hostCacheHitWeight() * candidate.hostBlocks()
        + candidate.diskCacheHitWeight() * candidate.diskBlocks()
        + candidate.sharedCacheMultiplier()
            * Integer.toUnsignedLong(candidate.sharedBlocksBeyondDevice());
  }

  /** How much of the credit is left to a rank that has more to prefill than the least loaded. */
  static double decay(final Candidate candidate) {
    final double rate = candidate.overlapScoreCreditDecay();
    if (!candidate.trackPrefillTokens() || !(rate > 0.0)) {
      return 1.0;
    }
    final double excess =
        UnsignedMath.toDouble(candidate.activePrefillTokens()) - candidate.minActivePrefillTokens();
    return 1.0
        / (1.0
            + rate
                * (excess / candidate.blockSize())
                / UnsignedMath.toDouble(candidate.requestBlocks()));
  }
}
