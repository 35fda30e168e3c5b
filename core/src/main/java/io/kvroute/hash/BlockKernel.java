package io.kvroute.hash;

import org.agrona.UnsafeApi;

/**
 * Hashes consecutive blocks of one length, alone or with their chain in the same pass. The chain
 * waits for its own last result at every step, so the processor works on the local hashes of the
 * following blocks meanwhile.
 *
 * <p>Each length has a class of its own, and with it loops in which the compiler sees one kernel
 * only: it is chosen when a hasher is made, and costs one virtual call per range of blocks. The
 * lengths that prompts are cut into in practice have straight-line kernels. All loops are written
 * out because a loop shared by the kernels would call them through a table.
 *
 * <p>The same kernel stands in both arms of a test for memory off the heap: knowing whether there
 * is a base, the compiler keeps one register per address and not two.
 *
 * <p>Immutable. Memory is named by a base object and an address, verified by the caller; the base
 * is null off the heap.
 */
abstract class BlockKernel {
  /** Blocks hashed before their chain follows, where the two are not interleaved. */
  private static final int CHUNK = 16;

  final HashSeed seed;
  final long stride;

  BlockKernel(final long stride, final HashSeed seed) {
    this.stride = stride;
    this.seed = seed;
  }

  /**
   * The kernel for blocks that start {@code blockSize} tokens apart and cover {@code window} tokens
   * each.
   */
  static BlockKernel of(final long blockSize, final long window, final HashSeed seed) {
    if (blockSize != window) {
      return new Any(blockSize << 2, window << 2, seed);
    }
    if (blockSize == 16) {
      return new Bytes64(seed);
    }
    if (blockSize == 32) {
      return new Bytes128(seed);
    }
    if (blockSize == 64) {
      return new Bytes256(seed);
    }
    return blockSize == 128 ? new Bytes512(seed) : new Any(blockSize << 2, window << 2, seed);
  }

  /** Writes the local hashes of {@code count} blocks from {@code from} on. */
  abstract void local(Object base, long from, int count, Object out, long at);

  /**
   * Writes the local hashes and the sequence hashes of {@code count} blocks from {@code from} on.
   *
   * @param parent the sequence hash of the block before
   * @return the last sequence hash, or {@code parent} if there is no block
   */
  long chained(
      final Object base,
      final long from,
      final int count,
      final long parent,
      final Object localOut,
      final long localAt,
      final Object chainOut,
      final long chainAt) {
    long hash = parent;
    for (int done = 0; done < count; done += CHUNK) {
      final int step = Math.min(CHUNK, count - done);
      final long at = (long) done << 3;
      local(base, from + done * stride, step, localOut, localAt + at);
      for (long end = at + ((long) step << 3), i = at; i < end; i += Long.BYTES) {
        hash = SequenceHash.next(hash, UnsafeApi.getLong(localOut, localAt + i));
        UnsafeApi.putLong(chainOut, chainAt + i, hash);
      }
    }
    return hash;
  }

  /** Blocks of 16 tokens. */
  private static final class Bytes64 extends BlockKernel {
    private static final int LENGTH = 64;

    Bytes64(final HashSeed seed) {
      super(LENGTH, seed);
    }

    @Override
    void local(
        final Object base, final long from, final int count, final Object out, final long at) {
      final long[] words = seed.words;
      for (int i = 0; i < count; i++) {
        final long block = from + (long) i * LENGTH;
        final long local =
            base == null
                ? ShortXxh3.hash64(null, block, words)
                : ShortXxh3.hash64(base, block, words);
        UnsafeApi.putLong(out, at + ((long) i << 3), local);
      }
    }

    @Override
    long chained(
        final Object base,
        final long from,
        final int count,
        final long parent,
        final Object localOut,
        final long localAt,
        final Object chainOut,
        final long chainAt) {
      final long[] words = seed.words;
      long hash = parent;
      for (int i = 0; i < count; i++) {
        final long block = from + (long) i * LENGTH;
        final long local =
            base == null
                ? ShortXxh3.hash64(null, block, words)
                : ShortXxh3.hash64(base, block, words);
        hash = SequenceHash.next(hash, local);
        UnsafeApi.putLong(localOut, localAt + ((long) i << 3), local);
        UnsafeApi.putLong(chainOut, chainAt + ((long) i << 3), hash);
      }
      return hash;
    }
  }

