package io.kvroute.route.queue;

import io.kvroute.protocol.UnsignedMath;
import io.kvroute.route.queue.QueuePolicyException.Fault;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A class of requests that wait together: its order, its share, when its workers count as busy, and
 * how much of it may wait. Immutable.
 */
public final class QueueClass {
  /** What a class is given that says nothing about when a worker is busy. */
  public static final double DEFAULT_BUSY_THRESHOLD_FRAC = 16.0;

  /** What a worker is taken to have that does not say how many tokens it batches. */
  public static final long DEFAULT_MAX_NUM_BATCHED_TOKENS = 10_000_000;

  private final String name;
  private final QueueDiscipline discipline;
  private final long quantum;
  private final OptionalLong busyThreshold;
  private final OptionalDouble busyThresholdFrac;
  private final OptionalLong requestLimit;
  private final OptionalLong rawIslTokenLimit;
  private final OptionalLong cachedTokenLimit;
  private final String family;
  private final String bucket;
  private final boolean queueing;
  private final boolean absolute;
  private final long absoluteThreshold;
  private final double fraction;

  private QueueClass(final Builder builder) {
    name = builder.name;
    discipline = builder.discipline;
    quantum = builder.quantum;
    busyThreshold = builder.busyThreshold;
    busyThresholdFrac =
        builder.withoutThreshold
                || busyThreshold.isPresent()
                || builder.busyThresholdFrac.isPresent()
            ? builder.busyThresholdFrac
            : OptionalDouble.of(DEFAULT_BUSY_THRESHOLD_FRAC);
    requestLimit = builder.requestLimit;
    rawIslTokenLimit = builder.rawIslTokenLimit;
    cachedTokenLimit = builder.cachedTokenLimit;
    family = builder.family;
    bucket = builder.bucket;
    absolute = busyThreshold.isPresent();
    absoluteThreshold = busyThreshold.orElse(0);
    queueing = absolute || busyThresholdFrac.isPresent();
    fraction = busyThresholdFrac.orElse(Double.POSITIVE_INFINITY);
  }

