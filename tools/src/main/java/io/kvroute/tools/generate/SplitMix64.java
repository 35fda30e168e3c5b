package io.kvroute.tools.generate;

/**
 * The SplitMix64 generator: a counter that steps by the golden ratio, mixed. Its numbers depend on
 * the seed alone. Not thread-safe.
 */
final class SplitMix64 {
  private static final long STEP = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  SplitMix64(final long seed) {
    state = seed;
  }

  long next() {
    state += STEP;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * A number from 0 to {@code bound - 1}; the bias of at most bound / 2^63 does not matter here.
   */
  long below(final long bound) {
    return (next() >>> 1) % bound;
  }

  /**
   * A whole number with about an exponential distribution: floor(-mean * ln(u)), at most {@code
   * max}. {@link StrictMath} has the same bits everywhere.
   */
  long exponential(final long mean, final long max) {
    final double u = ((next() >>> 11) + 1) * UNIT;
    return Math.min(max, (long) (-mean * StrictMath.log(u)));
  }
}
