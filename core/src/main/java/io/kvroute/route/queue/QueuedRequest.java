package io.kvroute.route.queue;

/**
 * What a queue needs to remember of a request while it is parked; to be extended by the request's
 * owner, so that parking allocates nothing. In at most one queue at a time; may be used again when
 * it has left. Not thread-safe.
 */
public abstract class QueuedRequest {
  private static final int NOT_PARKED = -1;

  int heapIndex = NOT_PARKED;
  int classIndex;
  int strictPriority;
  double score;
  long sequence;
  long parkedIslTokens;
  long parkedCachedTokens;
  long parkedAtNs;
  Object queue;

  /** For subclasses. */
  protected QueuedRequest() {}

  /** True while it waits. */
  public final boolean isParked() {
    return heapIndex != NOT_PARKED;
  }

  /** Number of the class in which it waits, or waited last. */
  public final int classIndex() {
    return classIndex;
  }

  final void leave() {
    heapIndex = NOT_PARKED;
    queue = null;
  }

  /** Tokens that have to be computed, at least 1. */
  static long work(final long islTokens, final long cached) {
    return Long.compareUnsigned(islTokens, cached) > 0 ? islTokens - cached : 1;
  }
}
