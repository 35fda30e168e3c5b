package io.kvroute.twin;

/** A small seeded generator: the same numbers on every machine and JDK. */
final class SplitMix {
  private long state;

  SplitMix(final long seed) {
    state = seed;
  }

  long next() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A number from 0 to {@code bound} - 1. */
  int below(final int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }

  /** True once in {@code n} times. */
  boolean oneIn(final int n) {
    return below(n) == 0;
  }
}
