package io.kvroute.hash;

import io.kvroute.memory.Region;
import io.kvroute.memory.RuntimeAccess;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Hashes the whole blocks of a prompt: local hashes, and in the same pass the chain of sequence
 * hashes. One hasher serves one block size, one adapter and one window form, whose seed and kernel
 * are settled when it is made.
 *
 * <p>A block is {@code blockSize} tokens. In Eagle form it is a window of one token more, and the
 * windows still start {@code blockSize} apart, so neighbours share a token.
 *
 * <p>Immutable and safe to share between threads. No hashing method allocates (on a big-endian
 * machine those over an {@code int[]} do).
 */
public final class BlockHasher {
  /** The largest block size, in tokens. */
  public static final long MAX_BLOCK_SIZE = 0xFFFFFFFFL;

  private static final long LONGS_BASE = RuntimeAccess.arrayBaseOffset(long[].class);

  private final long blockSize;
  private final long window;
  private final BlockKernel kernel;

  private BlockHasher(final long blockSize, final HashSeed seed, final boolean eagle) {
    RuntimeAccess.check();
    if (blockSize < 0 || blockSize > MAX_BLOCK_SIZE) {
      throw new IllegalArgumentException(
          "block size out of range: blockSize=" + blockSize + " max=" + MAX_BLOCK_SIZE);
    }
    this.blockSize = blockSize;
    this.window = eagle ? blockSize + 1 : blockSize;
    this.kernel = BlockKernel.of(blockSize, window, seed);
  }

  /** A hasher without an adapter, for plain windows. */
  public static BlockHasher of(final long blockSize) {
    return new BlockHasher(blockSize, HashSeed.BLOCK, false);
  }

  /**
   * Makes a hasher.
   *
   * @param blockSize tokens per block, 0 to 2^32-1; with 0 no prompt has a block
   * @param loraName the adapter; null or empty means none
   * @param eagle true for windows of one token more than the block size
   * @throws IllegalArgumentException if the block size is out of range
   */
  public static BlockHasher of(final long blockSize, final String loraName, final boolean eagle) {
    return new BlockHasher(blockSize, HashSeed.ofLora(loraName), eagle);
  }

  /** Tokens per block. */
  public long blockSize() {
    return blockSize;
  }

  /** Tokens that one hash covers: the block size, or one more in Eagle form. */
  public long windowSize() {
    return window;
  }

  /** The seed of the local hashes. */
  public HashSeed seed() {
    return kernel.seed;
  }

  /**
   * Number of whole blocks (windows) in a prompt.
   *
   * @param tokenCount 0 or more
   */
  public long blockCount(final long tokenCount) {
    return blockSize == 0 || tokenCount < window ? 0 : (tokenCount - window) / blockSize + 1;
  }

  /**
   * Writes local hashes of consecutive blocks.
   *
   * @return the number of blocks hashed, which is {@code blockCount}
   * @throws IndexOutOfBoundsException if the prompt has no such blocks, or {@code out} no such
   *     slice; nothing is written then
   */
  public int localHashes(
      final TokenView tokens,
      final int firstBlock,
      final int blockCount,
      final long[] out,
      final int outIndex) {
    checkBlocks(tokens, firstBlock, blockCount);
    Ranges.check("out", outIndex, blockCount, out.length);
    local(tokens, firstBlock, blockCount, out, at(outIndex));
    return blockCount;
  }

  /**
   * Writes local hashes of consecutive blocks in native byte order, at any alignment.
   *
   * @return the number of blocks hashed, which is {@code blockCount}
   * @throws IndexOutOfBoundsException if the prompt has no such blocks, or {@code out} no room for
   *     eight bytes each; nothing is written then
   */
  public int localHashes(
      final TokenView tokens,
      final int firstBlock,
      final int blockCount,
      final MutableDirectBuffer out,
      final int outOffset) {
    checkBlocks(tokens, firstBlock, blockCount);
    Ranges.check("out", outOffset, (long) blockCount << 3, out.capacity());
    local(tokens, firstBlock, blockCount, out.byteArray(), out.addressOffset() + outOffset);
    return blockCount;
  }

