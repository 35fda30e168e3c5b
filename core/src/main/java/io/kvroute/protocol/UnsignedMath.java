package io.kvroute.protocol;

/** Arithmetic of unsigned 64-bit numbers, which saturates, and their way to doubles and back. */
public final class UnsignedMath {
  private static final double TWO_63 = 0x1.0p63;
  private static final double TWO_64 = 0x1.0p64;

  private UnsignedMath() {}

  /** The nearest double. */
  public static double toDouble(final long value) {
    // The lowest bit is kept while halving, so that the one rounding is the right one.
    return value >= 0 ? (double) value : (double) (value >>> 1 | (value & 1)) * 2.0;
  }

  /** The whole part; what is below 0 or not a number is 0, what is too large is 2^64-1. */
  public static long floor(final double value) {
    if (value < TWO_63) {
      return (long) Math.max(0.0, value);
    }
    return value < TWO_64 ? (long) (value - TWO_63) + Long.MIN_VALUE : Double.isNaN(value) ? 0 : -1;
  }

  /** The nearest whole number, halves away from zero; out of range as {@link #floor}. */
  public static long round(final double value) {
    final double whole = Math.floor(value);
    return floor(value - whole >= 0.5 ? whole + 1.0 : whole);
  }

  /** The lesser of two. */
  public static long min(final long left, final long right) {
    return Long.compareUnsigned(left, right) <= 0 ? left : right;
  }

  /** The sum, or 2^64-1 if that is less. */
  public static long add(final long left, final long right) {
    final long sum = left + right;
    return Long.compareUnsigned(sum, left) < 0 ? -1 : sum;
  }

  /** The difference, or 0 if that is more. */
  public static long subtract(final long left, final long right) {
    return Long.compareUnsigned(left, right) > 0 ? left - right : 0;
  }

  /** The product, or 2^64-1 if that is less. */
  public static long multiply(final long left, final long right) {
    return left != 0 && Long.compareUnsigned(right, Long.divideUnsigned(-1, left)) > 0
        ? -1
        : left * right;
  }
}
