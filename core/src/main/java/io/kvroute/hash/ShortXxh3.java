package io.kvroute.hash;

/** XXH3-64 of 0 to 240 bytes. */
final class ShortXxh3 {
  /** The longest input of this form, in bytes. */
  static final int MAX_LENGTH = 240;

  private ShortXxh3() {}

  static long hash(final Object base, final long at, final int length, final HashSeed seed) {
    if (length <= 16) {
      return upTo16(base, at, length, seed);
    }
    return length <= 128
        ? upTo128(base, at, length, seed.words)
        : upTo240(base, at, length, seed.words);
  }

  private static long upTo16(
      final Object base, final long at, final int length, final HashSeed seed) {
    if (length > 8) {
      return from9To16(Mix.read64(base, at), Mix.read64(base, at + length - 8), length, seed);
    }
    if (length >= 4) {
      return from4To8(base, at, length, seed.flip4);
    }
    return length > 0 ? from1To3(base, at, length, seed.flip1) : Mix.avalanche64(seed.emptyFlip);
  }

  private static long from1To3(
      final Object base, final long at, final int length, final long flip) {
    final long first = Mix.read8(base, at);
    final long middle = Mix.read8(base, at + (length >>> 1));
    final long last = Mix.read8(base, at + length - 1);
    final long combined = (first << 16) | (middle << 24) | last | ((long) length << 8);
    return Mix.avalanche64(combined ^ flip);
  }

  private static long from4To8(
      final Object base, final long at, final int length, final long flip) {
    final long word = Mix.read32(base, at + length - 4) + (Mix.read32(base, at) << 32);
    long hash = word ^ flip;
    hash ^= Long.rotateLeft(hash, 49) ^ Long.rotateLeft(hash, 24);
    hash *= Mix.PRIME_MX2;
    hash ^= (hash >>> 35) + length;
    hash *= Mix.PRIME_MX2;
    return hash ^ (hash >>> 28);
  }

  static long from9To16(final long first, final long last, final int length, final HashSeed seed) {
    final long low = first ^ seed.flipLow;
    final long high = last ^ seed.flipHigh;
    return Mix.avalanche(length + Long.reverseBytes(low) + high + Mix.fold(low, high));
  }

  /** Pairs of 16 bytes from both ends towards the middle; they overlap there. */
  private static long upTo128(
      final Object base, final long at, final int length, final long[] words) {
    long sum = Mix.start(length);
    final int pairs = (length - 1) >>> 5;
    for (int i = pairs; i >= 0; i--) {
      sum += Mix.mix16(base, at + 16L * i, words[4 * i], words[4 * i + 1]);
      sum += Mix.mix16(base, at + length - 16L * (i + 1), words[4 * i + 2], words[4 * i + 3]);
    }
    return Mix.avalanche(sum);
  }

  private static long upTo240(
      final Object base, final long at, final int length, final long[] words) {
    long sum = Mix.start(length);
    for (int i = 0; i < 8; i++) {
      sum += Mix.mix16(base, at + 16L * i, words[2 * i], words[2 * i + 1]);
    }
    sum = Mix.avalanche(sum);
    final int rounds = length >>> 4;
    for (int i = 8; i < rounds; i++) {
      final int key = HashSeed.MIDDLE + 2 * (i - 8);
      sum += Mix.mix16(base, at + 16L * i, words[key], words[key + 1]);
    }
    final int key = HashSeed.MIDDLE_END;
    sum += Mix.mix16(base, at + length - 16, words[key], words[key + 1]);
    return Mix.avalanche(sum);
  }

  /** Exactly 64 bytes: the general form without its loop. */
  static long hash64(final Object base, final long at, final long[] words) {
    return Mix.avalanche(
        Mix.start(64)
            + Mix.mix16(base, at, words[0], words[1])
            + Mix.mix16(base, at + 16, words[4], words[5])
            + Mix.mix16(base, at + 32, words[6], words[7])
            + Mix.mix16(base, at + 48, words[2], words[3]));
  }

  /** Exactly 128 bytes: the general form without its loop. */
  static long hash128(final Object base, final long at, final long[] words) {
    return Mix.avalanche(
        Mix.start(128)
            + Mix.mix16(base, at, words[0], words[1])
            + Mix.mix16(base, at + 16, words[4], words[5])
            + Mix.mix16(base, at + 32, words[8], words[9])
            + Mix.mix16(base, at + 48, words[12], words[13])
            + Mix.mix16(base, at + 64, words[14], words[15])
            + Mix.mix16(base, at + 80, words[10], words[11])
            + Mix.mix16(base, at + 96, words[6], words[7])
            + Mix.mix16(base, at + 112, words[2], words[3]));
  }
}
