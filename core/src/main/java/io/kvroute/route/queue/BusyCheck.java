package io.kvroute.route.queue;

/**
 * Goes through the ranks that a request may go to, and finds out whether all of them are too busy
 * for its class. Owned by a {@link SchedulerQueue}, which hands it to its host.
 */
public final class BusyCheck {
  private QueueClass queueClass;
  private boolean seen;
  private boolean free;

  BusyCheck() {}

  void begin(final QueueClass newClass) {
    queueClass = newClass;
    seen = false;
    free = false;
  }

  /**
   * Looks at a rank whose worker says how many tokens it batches.
   *
   * @param activePrefillTokens of the rank now, unsigned 64-bit
   * @param maxNumBatchedTokens of its worker, unsigned 64-bit; see {@link
   *     QueueClass#DEFAULT_MAX_NUM_BATCHED_TOKENS} for a worker that does not say
   * @return false if the answer is known, so that no further rank needs to be looked at
   */
  public boolean rank(final long activePrefillTokens, final long maxNumBatchedTokens) {
    seen = true;
    free |= !queueClass.isBusy(activePrefillTokens, maxNumBatchedTokens);
    return !free;
  }

  /** True if there was a rank, and none that is not busy. */
  boolean areAllBusy() {
    return seen && !free;
  }
}
