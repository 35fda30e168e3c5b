package io.kvroute.route;

/** Where decisions that are left to chance come from. */
@FunctionalInterface
public interface RandomSource {
  /** 64 bits, uniform. */
  long nextLong();

  /** A number of [0, 1), uniform. */
  default double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /**
   * A whole number from 0 to {@code bound - 1}, uniform but for the last bits of a double.
   *
   * @param bound from 1 on
   */
  default int nextInt(final int bound) {
    return (int) (nextDouble() * bound);
  }

  /**
   * The SplitMix64 generator, a counter that steps by the golden ratio, mixed. Its numbers depend
   * on the seed alone. Not thread-safe; allocates nothing.
   */
  static RandomSource seeded(final long seed) {
    return new SplitMix64(seed);
  }
}
