package io.kvroute.twin;

/** The linear congruential generator of the reference workloads: 31-bit values. */
final class Lcg {
  private long state;

  Lcg(final long seed) {
    state = seed;
  }

  long next() {
    state = state * 6364136223846793005L + 1442695040888963407L;
    return state >>> 33;
  }
}