  /** Starts the making of a class; its name is checked when it is made. */
  public static Builder builder(final String name) {
    return new Builder(name);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** The order within it. */
  public QueueDiscipline discipline() {
    return discipline;
  }

  /** Its share: tokens that it earns per round, unsigned 64-bit and not 0. */
  public long quantum() {
    return quantum;
  }

  /** A rank with more active prefill tokens is busy, unsigned 64-bit. */
  public OptionalLong busyThreshold() {
    return busyThreshold;
  }

  /** A rank with more active prefill tokens than this many of its batches is busy. */
  public OptionalDouble busyThresholdFrac() {
    return busyThresholdFrac;
  }

  /** The most requests that may wait, per worker, unsigned 64-bit. */
  public OptionalLong requestLimit() {
    return requestLimit;
  }

  /** The most input tokens that may wait, per worker, unsigned 64-bit. */
  public OptionalLong rawIslTokenLimit() {
    return rawIslTokenLimit;
  }

  /** The most cached tokens that may wait, per worker, unsigned 64-bit. */
  public OptionalLong cachedTokenLimit() {
    return cachedTokenLimit;
  }

  /** The family that it belongs to; null if it is addressed by its name. */
  public String family() {
    return family;
  }

  /** The bucket of its family that it is for; null if it is addressed by its name. */
  public String bucket() {
    return bucket;
  }

  /** True if requests of it are ever parked: it has a threshold. */
  public boolean isQueueing() {
    return queueing;
  }

  /**
   * Tells whether a rank is too busy for this class: its active prefill tokens exceed one of the
   * thresholds. Allocates nothing.
   *
   * @param activePrefillTokens unsigned 64-bit
   * @param maxNumBatchedTokens of the rank's worker, unsigned 64-bit
   */
  public boolean isBusy(final long activePrefillTokens, final long maxNumBatchedTokens) {
    return (absolute && Long.compareUnsigned(activePrefillTokens, absoluteThreshold) > 0)
        || (queueing
            && UnsignedMath.toDouble(activePrefillTokens)
                > fraction * UnsignedMath.toDouble(maxNumBatchedTokens));
  }

  @Override
  public String toString() {
    return "QueueClass[name="
        + name
        + ", discipline="
        + discipline
        + ", quantum="
        + Long.toUnsignedString(quantum)
        + ", family="
        + family
        + ", bucket="
        + bucket
        + ']';
  }

  /** What a class is made of. */
  public static final class Builder {
    private final String name;
    private QueueDiscipline discipline = QueueDiscipline.FCFS;
    private long quantum = 1;
    private boolean withoutThreshold;
    private OptionalLong busyThreshold = OptionalLong.empty();
    private OptionalDouble busyThresholdFrac = OptionalDouble.empty();
    private OptionalLong requestLimit = OptionalLong.empty();
    private OptionalLong rawIslTokenLimit = OptionalLong.empty();
    private OptionalLong cachedTokenLimit = OptionalLong.empty();
    private String family;
    private String bucket;

    private Builder(final String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    /** The order within it. Default {@link QueueDiscipline#FCFS}. */
    public Builder discipline(final QueueDiscipline value) {
      discipline = Objects.requireNonNull(value, "discipline");
      return this;
    }

    /** Tokens that it earns per round, unsigned 64-bit, not 0. Default 1. */
    public Builder quantum(final long value) {
      quantum = value;
      return this;
    }

    /** See {@link QueueClass#busyThreshold()}. Default none. */
    public Builder busyThreshold(final long value) {
      busyThreshold = OptionalLong.of(value);
      return this;
    }

    /**
     * See {@link QueueClass#busyThresholdFrac()}; finite, 0 or more. Default 16 if there is no
     * other threshold either, else none.
     */
    public Builder busyThresholdFrac(final double value) {
      busyThresholdFrac = OptionalDouble.of(value);
      return this;
    }

    /** No default threshold: unless one is set, requests of this class are never parked. */
    public Builder withoutThreshold() {
      withoutThreshold = true;
      return this;
    }

    /** See {@link QueueClass#requestLimit()}. Default none. */
    public Builder requestLimit(final long value) {
      requestLimit = OptionalLong.of(value);
      return this;
    }

    /** See {@link QueueClass#rawIslTokenLimit()}. Default none. */
    public Builder rawIslTokenLimit(final long value) {
      rawIslTokenLimit = OptionalLong.of(value);
      return this;
    }

    /** See {@link QueueClass#cachedTokenLimit()}. Default none. */
    public Builder cachedTokenLimit(final long value) {
      cachedTokenLimit = OptionalLong.of(value);
      return this;
    }

    /** Its family; a class has a bucket too then. Default none. */
    public Builder family(final String value) {
      family = value;
      return this;
    }

    /** Its bucket; a class has a family too then. Default none. */
    public Builder bucket(final String value) {
      bucket = value;
      return this;
    }

    /**
     * Makes the class.
     *
     * @throws QueuePolicyException if a name, the quantum or the threshold is out of range, or if
     *     there is a family and no bucket or the other way round
     */
    public QueueClass build() {
      Identifiers.require("class", name);
      if (quantum == 0) {
        throw fault(Fault.QUANTUM_NOT_POSITIVE, "quantum must not be 0");
      }
      final double frac = busyThresholdFrac.orElse(0);
      if (!(frac >= 0) || Double.isInfinite(frac)) {
        throw fault(
            Fault.BAD_THRESHOLD,
            "threshold must be finite and 0 or more: busyThresholdFrac=" + frac);
      }
      if ((family == null) != (bucket == null)) {
        throw fault(
            Fault.HALF_A_PLACE,
            "family and bucket go together: family=" + family + " bucket=" + bucket);
      }
      if (family != null) {
        Identifiers.require("family", family);
        Identifiers.require("bucket", bucket);
      }
      return new QueueClass(this);
    }

    private QueuePolicyException fault(final Fault fault, final String message) {
      return new QueuePolicyException(fault, message + " class=" + name);
    }
  }
}
