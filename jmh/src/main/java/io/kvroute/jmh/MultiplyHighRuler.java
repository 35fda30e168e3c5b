package io.kvroute.jmh;

import java.math.BigInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * Ruler for the arithmetic unit: a chain of wide multiplications, each of which waits for the one
 * before it. The figure is the time of one link; it moves with the clock of the core alone.
 */
public class MultiplyHighRuler extends BenchmarkBase {
  /** Links of the chain. */
  static final int LINKS = 1024;

  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private long start;

  /** Makes the ruler. */
  public MultiplyHighRuler() {}

  /** Compares the chain with one of whole numbers without a limit. */
  @Setup
  public void setUp() {
    start = 0x5DEECE66DL;
    BigInteger expected = BigInteger.valueOf(start);
    for (int i = 0; i < LINKS; i++) {
      final BigInteger high = expected.multiply(BigInteger.valueOf(FACTOR)).shiftRight(Long.SIZE);
      expected = BigInteger.valueOf(expected.xor(high).longValue() + FACTOR);
    }
    require("multiply-high chain", expected.longValue(), chain());
  }

  /** Runs the chain. */
  @Benchmark
  @OperationsPerInvocation(LINKS)
  public long chain() {
    long value = start;
    for (int i = 0; i < LINKS; i++) {
      value = (value ^ Math.multiplyHigh(value, FACTOR)) + FACTOR;
    }
    return value;
  }
}