  /** Blocks of 32 tokens. */
  private static final class Bytes128 extends BlockKernel {
    private static final int LENGTH = 128;

    Bytes128(final HashSeed seed) {
      super(LENGTH, seed);
    }

    @Override
    void local(
        final Object base, final long from, final int count, final Object out, final long at) {
      final long[] words = seed.words;
      for (int i = 0; i < count; i++) {
        final long block = from + (long) i * LENGTH;
        final long local =
            base == null
                ? ShortXxh3.hash128(null, block, words)
                : ShortXxh3.hash128(base, block, words);
        UnsafeApi.putLong(out, at + ((long) i << 3), local);
      }
    }

    @Override
    long chained(
        final Object base,
        final long from,
        final int count,
        final long parent,
        final Object localOut,
        final long localAt,
        final Object chainOut,
        final long chainAt) {
      final long[] words = seed.words;
      long hash = parent;
      for (int i = 0; i < count; i++) {
        final long block = from + (long) i * LENGTH;
        final long local =
            base == null
                ? ShortXxh3.hash128(null, block, words)
                : ShortXxh3.hash128(base, block, words);
        hash = SequenceHash.next(hash, local);
        UnsafeApi.putLong(localOut, localAt + ((long) i << 3), local);
        UnsafeApi.putLong(chainOut, chainAt + ((long) i << 3), hash);
      }
      return hash;
    }
  }

  /** Blocks of 64 tokens. */
  private static final class Bytes256 extends BlockKernel {
    private static final int LENGTH = 256;

    Bytes256(final HashSeed seed) {
      super(LENGTH, seed);
    }

    @Override
    void local(
        final Object base, final long from, final int count, final Object out, final long at) {
      final long[] words = seed.words;
      for (int i = 0; i < count; i++) {
        final long block = from + (long) i * LENGTH;
        final long local =
            base == null
                ? Mix.avalanche(
                    Mix.start(LENGTH)
                        + LongXxh3.lanes256(null, block, words, 0)
                        + LongXxh3.lanes256(null, block + 16, words, 2)
                        + LongXxh3.lanes256(null, block + 32, words, 4)
                        + LongXxh3.lanes256(null, block + 48, words, 6))
                : Mix.avalanche(
                    Mix.start(LENGTH)
                        + LongXxh3.lanes256(base, block, words, 0)
                        + LongXxh3.lanes256(base, block + 16, words, 2)
                        + LongXxh3.lanes256(base, block + 32, words, 4)
                        + LongXxh3.lanes256(base, block + 48, words, 6));
        UnsafeApi.putLong(out, at + ((long) i << 3), local);
      }
    }
  }

  /** Blocks of 128 tokens. */
  private static final class Bytes512 extends BlockKernel {
    private static final int LENGTH = 512;

    Bytes512(final HashSeed seed) {
      super(LENGTH, seed);
    }

    @Override
    void local(
        final Object base, final long from, final int count, final Object out, final long at) {
      final long[] words = seed.words;
      for (int i = 0; i < count; i++) {
        final long block = from + (long) i * LENGTH;
        final long local =
            base == null
                ? Mix.avalanche(
                    Mix.start(LENGTH)
                        + LongXxh3.lanes512(null, block, words, 0)
                        + LongXxh3.lanes512(null, block + 16, words, 2)
                        + LongXxh3.lanes512(null, block + 32, words, 4)
                        + LongXxh3.lanes512(null, block + 48, words, 6))
                : Mix.avalanche(
                    Mix.start(LENGTH)
                        + LongXxh3.lanes512(base, block, words, 0)
                        + LongXxh3.lanes512(base, block + 16, words, 2)
                        + LongXxh3.lanes512(base, block + 32, words, 4)
                        + LongXxh3.lanes512(base, block + 48, words, 6));
        UnsafeApi.putLong(out, at + ((long) i << 3), local);
      }
    }
  }

  /** Blocks of any other length, and overlapping windows. */
  private static final class Any extends BlockKernel {
    private final long length;

    Any(final long stride, final long length, final HashSeed seed) {
      super(stride, seed);
      this.length = length;
    }

    @Override
    void local(
        final Object base, final long from, final int count, final Object out, final long at) {
      for (int i = 0; i < count; i++) {
        final long local = Xxh3.hashAt(base, from + i * stride, length, seed);
        UnsafeApi.putLong(out, at + ((long) i << 3), local);
      }
    }
  }
}
