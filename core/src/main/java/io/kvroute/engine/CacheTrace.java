package io.kvroute.engine;

/**
 * Sees the state of a manager's cache after each operation that moves pages. Called on the thread
 * of the manager; must not call back into it.
 */
@FunctionalInterface
public interface CacheTrace {
  /** What happened. */
  enum Event {
    /** Pages were given to a request or a decode reservation. */
    ALLOCATION,
    /** Pages of a request came back: a partial tail, a duplicate, or an aborted suffix. */
    FREE,
    /** Cached pages were evicted. */
    EVICTION,
    /** Pages were set aside for a transfer from another worker. */
    RESERVE_DESTINATION,
    /** A transfer became an active request. */
    ACTIVATE_DESTINATION,
    /** Pages that were reserved and never used came back. */
    RELEASE_UNPUBLISHED
  }

  /**
   * Reports one operation and the state after it. All quantities but {@code dpRank} are in tokens.
   *
   * @param numTokens what the operation moved
   */
  void onCacheState(
      Event event,
      int dpRank,
      long numTokens,
      long pageSize,
      long availableTokens,
      long evictableTokens,
      long protectedTokens,
      long totalTokens);
}
