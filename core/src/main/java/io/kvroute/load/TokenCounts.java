package io.kvroute.load;

import io.kvroute.protocol.UnsignedMath;

/** Arithmetic of tokens that are to be prefilled and blocks that are put out. All static. */
public final class TokenCounts {
  private TokenCounts() {}

  /**
   * Tokens of a prompt that have to be prefilled.
   *
   * @param islTokens of the prompt, unsigned
   * @param cachedTokens of them, unsigned; more than the prompt has count as all of it
   */
  public static long effectivePrefill(final long islTokens, final long cachedTokens) {
    return UnsignedMath.subtract(islTokens, cachedTokens);
  }

  /**
   * Tokens of a prompt that are cached, given those that have to be prefilled.
   *
   * @throws IllegalArgumentException if those are more than the prompt has
   */
  public static long cachedPrefix(final long islTokens, final long effectiveTokens) {
    if (Long.compareUnsigned(effectiveTokens, islTokens) > 0) {
      throw tooMany(islTokens, effectiveTokens);
    }
    return islTokens - effectiveTokens;
  }

  private static IllegalArgumentException tooMany(
      final long islTokens, final long effectiveTokens) {
    return new IllegalArgumentException(
        "more tokens to prefill than the prompt has: effectiveTokens="
            + Long.toUnsignedString(effectiveTokens)
            + " islTokens="
            + Long.toUnsignedString(islTokens));
  }

  /**
   * Blocks that prompt and output fill, the last one perhaps in part. An output block is to be
   * added whenever this grows.
   *
   * @param islTokens of the prompt, 0 or more
   * @param outputTokens so far, 0 or more
   * @param blockSize at least 1
   */
  public static long totalBlocks(
      final long islTokens, final long outputTokens, final long blockSize) {
    final long tokens = islTokens + outputTokens;
    return tokens == 0 ? 0 : (tokens - 1) / blockSize + 1;
  }

  /**
   * The part of the expected output that is still to come; the weight of a request's own blocks.
   *
   * @param outputTokens so far, 0 or more
   * @param expectedTokens unsigned 32-bit; 0 counts as 1
   */
  public static double outputLeft(final long outputTokens, final int expectedTokens) {
    final double expected = Math.max(1L, Integer.toUnsignedLong(expectedTokens));
    return Math.max(0.0, 1.0 - outputTokens / expected);
  }
}
