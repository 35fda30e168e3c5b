package io.kvroute.protocol;

import java.time.Duration;

/**
 * A length of time of up to 2^64 seconds, as it is on the wire; {@link Duration} ends at 2^63.
 *
 * @param seconds whole seconds, unsigned 64-bit
 * @param nanos the rest, 0 to 999,999,999
 */
public record UnsignedDuration(long seconds, int nanos) {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  /** Checks the range of the nanoseconds. */
  public UnsignedDuration {
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw nanosOutOfRange(nanos);
    }
  }

  /**
   * A duration of seconds and any number of nanoseconds; whole seconds in them are carried over.
   *
   * @param seconds unsigned 64-bit
   * @param nanos unsigned 32-bit
   * @throws ArithmeticException if the sum is 2^64 seconds or more
   */
  public static UnsignedDuration carrying(final long seconds, final int nanos) {
    final long sum = seconds + Integer.divideUnsigned(nanos, NANOS_PER_SECOND);
    if (Long.compareUnsigned(sum, seconds) < 0) {
      throw tooLong(seconds, nanos);
    }
    return new UnsignedDuration(sum, Integer.remainderUnsigned(nanos, NANOS_PER_SECOND));
  }

  /**
   * The same length as a duration of the JDK.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static UnsignedDuration of(final Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("negative duration: duration=" + duration);
    }
    return new UnsignedDuration(duration.getSeconds(), duration.getNano());
  }

  /**
   * The same length as a duration of the JDK.
   *
   * @throws ArithmeticException if it is 2^63 seconds or more
   */
  public Duration toDuration() {
    if (seconds < 0) {
      throw tooLong(seconds, nanos);
    }
    return Duration.ofSeconds(seconds, nanos);
  }

  private static IllegalArgumentException nanosOutOfRange(final int nanos) {
    return new IllegalArgumentException(
        "nanoseconds out of range: nanos=" + nanos + " limit=" + NANOS_PER_SECOND);
  }

  private static ArithmeticException tooLong(final long seconds, final int nanos) {
    return new ArithmeticException(
        "duration too long: seconds="
            + Long.toUnsignedString(seconds)
            + " nanos="
            + Integer.toUnsignedString(nanos));
  }
}
