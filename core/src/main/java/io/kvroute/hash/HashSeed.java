package io.kvroute.hash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A seed of XXH3-64 with everything that follows from it: the secret words mixed with the seed, in
 * the forms in which the kernels want them. Deriving them costs about as much as hashing half a
 * kilobyte, so it is done once per seed.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class HashSeed {
  /** The default secret of XXH3. */
  private static final ByteBuffer SECRET =
      ByteBuffer.wrap(
              HexFormat.of()
                  .parseHex(
                      "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                          + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                          + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8"
                          + "fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364ea"
                          + "c5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b"
                          + "16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"))
          .order(ByteOrder.LITTLE_ENDIAN);

  /** The seed 0 of plain XXH3-64. */
  public static final HashSeed ZERO = new HashSeed(0);

  /** The seed 1337 of block hashes without an adapter, and of all sequence hashes. */
  public static final HashSeed BLOCK = new HashSeed(BlockHashes.XXH3_SEED);

  /** Index in {@link #words} of the words that key the last stripe of a long input. */
  static final int LAST_STRIPE = 24;

  /** Index in {@link #words} of the words that key the merging of the lanes of a long input. */
  static final int MERGE = 32;

  /** Index in {@link #words} of the words for bytes 128 and up of an input of 129 to 240 bytes. */
  static final int MIDDLE = 40;

  /** Index in {@link #words} of the words for the last 16 bytes of such an input. */
  static final int MIDDLE_END = 54;

  /**
   * Index in {@link #words} of what the lanes of a long input start with; not part of the secret.
   */
  static final int INITIAL = 56;

  private static final int WORDS = 64;

  /** For 0 bytes. */
  final long emptyFlip;

  /** For 1 to 3 bytes. */
  final long flip1;

  /** For 4 to 8 bytes. */
  final long flip4;

  /** For the first 8 bytes of 9 to 16. */
  final long flipLow;

  /** For the last 8 bytes of 9 to 16. */
  final long flipHigh;

  /** The 24 words of the seeded secret, then the groups that the indexes above name. */
  final long[] words;

  private final long value;

  private HashSeed(final long value) {
    this.value = value;
    emptyFlip = value ^ secret64(56) ^ secret64(64);
    flip1 = Integer.toUnsignedLong(SECRET.getInt(0) ^ SECRET.getInt(4)) + value;
    final long spread = value ^ ((long) Integer.reverseBytes((int) value) << 32);
    flip4 = (secret64(8) ^ secret64(16)) - spread;
    flipLow = (secret64(24) ^ secret64(32)) + value;
    flipHigh = (secret64(40) ^ secret64(48)) - value;
    words = words(value);
  }

  private static long[] words(final long seed) {
    final long[] words = new long[WORDS];
    for (int i = 0; i < LAST_STRIPE; i += 2) {
      words[i] = secret64(8 * i) + seed;
      words[i + 1] = secret64(8 * i + 8) - seed;
    }
    for (int i = 0; i < 8; i++) {
      words[LAST_STRIPE + i] = seeded64(words, 121 + 8 * i);
      words[MERGE + i] = seeded64(words, 11 + 8 * i);
    }
    for (int i = MIDDLE; i < MIDDLE_END; i += 2) {
      final int offset = 3 + 8 * (i - MIDDLE);
      words[i] = secret64(offset) + seed;
      words[i + 1] = secret64(offset + 8) - seed;
    }
    words[MIDDLE_END] = secret64(119) + seed;
    words[MIDDLE_END + 1] = secret64(127) - seed;
    words[INITIAL] = Mix.PRIME32_3;
    words[INITIAL + 1] = Mix.PRIME64_1;
    words[INITIAL + 2] = Mix.PRIME64_2;
    words[INITIAL + 3] = Mix.PRIME64_3;
    words[INITIAL + 4] = Mix.PRIME64_4;
    words[INITIAL + 5] = Mix.PRIME32_2;
    words[INITIAL + 6] = Mix.PRIME64_5;
    words[INITIAL + 7] = Mix.PRIME32_1;
    return words;
  }

  private static long secret64(final int offset) {
    return SECRET.getLong(offset);
  }

  /** Eight bytes of the seeded secret from an odd offset, put together from the two words there. */
  private static long seeded64(final long[] words, final int offset) {
    final int shift = 8 * (offset & 7);
    return (words[offset >>> 3] >>> shift) | (words[(offset >>> 3) + 1] << -shift);
  }

  /**
   * The seed with its secret. Allocates and derives, except for the seeds 0 and 1337, which are
   * shared.
   *
   * @param value unsigned 64-bit
   */
  public static HashSeed of(final long value) {
    if (value == BLOCK.value) {
      return BLOCK;
    }
    return value == 0 ? ZERO : new HashSeed(value);
  }

  /**
   * The seed of block hashes under a LoRA adapter: 1337 plus the XXH3-64 of the name's UTF-8 bytes
   * with seed 0, wrapping.
   *
   * @param loraName the adapter; null or empty means none, which gives {@link #BLOCK}
   */
  public static HashSeed ofLora(final String loraName) {
    if (loraName == null || loraName.isEmpty()) {
      return BLOCK;
    }
    final byte[] name = loraName.getBytes(StandardCharsets.UTF_8);
    return of(BlockHashes.XXH3_SEED + Xxh3.hash(name, 0, name.length, ZERO));
  }

  /** The seed itself, unsigned 64-bit. */
  public long value() {
    return value;
  }

  @Override
  public String toString() {
    return "HashSeed{value=" + Long.toUnsignedString(value) + '}';
  }
}
