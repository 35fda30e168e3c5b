package io.kvroute.jmh;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * Ruler for vector units and the first cache: the JDK's comparison of two arrays of 4 KiB that
 * differ in their last byte.
 */
public class MismatchRuler extends BenchmarkBase {
  /** Bytes of each array. */
  static final int LENGTH = 4096;

  private byte[] left;
  private byte[] right;

  /** Makes the ruler. */
  public MismatchRuler() {}

  /** Makes the arrays and looks for the difference byte by byte. */
  @Setup
  public void setUp() {
    left = new byte[LENGTH];
    new SplittableRandom(20260101).nextBytes(left);
    right = left.clone();
    right[LENGTH - 1] ^= 1;
    int expected = 0;
    while (left[expected] == right[expected]) {
      expected++;
    }
    require("place of the difference", LENGTH - 1, expected);
    require("mismatch", expected, mismatch());
  }

  /** Compares the arrays. */
  @Benchmark
  public int mismatch() {
    return Arrays.mismatch(left, right);
  }
}
