package io.kvroute.route.queue;

import java.util.Objects;

/** A queue policy that cannot be; {@link #fault()} says why, the message says where. */
public final class QueuePolicyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** What is wrong with a policy. */
  public enum Fault {
    /** There is no class. */
    NO_CLASSES,
    /** A quantum is 0. */
    QUANTUM_NOT_POSITIVE,
    /** Only FCFS and WSPT can be chosen where there are several classes. */
    DISCIPLINE_NOT_ALLOWED,
    /** A class names a family and no bucket, or a bucket and no family. */
    HALF_A_PLACE,
    /** A class names a bucket that does not exist. */
    UNKNOWN_BUCKET,
    /** No class belongs to the default family. */
    UNKNOWN_DEFAULT_FAMILY,
    /** Two classes have one name. */
    DUPLICATE_CLASS,
    /** Two classes have one family and bucket. */
    DUPLICATE_PLACE,
    /** A class without a family has the name of one. */
    CLASS_NAMED_LIKE_FAMILY,
    /** A name has other characters than letters, digits, '_', '.' and '-', or none. */
    BAD_NAME,
    /** A threshold is negative or not finite. */
    BAD_THRESHOLD,
    /** There is no bucket. */
    NO_BUCKETS,
    /** The first bucket does not start at 0. */
    FIRST_BUCKET_NOT_ZERO,
    /** Buckets do not start at ever more tokens. */
    BUCKETS_NOT_INCREASING,
    /** Two buckets have one name. */
    DUPLICATE_BUCKET,
    /** A family has no class for some bucket. */
    MISSING_CLASS,
    /** A profile lacks its default family, its buckets or its classes. */
    PARTIAL_PROFILE,
    /** There is neither a profile for all models nor one for some. */
    NO_PROFILE,
    /** The name of a model is empty. */
    EMPTY_MODEL_NAME
  }

  private final Fault fault;

  /**
   * Makes an error.
   *
   * @param fault what is wrong
   * @param message where, with the names and numbers that are
   */
  public QueuePolicyException(final Fault fault, final String message) {
    super(message);
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  /** What is wrong. */
  public Fault fault() {
    return fault;
  }
}
