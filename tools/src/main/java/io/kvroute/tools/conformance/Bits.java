package io.kvroute.tools.conformance;

import java.util.OptionalDouble;

/** Doubles in golden files: 16 hexadecimal digits, so that every bit counts. */
final class Bits {
  private static final int NEAR_ULPS = 2;

  private Bits() {}

  static double of(final JsonTree digits) {
    final String text = digits.text();
    return "NaN".equals(text)
        ? Double.NaN
        : Double.longBitsToDouble(Long.parseUnsignedLong(text, 16));
  }

  static double[] doubles(final JsonTree digits) {
    return digits.elements().stream().mapToDouble(Bits::of).toArray();
  }

  /** True if both are the same to the bit. */
  static boolean same(final double expected, final double found) {
    return Double.doubleToRawLongBits(expected) == Double.doubleToRawLongBits(found);
  }

  /** True if they differ by what exponentials of different libraries may. */
  static boolean near(final double expected, final double found) {
    return same(expected, found)
        || Math.abs(expected - found) <= NEAR_ULPS * Math.ulp(Math.max(expected, found));
  }

  static String text(final OptionalDouble value) {
    return value.isPresent() ? Double.toString(value.getAsDouble()) : "null";
  }
}
