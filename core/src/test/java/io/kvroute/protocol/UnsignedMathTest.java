package io.kvroute.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class UnsignedMathTest {
  private static final BigInteger MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
  private static final long[] CORNERS = {
    0,
    1,
    2,
    3,
    1L << 31,
    1L << 32,
    (1L << 53) + 1,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -2049,
    -1025,
    -2,
    -1
  };

  private static BigInteger big(final long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  private static long saturated(final BigInteger value) {
    return value.max(BigInteger.ZERO).min(MAX).longValue();
  }

  private static void check(final long left, final long right) {
    final String what = Long.toUnsignedString(left) + ' ' + Long.toUnsignedString(right);
    final BigInteger a = big(left);
    final BigInteger b = big(right);
    assertEquals(saturated(a.add(b)), UnsignedMath.add(left, right), what);
    assertEquals(saturated(a.subtract(b)), UnsignedMath.subtract(left, right), what);
    assertEquals(saturated(a.multiply(b)), UnsignedMath.multiply(left, right), what);
    assertEquals(a.min(b).longValue(), UnsignedMath.min(left, right), what);
    assertEquals(a.doubleValue(), UnsignedMath.toDouble(left), what);
  }

  @Test
  void shouldAgreeWithBigIntegersAndSaturate() {
    for (final long left : CORNERS) {
      for (final long right : CORNERS) {
        check(left, right);
      }
    }
    final Random random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      check(random.nextLong() >>> random.nextInt(64), random.nextLong() >>> random.nextInt(64));
    }
  }

  @Test
  void shouldCutAndRoundDoubles() {
    final Random random = new Random(6);
    for (int i = 0; i < 10_000; i++) {
      final double value = Math.scalb(random.nextDouble(), random.nextInt(70));
      final BigDecimal exact = new BigDecimal(value);
      assertEquals(saturated(exact.toBigInteger()), UnsignedMath.floor(value), "" + value);
      assertEquals(
          saturated(exact.setScale(0, RoundingMode.HALF_UP).toBigInteger()),
          UnsignedMath.round(value),
          "" + value);
    }
  }

  @Test
  void shouldSaturateWhatNoUnsignedNumberIs() {
    for (final double below : new double[] {-0.6, -1e300, Double.NEGATIVE_INFINITY, Double.NaN}) {
      assertEquals(0, UnsignedMath.floor(below));
      assertEquals(0, UnsignedMath.round(below));
    }
    for (final double above : new double[] {0x1.0p64, 1e300, Double.POSITIVE_INFINITY}) {
      assertEquals(-1, UnsignedMath.floor(above));
      assertEquals(-1, UnsignedMath.round(above));
    }
  }
}