  /**
   * Writes local hashes of consecutive blocks, eight bytes each in native byte order.
   *
   * @param outOffset a multiple of 8
   * @return the number of blocks hashed, which is {@code blockCount}
   * @throws IndexOutOfBoundsException if the prompt has no such blocks or, in checked mode, {@code
   *     out} no room for them
   */
  public int localHashes(
      final TokenView tokens,
      final int firstBlock,
      final int blockCount,
      final Region out,
      final long outOffset) {
    checkBlocks(tokens, firstBlock, blockCount);
    out.checkRange(outOffset, (long) blockCount << 3);
    int done = 0;
    while (done < blockCount) {
      final long offset = outOffset + ((long) done << 3);
      final int step = step(blockCount - done, out.contiguousLength(offset));
      final long address = out.addressOf(offset, (long) step << 3);
      local(tokens, firstBlock + done, step, null, address);
      done += step;
    }
    return blockCount;
  }

  /**
   * Writes local hashes and sequence hashes of consecutive blocks in one pass.
   *
   * @param hasParent false if the first of these blocks is the first of the prompt's chain
   * @param parentHash the sequence hash of the block before; not read without a parent
   * @return the number of blocks hashed, which is {@code blockCount}; chain steps made: as many, or
   *     one less without a parent
   * @throws IndexOutOfBoundsException if the prompt has no such blocks, or an array no such slice;
   *     nothing is written then
   */
  public int hashes(
      final TokenView tokens,
      final int firstBlock,
      final int blockCount,
      final boolean hasParent,
      final long parentHash,
      final long[] localOut,
      final int localIndex,
      final long[] chainOut,
      final int chainIndex) {
    checkBlocks(tokens, firstBlock, blockCount);
    Ranges.check("localOut", localIndex, blockCount, localOut.length);
    Ranges.check("chainOut", chainIndex, blockCount, chainOut.length);
    chained(
        tokens,
        firstBlock,
        blockCount,
        hasParent,
        parentHash,
        localOut,
        at(localIndex),
        chainOut,
        at(chainIndex));
    return blockCount;
  }

  /**
   * Writes local hashes and sequence hashes of consecutive blocks in one pass, in native byte
   * order, at any alignment; the two ranges must not overlap.
   *
   * @param hasParent false if the first of these blocks is the first of the prompt's chain
   * @param parentHash the sequence hash of the block before; not read without a parent
   * @return the number of blocks hashed, which is {@code blockCount}
   * @throws IndexOutOfBoundsException if the prompt has no such blocks, or a buffer no room for
   *     eight bytes each; nothing is written then
   */
  public int hashes(
      final TokenView tokens,
      final int firstBlock,
      final int blockCount,
      final boolean hasParent,
      final long parentHash,
      final MutableDirectBuffer localOut,
      final int localOffset,
      final MutableDirectBuffer chainOut,
      final int chainOffset) {
    checkBlocks(tokens, firstBlock, blockCount);
    Ranges.check("localOut", localOffset, (long) blockCount << 3, localOut.capacity());
    Ranges.check("chainOut", chainOffset, (long) blockCount << 3, chainOut.capacity());
    chained(
        tokens,
        firstBlock,
        blockCount,
        hasParent,
        parentHash,
        localOut.byteArray(),
        localOut.addressOffset() + localOffset,
        chainOut.byteArray(),
        chainOut.addressOffset() + chainOffset);
    return blockCount;
  }

