package io.kvroute.load;

/** A change of the workers was refused; nothing has changed. */
public final class TopologyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Kind {
    /** A worker has no rank. */
    INVALID_DP_SIZE,
    /** The ranks of a worker go beyond 2^32-2. */
    INVALID_DP_RANGE,
    /** The worker is registered already, or named twice. */
    DUPLICATE_WORKER,
    /** The worker is not registered. */
    WORKER_NOT_FOUND
  }

  private final Kind kind;
  private final long workerId;

  TopologyException(final Kind kind, final long workerId, final String detail) {
    super(text(kind) + ": workerId=" + Long.toUnsignedString(workerId) + detail);
    this.kind = kind;
    this.workerId = workerId;
  }

  private static String text(final Kind kind) {
    return switch (kind) {
      case INVALID_DP_SIZE -> "worker has no rank";
      case INVALID_DP_RANGE -> "ranks of worker out of range";
      case DUPLICATE_WORKER -> "worker is there already";
      case WORKER_NOT_FOUND -> "worker is not registered";
    };
  }

  /** Why. */
  public Kind kind() {
    return kind;
  }

  /** Which worker, unsigned. */
  public long workerId() {
    return workerId;
  }
}
