package io.kvroute.route;

/** See {@link RandomSource#seeded}. */
final class SplitMix64 implements RandomSource {
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private long state;

  SplitMix64(final long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += STEP;
    long z = state;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