  /**
   * Writes local hashes and sequence hashes of consecutive blocks in one pass, eight bytes each in
   * native byte order; the two ranges must not overlap.
   *
   * @param hasParent false if the first of these blocks is the first of the prompt's chain
   * @param parentHash the sequence hash of the block before; not read without a parent
   * @param localOffset a multiple of 8
   * @param chainOffset a multiple of 8
   * @return the number of blocks hashed, which is {@code blockCount}
   * @throws IndexOutOfBoundsException if the prompt has no such blocks or, in checked mode, a
   *     region no room for them
   */
  public int hashes(
      final TokenView tokens,
      final int firstBlock,
      final int blockCount,
      final boolean hasParent,
      final long parentHash,
      final Region localOut,
      final long localOffset,
      final Region chainOut,
      final long chainOffset) {
    checkBlocks(tokens, firstBlock, blockCount);
    localOut.checkRange(localOffset, (long) blockCount << 3);
    chainOut.checkRange(chainOffset, (long) blockCount << 3);
    int done = 0;
    boolean chainStarted = hasParent;
    long parent = parentHash;
    while (done < blockCount) {
      final long localAt = localOffset + ((long) done << 3);
      final long chainAt = chainOffset + ((long) done << 3);
      final int step =
          step(
              blockCount - done,
              Math.min(localOut.contiguousLength(localAt), chainOut.contiguousLength(chainAt)));
      final long bytes = (long) step << 3;
      parent =
          chained(
              tokens,
              firstBlock + done,
              step,
              chainStarted,
              parent,
              null,
              localOut.addressOf(localAt, bytes),
              null,
              chainOut.addressOf(chainAt, bytes));
      chainStarted = true;
      done += step;
    }
    return blockCount;
  }

  /** Blocks whose hashes fit before the end of a slab; at least one, as no hash crosses it. */
  private static int step(final int left, final long contiguousBytes) {
    return (int) Math.max(1, Math.min(left, contiguousBytes >>> 3));
  }

  private static long at(final int index) {
    return LONGS_BASE + ((long) index << 3);
  }

  private void checkBlocks(final TokenView tokens, final int firstBlock, final int count) {
    Ranges.check("blocks", firstBlock, count, blockCount(tokens.count()));
  }

  /** Hashes into memory that was verified. */
  private void local(
      final TokenView tokens,
      final int firstBlock,
      final int count,
      final Object out,
      final long at) {
    if (!Mix.LITTLE && tokens.isIntArray()) {
      local(swapped(tokens), firstBlock, count, out, at);
      return;
    }
    kernel.local(tokens.base(), from(tokens, firstBlock), count, out, at);
  }

  /** Hashes into memory that was verified; returns the last sequence hash. */
  private long chained(
      final TokenView tokens,
      final int firstBlock,
      final int count,
      final boolean hasParent,
      final long parentHash,
      final Object localOut,
      final long localAt,
      final Object chainOut,
      final long chainAt) {
    if (!Mix.LITTLE && tokens.isIntArray()) {
      return chained(
          swapped(tokens),
          firstBlock,
          count,
          hasParent,
          parentHash,
          localOut,
          localAt,
          chainOut,
          chainAt);
    }
    final Object base = tokens.base();
    final long from = from(tokens, firstBlock);
    if (hasParent || count == 0) {
      return kernel.chained(base, from, count, parentHash, localOut, localAt, chainOut, chainAt);
    }
    final long root = Xxh3.hashAt(base, from, window << 2, kernel.seed);
    UnsafeApi.putLong(localOut, localAt, root);
    UnsafeApi.putLong(chainOut, chainAt, root);
    return kernel.chained(
        base,
        from + (blockSize << 2),
        count - 1,
        root,
        localOut,
        localAt + Long.BYTES,
        chainOut,
        chainAt + Long.BYTES);
  }

  private long from(final TokenView tokens, final int firstBlock) {
    return tokens.address() + ((firstBlock * blockSize) << 2);
  }

  /** On a big-endian machine, a view over the little-endian bytes of an array's tokens. */
  private static TokenView swapped(final TokenView tokens) {
    final int[] ints = (int[]) tokens.base();
    final byte[] bytes = SwappedInts.copy(ints, tokens.address(), tokens.count());
    return new TokenView().wrap(ByteBuffer.wrap(bytes), 0, tokens.count());
  }
}
