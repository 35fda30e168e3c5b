package io.kvroute.hash;

/**
 * XXH3-64 of more than 240 bytes.
 *
 * <p>The algorithm keeps eight lanes over stripes of 64 bytes and scrambles them after every
 * kilobyte. A lane only ever meets its neighbour in the pair (0, 1), (2, 3), (4, 5), (6, 7): so
 * each pair is followed from start to end by itself, with both lanes in registers, and the four
 * results are added. The input is walked four times, which costs nothing while it is in the
 * first-level cache.
 */
final class LongXxh3 {
  private static final int STRIPE = 64;
  private static final int BLOCK = 1024;
  private static final int STRIPES_PER_BLOCK = BLOCK / STRIPE;
  private static final int SCRAMBLE = 16;

  private LongXxh3() {}

  static long hash(final Object base, final long at, final long length, final long[] words) {
    final long merged =
        lanes(base, at, length, words, 0)
            + lanes(base, at, length, words, 2)
            + lanes(base, at, length, words, 4)
            + lanes(base, at, length, words, 6);
    return Mix.avalanche(Mix.start(length) + merged);
  }

  /** Follows lanes {@code lane} and {@code lane + 1} through the whole input. */
  private static long lanes(
      final Object base, final long start, final long length, final long[] words, final int lane) {
    long lane0 = words[HashSeed.INITIAL + lane];
    long lane1 = words[HashSeed.INITIAL + lane + 1];
    long at = start + 8L * lane;
    long left = length - 1;
    while (left >= STRIPE) {
      final int stripes = (int) Math.min(STRIPES_PER_BLOCK, left / STRIPE);
      for (int i = 0; i < stripes; i++) {
        final long word0 = Mix.read64(base, at);
        final long word1 = Mix.read64(base, at + 8);
        lane0 += word1 + product(word0 ^ words[lane + i]);
        lane1 += word0 + product(word1 ^ words[lane + i + 1]);
        at += STRIPE;
      }
      left -= (long) stripes * STRIPE;
      if (stripes == STRIPES_PER_BLOCK) {
        lane0 = scramble(lane0, words[SCRAMBLE + lane]);
        lane1 = scramble(lane1, words[SCRAMBLE + lane + 1]);
      }
    }
    final long last = start + length - STRIPE + 8L * lane;
    final long word0 = Mix.read64(base, last);
    final long word1 = Mix.read64(base, last + 8);
    lane0 += word1 + product(word0 ^ words[HashSeed.LAST_STRIPE + lane]);
    lane1 += word0 + product(word1 ^ words[HashSeed.LAST_STRIPE + lane + 1]);
    return merge(lane0, lane1, words, lane);
  }

  /**
   * Lanes {@code lane} and {@code lane + 1} of exactly 256 bytes: four stripes, nothing to
   * scramble.
   *
   * @param at the first word of the first lane
   */
  static long lanes256(final Object base, final long at, final long[] words, final int lane) {
    final int last = HashSeed.LAST_STRIPE + lane;
    final long sum0 =
        stripes(base, at, at + 8, words[lane], words[lane + 1], words[lane + 2], words[last]);
    final long sum1 =
        stripes(
            base, at + 8, at, words[lane + 1], words[lane + 2], words[lane + 3], words[last + 1]);
    return merge(
        words[HashSeed.INITIAL + lane] + sum0,
        words[HashSeed.INITIAL + lane + 1] + sum1,
        words,
        lane);
  }

  /**
   * Lanes {@code lane} and {@code lane + 1} of exactly 512 bytes: eight stripes, nothing to
   * scramble.
   *
   * @param at the first word of the first lane
   */
  static long lanes512(final Object base, final long at, final long[] words, final int lane) {
    final int last = HashSeed.LAST_STRIPE + lane;
    final long sum0 = stripes512(base, at, at + 8, words, lane, last);
    final long sum1 = stripes512(base, at + 8, at, words, lane + 1, last + 1);
    return merge(
        words[HashSeed.INITIAL + lane] + sum0,
        words[HashSeed.INITIAL + lane + 1] + sum1,
        words,
        lane);
  }

  private static long stripes512(
      final Object base,
      final long own,
      final long other,
      final long[] words,
      final int key,
      final int last) {
    final long half = 4 * STRIPE;
    return stripes(base, own, other, words[key], words[key + 1], words[key + 2], words[key + 3])
        + stripes(
            base,
            own + half,
            other + half,
            words[key + 4],
            words[key + 5],
            words[key + 6],
            words[last]);
  }

  /** What four stripes add to a lane: its own words' products, and its neighbour's words. */
  private static long stripes(
      final Object base,
      final long own,
      final long other,
      final long key0,
      final long key1,
      final long key2,
      final long key3) {
    return Mix.read64(base, other)
        + Mix.read64(base, other + STRIPE)
        + Mix.read64(base, other + 2 * STRIPE)
        + Mix.read64(base, other + 3 * STRIPE)
        + product(Mix.read64(base, own) ^ key0)
        + product(Mix.read64(base, own + STRIPE) ^ key1)
        + product(Mix.read64(base, own + 2 * STRIPE) ^ key2)
        + product(Mix.read64(base, own + 3 * STRIPE) ^ key3);
  }

  private static long merge(
      final long lane0, final long lane1, final long[] words, final int lane) {
    final int key = HashSeed.MERGE + lane;
    return Mix.fold(lane0 ^ words[key], lane1 ^ words[key + 1]);
  }

  /** Product of the two halves of a word. */
  static long product(final long word) {
    return (word & 0xFFFFFFFFL) * (word >>> 32);
  }

  private static long scramble(final long lane, final long key) {
    return (lane ^ (lane >>> 47) ^ key) * Mix.PRIME32_1;
  }
}
