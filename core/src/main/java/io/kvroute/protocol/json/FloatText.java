package io.kvroute.protocol.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;

/**
 * Decimal texts of floating-point numbers: the fewest digits that are read back as the same number,
 * and of those the closest to it. The JDK's own texts will not do: they differ between versions,
 * and have two digits where one is enough.
 *
 * <p>Small and large numbers get an exponent, with its sign, as in {@code 1e+21}; others get a
 * decimal point, as in {@code 5.0}.
 */
final class FloatText {
  private static final int MIN_FIXED_EXPONENT = -5;
  private static final int MAX_FIXED_EXPONENT = 15;
  private static final int MIN_FIXED_EXPONENT_FLOAT = -6;
  private static final int MAX_FIXED_EXPONENT_FLOAT = 12;

  private FloatText() {}

  /** The text of a finite number. */
  static String of(final double value) {
    final double magnitude = Math.abs(value);
    final StringBuilder text = sign(Math.copySign(1.0, value) < 0);
    final BigDecimal digits =
        shortest(
            new BigDecimal(magnitude),
            Double.toString(magnitude),
            candidate -> Double.parseDouble(candidate.toString()) == magnitude);
    return append(text, digits, MIN_FIXED_EXPONENT, MAX_FIXED_EXPONENT);
  }

  /** The text of a finite number. */
  static String of(final float value) {
    final float magnitude = Math.abs(value);
    final StringBuilder text = sign(Math.copySign(1.0f, value) < 0);
    final BigDecimal digits =
        shortest(
            new BigDecimal(magnitude),
            Float.toString(magnitude),
            candidate -> Float.parseFloat(candidate.toString()) == magnitude);
    return append(text, digits, MIN_FIXED_EXPONENT_FLOAT, MAX_FIXED_EXPONENT_FLOAT);
  }

  private static StringBuilder sign(final boolean negative) {
    return new StringBuilder(25).append(negative ? "-" : "");
  }

  /**
   * The shortest decimal that is read back as the number. The JDK's text is read back as it, too,
   * so that no more digits than it has are needed; if some count of digits will do, so will every
   * higher one.
   */
  private static BigDecimal shortest(
      final BigDecimal exact, final String jdkText, final Predicate<BigDecimal> readsBack) {
    if (exact.signum() == 0) {
      return exact;
    }
    int precision = new BigDecimal(jdkText).stripTrailingZeros().precision();
    BigDecimal best = closest(exact, precision, readsBack);
    while (precision > 1) {
      precision--;
      final BigDecimal shorter = closest(exact, precision, readsBack);
      if (shorter == null) {
        break;
      }
      best = shorter;
    }
    return best.stripTrailingZeros();
  }

  /** The decimal of so many digits that is closest and is read back, or null if none is. */
  private static BigDecimal closest(
      final BigDecimal exact, final int precision, final Predicate<BigDecimal> readsBack) {
    final BigDecimal below = exact.round(new MathContext(precision, RoundingMode.DOWN));
    final BigDecimal above = exact.round(new MathContext(precision, RoundingMode.UP));
    final BigDecimal nearest = exact.round(new MathContext(precision, RoundingMode.HALF_EVEN));
    if (readsBack.test(nearest)) {
      return nearest;
    }
    // Below a power of two numbers are denser, so that the farther neighbour may be the only one.
    final BigDecimal other = nearest.compareTo(below) == 0 ? above : below;
    return readsBack.test(other) ? other : null;
  }

  private static String append(
      final StringBuilder text, final BigDecimal value, final int minFixed, final int maxFixed) {
    final String digits = value.unscaledValue().toString();
    final int exponent = value.precision() - value.scale() - 1;
    if (value.signum() == 0) {
      text.append("0.0");
    } else if (exponent < minFixed || exponent > maxFixed) {
      text.append(digits.charAt(0));
      if (digits.length() > 1) {
        text.append('.').append(digits, 1, digits.length());
      }
      text.append(exponent < 0 ? "e-" : "e+").append(Math.abs(exponent));
    } else if (exponent < 0) {
      text.append("0.").append("0".repeat(-exponent - 1)).append(digits);
    } else if (digits.length() <= exponent + 1) {
      text.append(digits).append("0".repeat(exponent + 1 - digits.length())).append(".0");
    } else {
      text.append(digits, 0, exponent + 1)
          .append('.')
          .append(digits, exponent + 1, digits.length());
    }
    return text.toString();
  }
}
