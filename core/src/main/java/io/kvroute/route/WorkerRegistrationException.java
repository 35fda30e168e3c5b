package io.kvroute.route;

/** A worker cannot be registered as it describes itself; the registry is as before. */
public final class WorkerRegistrationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Reason {
    /** The worker does not say how many tokens its blocks have. */
    BLOCK_SIZE_UNKNOWN,
    /** The engine's pages are smaller than the router's blocks. */
    PAGES_SMALLER_THAN_BLOCKS,
    /** The engine's pages are larger than the router's blocks. */
    PAGES_LARGER_THAN_BLOCKS,
    /** There is a worker with this id. */
    DUPLICATE_WORKER,
    /** There is no worker with this id. */
    UNKNOWN_WORKER,
    /** There is not one rank. */
    INVALID_DP_SIZE,
    /** The last rank is above 2^32-1. */
    INVALID_DP_RANGE,
    /** There would be more ranks than the registry takes. */
    TOO_MANY_RANKS
  }

  private final Reason reason;
  private final long workerId;

  WorkerRegistrationException(final Reason reason, final long workerId, final String message) {
    super(message);
    this.reason = reason;
    this.workerId = workerId;
  }

  /** What is wrong. */
  public Reason reason() {
    return reason;
  }

  /** The worker, unsigned. */
  public long workerId() {
    return workerId;
  }
}
