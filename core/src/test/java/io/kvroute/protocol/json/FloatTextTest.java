package io.kvroute.protocol.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FloatTextTest {
  private static final long SEED = 754;

  @Test
  void shouldWriteKnownDoubles() {
    final String[] texts = {
      "0.0",
      "-0.0",
      "5.0",
      "-5.0",
      "0.1",
      "0.30000000000000004",
      "0.3333333333333333",
      "1000000000000000.0",
      "9999999999999998.0",
      "1e+16",
      "1.5e+16",
      "1e+21",
      "1e+23",
      "0.001",
      "0.00001",
      "0.000015",
      "1e-6",
      "1e-7",
      "9.5367431640625e-7",
      "123456789.125",
      "1.7976931348623157e+308",
      "2.2250738585072014e-308",
      "5e-324",
      "2e-323",
      "1e-323",
      "5.684341886080802e-14",
      "9007199254740992.0",
      "9.223372036854776e+18",
      "2e-44",
      "120.0"
    };
    for (final String text : texts) {
      assertEquals(text, FloatText.of(Double.parseDouble(text)));
    }
  }

  @Test
  void shouldWriteKnownFloats() {
    final String[] texts = {
      "0.0", "-0.0", "0.1", "0.33333334", "16777216.0", "1e-45", "1.1754944e-38",
      "3.4028235e+38", "3.4e+38", "0.00001", "0.000001", "1e-7", "1000000000000.0", "1e+13",
      "1e+16", "9.999999e+37", "8.507059e+37", "-2.5"
    };
    for (final String text : texts) {
      assertEquals(text, FloatText.of(Float.parseFloat(text)));
    }
  }

  @Test
  void shouldWriteTheShortestAndClosestDigitsOfDoubles() {
    for (int exponent = -1074; exponent <= 1023; exponent++) {
      final double power = Math.scalb(1.0, exponent);
      checkDouble(power);
      checkDouble(Math.nextUp(power));
      checkDouble(Math.nextDown(power));
    }
    for (int exponent = -323; exponent <= 308; exponent++) {
      final double power = Double.parseDouble("1e" + exponent);
      checkDouble(power);
      checkDouble(Math.nextUp(power));
      checkDouble(Math.nextDown(power));
    }
    final SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 20_000; i++) {
      checkDouble(Double.longBitsToDouble(random.nextLong()));
      checkDouble(random.nextInt(1_000_000) / 1000.0);
      checkDouble((double) (random.nextLong() >>> random.nextInt(64)));
    }
  }

  @Test
  void shouldWriteTheShortestAndClosestDigitsOfFloats() {
    for (int exponent = -149; exponent <= 127; exponent++) {
      final float power = Math.scalb(1.0f, exponent);
      checkFloat(power);
      checkFloat(Math.nextUp(power));
      checkFloat(Math.nextDown(power));
    }
    final SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 30_000; i++) {
      checkFloat(Float.intBitsToFloat(random.nextInt()));
      checkFloat(random.nextInt(10_000) / 100.0f);
    }
  }

  private static void checkDouble(final double value) {
    final double magnitude = Math.abs(value);
    if (!Double.isFinite(value) || magnitude == 0) {
      return;
    }
    final String text = FloatText.of(value);
    final boolean isEven = (Double.doubleToRawLongBits(magnitude) & 1) == 0;
    final BigDecimal above =
        magnitude == Double.MAX_VALUE
            ? new BigDecimal(magnitude).add(new BigDecimal(Math.ulp(magnitude)))
            : new BigDecimal(Math.nextUp(magnitude));
    check(new BigDecimal(magnitude), new BigDecimal(Math.nextDown(magnitude)), above, isEven, text);
    assertEquals(
        Double.doubleToRawLongBits(value), Double.doubleToRawLongBits(Double.parseDouble(text)));
  }

  private static void checkFloat(final float value) {
    final float magnitude = Math.abs(value);
    if (!Float.isFinite(value) || magnitude == 0) {
      return;
    }
    final String text = FloatText.of(value);
    final boolean isEven = (Float.floatToRawIntBits(magnitude) & 1) == 0;
    final BigDecimal above =
        magnitude == Float.MAX_VALUE
            ? new BigDecimal(magnitude).add(new BigDecimal(Math.ulp(magnitude)))
            : new BigDecimal(Math.nextUp(magnitude));
    check(new BigDecimal(magnitude), new BigDecimal(Math.nextDown(magnitude)), above, isEven, text);
    assertEquals(Float.floatToRawIntBits(value), Float.floatToRawIntBits(Float.parseFloat(text)));
  }

  /**
   * Finds the digits another way: from the interval of all decimals that are read as the number,
   * which ends half way to its neighbours, and at an even number includes its ends.
   */
  private static void check(
      final BigDecimal exact,
      final BigDecimal below,
      final BigDecimal above,
      final boolean isEven,
      final String text) {
    final BigDecimal two = BigDecimal.valueOf(2);
    final BigDecimal low = exact.add(below).divide(two);
    final BigDecimal high = exact.add(above).divide(two);
    final BigDecimal found = new BigDecimal(text).abs();
    for (int precision = 1; precision <= 17; precision++) {
      final int scale = precision - 1 - (exact.precision() - exact.scale() - 1);
      final BigDecimal nearest = exact.setScale(scale, RoundingMode.HALF_EVEN);
      final BigInteger first = low.setScale(scale, RoundingMode.UP).unscaledValue();
      final BigInteger last = high.setScale(scale, RoundingMode.DOWN).unscaledValue();
      BigDecimal best = null;
      for (BigInteger digits = first;
          digits.compareTo(last) <= 0;
          digits = digits.add(BigInteger.ONE)) {
        final BigDecimal candidate = new BigDecimal(digits, scale);
        final boolean isInside =
            (candidate.compareTo(low) > 0 && candidate.compareTo(high) < 0)
                || (isEven && (candidate.compareTo(low) == 0 || candidate.compareTo(high) == 0));
        if (isInside && candidate.signum() > 0 && isCloser(candidate, best, exact, nearest)) {
          best = candidate;
        }
      }
      if (best != null) {
        assertEquals(0, best.compareTo(found), () -> "exact=" + exact.round(MathContext.DECIMAL64));
        return;
      }
    }
    throw new AssertionError("no digits found: exact=" + exact);
  }

  private static boolean isCloser(
      final BigDecimal candidate,
      final BigDecimal best,
      final BigDecimal exact,
      final BigDecimal nearest) {
    if (best == null) {
      return true;
    }
    final int order = candidate.subtract(exact).abs().compareTo(best.subtract(exact).abs());
    return order < 0 || (order == 0 && candidate.compareTo(nearest) == 0);
  }
}
