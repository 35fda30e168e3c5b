package io.kvroute.route;

/** Unsigned 64-bit numbers and doubles. */
final class U64 {
  private static final double TWO_63 = 0x1.0p63;
  private static final double TWO_64 = 0x1.0p64;

  private U64() {}

  /** The nearest double. */
  static double toDouble(final long value) {
    // The lowest bit is kept while halving, so that the one rounding is the right one.
    return value >= 0 ? (double) value : (double) (value >>> 1 | (value & 1)) * 2.0;
  }

  /** The whole part; what is below 0 or not a number is 0, what is too large is 2^64-1. */
  static long floor(final double value) {
    if (value < TWO_63) {
      return (long) Math.max(0.0, value);
    }
    return value < TWO_64 ? (long) (value - TWO_63) + Long.MIN_VALUE : Double.isNaN(value) ? 0 : -1;
  }

  /** The nearest whole number, halves away from zero; out of range as {@link #floor}. */
  static long round(final double value) {
    final double whole = Math.floor(value);
    return floor(value - whole >= 0.5 ? whole + 1.0 : whole);
  }

  static long min(final long a, final long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  /** The sum, or 2^64-1 if that is less. */
  static long add(final long a, final long b) {
    final long sum = a + b;
    return Long.compareUnsigned(sum, a) < 0 ? -1 : sum;
  }
}
