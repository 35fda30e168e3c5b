package io.kvroute.tools.io;

import java.math.BigInteger;

/**
 * The one formatter of decimals in reports. All digits come from integer arithmetic, so the text is
 * the same on every machine, JDK and locale.
 */
public final class Decimals {

  private Decimals() {}

  /**
   * {@code numerator / denominator} with exactly {@code digits} digits after the point, rounded
   * half up. A denominator of 0 gives zero: a share of nothing.
   *
   * @throws IllegalArgumentException if an argument is negative
   */
  public static String ratio(final long numerator, final long denominator, final int digits) {
    if (numerator < 0 || denominator < 0 || digits < 0) {
      throw negative(numerator, denominator, digits);
    }
    if (denominator == 0) {
      return fixed(BigInteger.ZERO, digits);
    }
    final BigInteger divisor = BigInteger.valueOf(denominator);
    final BigInteger scaled = BigInteger.valueOf(numerator).multiply(BigInteger.TEN.pow(digits));
    return fixed(scaled.shiftLeft(1).add(divisor).divide(divisor.shiftLeft(1)), digits);
  }

  /** As {@link #ratio}, in per cent with two digits and the sign. */
  public static String percent(final long numerator, final long denominator) {
    return fixed(new BigInteger(ratio(numerator, denominator, 4).replace(".", "")), 2) + " %";
  }

  private static String fixed(final BigInteger scaled, final int digits) {
    if (digits == 0) {
      return scaled.toString();
    }
    final StringBuilder text = new StringBuilder(scaled.toString());
    while (text.length() <= digits) {
      text.insert(0, '0');
    }
    return text.insert(text.length() - digits, '.').toString();
  }

  /** A whole number with commas between groups of three digits. */
  public static String grouped(final long value) {
    final StringBuilder text = new StringBuilder(Long.toString(value));
    final int first = value < 0 ? 1 : 0;
    for (int i = text.length() - 3; i > first; i -= 3) {
      text.insert(i, ',');
    }
    return text.toString();
  }

  /** 64 bits as 16 hexadecimal digits. */
  public static String hex(final long value) {
    final String digits = Long.toHexString(value);
    return "0".repeat(16 - digits.length()) + digits;
  }

  private static IllegalArgumentException negative(
      final long numerator, final long denominator, final int digits) {
    return new IllegalArgumentException(
        "not negative expected: numerator="
            + numerator
            + " denominator="
            + denominator
            + " digits="
            + digits);
  }
}
