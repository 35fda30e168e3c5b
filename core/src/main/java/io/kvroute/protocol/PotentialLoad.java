package io.kvroute.protocol;

/**
 * The load that a worker would have if a prompt went to it.
 *
 * @param workerId unsigned 64-bit
 * @param dpRank unsigned 32-bit
 * @param potentialPrefillTokens tokens left to prefill, unsigned 64-bit
 * @param potentialDecodeBlocks blocks in use, unsigned 64-bit
 * @param activeRequests requests on the worker, unsigned 64-bit
 */
public record PotentialLoad(
    long workerId,
    int dpRank,
    long potentialPrefillTokens,
    long potentialDecodeBlocks,
    long activeRequests) {
  @Override
  public String toString() {
    return "PotentialLoad[workerId="
        + Long.toUnsignedString(workerId)
        + ", dpRank="
        + Integer.toUnsignedString(dpRank)
        + ", potentialPrefillTokens="
        + Long.toUnsignedString(potentialPrefillTokens)
        + ", potentialDecodeBlocks="
        + Long.toUnsignedString(potentialDecodeBlocks)
        + ", activeRequests="
        + Long.toUnsignedString(activeRequests)
        + ']';
  }
}
