package io.kvroute.route.queue;

import io.kvroute.protocol.QueueRejection;

/**
 * What a {@link SchedulerQueue} asks of the router that owns it. All calls come from the thread
 * that called the queue, and none may call back into it. Where a method answers a request, it is
 * the last that the queue has to do with it.
 *
 * @param <R> requests
 */
public interface QueueHost<R extends QueuedRequest> {
  /**
   * Answers a request that can never be served as it stands: one that is pinned to a worker which
   * its own list does not allow.
   *
   * @return false if it has been answered
   */
  boolean admit(R request);

  /** How many workers there are; caps are scaled by it. */
  long discoveredWorkers();

  /** Input tokens of a request, unsigned 64-bit. */
  long islTokens(R request);

  /**
   * The most tokens of a request that are cached: by the rank that it is pinned to, valid or not,
   * else by any rank of an allowed worker, in or out of the worker's range and overloaded or not.
   * Unsigned 64-bit.
   */
  long bestCachedTokens(R request);

  /** Class or family that a request names; null if none. */
  String policyClass(R request);

  /** Head start of a request in seconds. */
  double priorityJump(R request);

  /** Strict priority of a request, unsigned 32-bit. */
  int strictPriority(R request);

  /**
   * False if a request wants to be rejected rather than parked: as if its class had a limit of no
   * request. True by default.
   */
  default boolean mayBeParked(final R request) {
    return true;
  }

  /** True if a request only asks where it would go: nothing is booked for it. */
  boolean isQueryOnly(R request);

  /**
   * Shows a check the ranks that a request may go to, until the check has seen enough: those that
   * are eligible, overloaded or not; of a pinned request its rank only, and none if that is not
   * valid.
   */
  void visitEligibleRanks(R request, long nowNs, BusyCheck check);

  /** Computes a request's overlap anew; it has waited for long. */
  void refreshOverlap(R request, long nowNs);

  /**
   * Projects the load and selects a rank for a request.
   *
   * @return false if there was none, and the request has been answered with the reason
   */
  boolean select(R request, long nowNs);

  /** True if nobody waits for the answer to a request any more. */
  boolean isCallerGone(R request);

  /**
   * Books a request on the rank that was selected.
   *
   * @return false if that failed, and the request has been answered with the reason
   */
  boolean book(R request, long nowNs);

  /**
   * Answers a request with the rank that was selected.
   *
   * @return false if the answer could not be delivered; the queue then frees what was booked
   */
  boolean deliver(R request);

  /** Takes back what was booked for a request. */
  void free(R request, long nowNs);

  /** Answers a request that may not be parked. */
  void reject(R request, QueueRejection rejection);

  /** Answers a parked request when the queue is shut down. */
  void shutDown(R request);
}
