package io.kvroute.tools.workload;

/**
 * The reference workloads' source of numbers: 31 bits of a 64-bit linear congruential generator.
 */
final class Lcg {
  private static final long MULTIPLIER = 6364136223846793005L;
  private static final long INCREMENT = 1442695040888963407L;

  private long state;

  Lcg(final long start) {
    state = start;
  }

  long next() {
    state = state * MULTIPLIER + INCREMENT;
    return state >>> 33;
  }

  int nextBelow(final int bound) {
    return (int) (next() % bound);
  }
}
