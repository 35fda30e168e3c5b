package io.kvroute.load;

/**
 * Is told what a rank is busy with, after each change of one of its requests. A listener that
 * throws does no harm; that is counted.
 */
public interface LoadListener {
  /**
   * A rank's load has changed.
   *
   * @param workerId unsigned
   * @param dpRank unsigned
   * @param activeDecodeBlocks blocks of active requests
   * @param activePrefillTokens that wait for prefill now
   */
  void onActiveLoad(long workerId, int dpRank, long activeDecodeBlocks, long activePrefillTokens);
}
