package io.kvroute.tools.workload;

/** Functions that the definitions of the workloads share; all arithmetic wraps at 64 bits. */
final class Numbers {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long FOLD_PRIME = 0x100000001b3L;

  private Numbers() {}

  /** Scatters 64 bits. */
  static long mix64(final long value) {
    long z = value + GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Token number {@code i} of the synthetic prompts. */
  static int tok(final long i) {
    return (int) ((i * GOLDEN) >>> 40);
  }

  /** Takes {@code value} into a running checksum, which begins with 0. */
  static long fold(final long checksum, final long value) {
    return (checksum ^ value) * FOLD_PRIME;
  }
}
