package io.kvroute.route;

/** Predicts how long a worker prefills a prompt, so that its load can go with time. */
@FunctionalInterface
public interface PrefillLoadModel {
  /**
   * Predicts for one prompt alone on a worker.
   *
   * @param effectiveTokens that have to be prefilled, unsigned
   * @param prefixTokens that are cached, unsigned
   * @return nanoseconds; negative if it cannot tell, and then the load stays until the prefill is
   *     done
   */
  long expectedPrefillNs(long effectiveTokens, long prefixTokens);
}
