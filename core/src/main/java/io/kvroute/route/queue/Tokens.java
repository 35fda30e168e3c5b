package io.kvroute.route.queue;

/** Arithmetic on unsigned numbers of tokens. */
final class Tokens {
  private Tokens() {}

  /** What is left of {@code tokens}, or 0. */
  static long minus(final long tokens, final long taken) {
    return Long.compareUnsigned(tokens, taken) > 0 ? tokens - taken : 0;
  }

  /** Tokens that have to be computed, at least 1. */
  static long work(final long islTokens, final long cached) {
    return Long.compareUnsigned(islTokens, cached) > 0 ? islTokens - cached : 1;
  }

  static double toDouble(final long tokens) {
    if (tokens >= 0) {
      return tokens;
    }
    // The lowest bit is kept in sight, so that the halved number rounds as the whole one does.
    return ((tokens >>> 1) | (tokens & 1)) * 2.0;
  }

  /** The sum; 2^64-1 if that is too much. */
  static long plus(final long left, final long right) {
    final long sum = left + right;
    return Long.compareUnsigned(sum, left) < 0 ? -1 : sum;
  }

  /** The product; 2^64-1 if that is too much. */
  static long times(final long left, final long right) {
    return left != 0 && Long.compareUnsigned(right, Long.divideUnsigned(-1, left)) > 0
        ? -1
        : left * right;
  }
}
