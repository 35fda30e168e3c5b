package io.kvroute.route;

import io.kvroute.protocol.UnsignedMath;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.OptionalDouble;

/**
 * What giving a request to one rank would cost, term by term. All terms are in blocks.
 *
 * @param worker the rank
 * @param rawPrefillBlocks wait for prefill, with the request's
 * @param decay what is left of the device's credit, 0 to 1
 * @param deviceCredit taken off for blocks on the device
 * @param hostCredit taken off for blocks in the host's memory
 * @param diskCredit taken off for blocks on disks and in external stores
 * @param sharedCredit taken off for blocks in the cache that all workers share
 * @param prefillTerm what is left of the prefill, not below 0, scaled
 * @param decodeTerm blocks to decode
 * @param requestTerm for the rank's active requests
 * @param logit sum of the last three terms
 * @param taintMultiplier absent if the request prefers no taints, or insists on the rank
 * @param score what the cost function in force says; the router's own is logit by multiplier
 * @param effectiveOverlapBlocks that count as cached
 * @param cachedTokens that count as cached, at most those of the prompt
 * @param uncappedCachedTokens the same before the cap, as the prefill's estimate takes them
 */
public record CandidateCost(
    WorkerWithDpRank worker,
    double rawPrefillBlocks,
    double decay,
    double deviceCredit,
    double hostCredit,
    double diskCredit,
    double sharedCredit,
    double prefillTerm,
    double decodeTerm,
    double requestTerm,
    double logit,
    OptionalDouble taintMultiplier,
    double score,
    double effectiveOverlapBlocks,
    long cachedTokens,
    long uncappedCachedTokens) {

  static CandidateCost of(final Candidate candidate, final double score) {
    final double raw = KvCost.rawPrefillBlocks(candidate);
    final double decay = KvCost.decay(candidate);
    return new CandidateCost(
        new WorkerWithDpRank(candidate.workerId(), candidate.dpRank()),
        raw,
        decay,
        candidate.overlapScoreCredit() * decay * candidate.deviceBlocks(),
        candidate.hostCacheHitWeight() * candidate.hostBlocks(),
        candidate.diskCacheHitWeight() * candidate.diskBlocks(),
        candidate.sharedCacheMultiplier()
            * Integer.toUnsignedLong(candidate.sharedBlocksBeyondDevice()),
        candidate.prefillLoadScale() * Math.max(raw - KvCost.credit(candidate), 0.0),
        UnsignedMath.toDouble(candidate.potentialDecodeBlocks()),
        candidate.decodeActiveRequestWeight() * UnsignedMath.toDouble(candidate.activeRequests()),
        KvCost.logit(candidate),
        candidate.hasTaintMultiplier()
            ? OptionalDouble.of(candidate.taintMultiplier())
            : OptionalDouble.empty(),
        score,
        candidate.effectiveOverlapBlocks(),
        UnsignedMath.min(candidate.cachedTokens(), candidate.promptTokens()),
        candidate.cachedTokens());
  }
}
