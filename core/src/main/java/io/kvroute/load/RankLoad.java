package io.kvroute.load;

/**
 * All that is known of the load of one rank at one instant. Owned by the caller and used again and
 * again. Not thread-safe; allocates nothing.
 */
public final class RankLoad {
  private long activeBlocks;
  private long activePrefillTokens;
  private long remainingPrefillMs;
  private long activeRequests;
  private long prefillTokens;
  private long modelledPrefillMs;
  private long unmodelledPrefills;
  private boolean hasAnchor;
  private long anchorKey;
  private long anchorSinceNs;

  /** Makes an empty one. */
  public RankLoad() {}

  void set(final Bookings bookings, final int rank, final long nowNs) {
    final RankLoads ranks = bookings.ranks;
    activeBlocks = ranks.activeBlocks(rank);
    activePrefillTokens = bookings.prefills.activeTokens(rank, nowNs);
    remainingPrefillMs = bookings.prefills.remainingMs(rank, nowNs);
    activeRequests = ranks.requests(rank);
    prefillTokens = ranks.prefillTokens(rank);
    modelledPrefillMs = ranks.modelledMs(rank);
    unmodelledPrefills = ranks.unmodelled(rank);
    final int anchor = ranks.firstPrefill(rank);
    hasAnchor = anchor != Requests.NONE;
    anchorKey = hasAnchor ? bookings.requests.key(anchor) : 0;
    anchorSinceNs = hasAnchor ? ranks.anchorSince(rank) : 0;
  }

  /** Distinct blocks of active requests, as far as they count. */
  public long activeBlocks() {
    return activeBlocks;
  }

  /** Tokens that still wait for prefill. */
  public long activePrefillTokens() {
    return activePrefillTokens;
  }

  /** Milliseconds until all prefills are done; -1 if one has no expected duration. */
  public long remainingPrefillMs() {
    return remainingPrefillMs;
  }

  /** Active requests. */
  public long activeRequests() {
    return activeRequests;
  }

  /** Tokens of all outstanding prefills when they were added. */
  public long prefillTokens() {
    return prefillTokens;
  }

  /** Sum of the expected durations in milliseconds, each cut to whole ones. */
  public long modelledPrefillMs() {
    return modelledPrefillMs;
  }

  /** Outstanding prefills that have no expected duration. */
  public long unmodelledPrefills() {
    return unmodelledPrefills;
  }

  /** True if some prefill is outstanding. */
  public boolean hasAnchor() {
    return hasAnchor;
  }

  /** Key of the request whose prefill decays, or the hash of its id. */
  public long anchorKey() {
    return anchorKey;
  }

  /** From when on it decays, in nanoseconds of the caller's clock. */
  public long anchorSinceNs() {
    return anchorSinceNs;
  }
}
