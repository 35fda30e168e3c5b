package io.kvroute.hash;

import io.kvroute.memory.Region;

/**
 * The chain of sequence hashes: a block's sequence hash stands for the block and everything before
 * it. The first is the block's own local hash; each later one is the XXH3-64, seed 1337, of its
 * parent and the local hash, eight little-endian bytes each. The seed of an adapter has no part in
 * the chain.
 *
 * <p>Thread-safe; allocates nothing. All hashes are unsigned 64-bit.
 */
public final class SequenceHash {
  private static final long FLIP_PARENT = HashSeed.BLOCK.flipLow;
  private static final long FLIP_LOCAL = HashSeed.BLOCK.flipHigh;
  private static final int LENGTH = 2 * Long.BYTES;

  private SequenceHash() {}

  /** The sequence hash of a block from its parent's sequence hash and its own local hash. */
  public static long next(final long parentHash, final long localHash) {
    final long low = parentHash ^ FLIP_PARENT;
    final long high = localHash ^ FLIP_LOCAL;
    return Mix.avalanche((LENGTH + high) + Long.reverseBytes(low) + Mix.fold(low, high));
  }

  /**
   * Chains {@code count} local hashes; {@code out} may be {@code localHashes} itself with the same
   * index.
   *
   * @param hasParent false if the first block is the first of its sequence
   * @param parentHash the sequence hash before the first block; not read without a parent
   * @return the number of hashes written, which is {@code count}; chain steps made: {@code count},
   *     or one less without a parent
   * @throws IndexOutOfBoundsException if a slice is not inside its array; nothing is written then
   */
  public static int chain(
      final long[] localHashes,
      final int index,
      final int count,
      final boolean hasParent,
      final long parentHash,
      final long[] out,
      final int outIndex) {
    Ranges.check("localHashes", index, count, localHashes.length);
    Ranges.check("out", outIndex, count, out.length);
    if (count == 0) {
      return 0;
    }
    long hash = hasParent ? next(parentHash, localHashes[index]) : localHashes[index];
    out[outIndex] = hash;
    for (int i = 1; i < count; i++) {
      hash = next(hash, localHashes[index + i]);
      out[outIndex + i] = hash;
    }
    return count;
  }

  /**
   * Chains {@code count} local hashes of eight bytes each, in native byte order; the two ranges may
   * be the same.
   *
   * @param hasParent false if the first block is the first of its sequence
   * @param parentHash the sequence hash before the first block; not read without a parent
   * @return the number of hashes written, which is {@code count}
   * @throws IndexOutOfBoundsException if the count is negative or, in checked mode, if a range is
   *     not inside its region
   */
  public static int chain(
      final Region localHashes,
      final long offset,
      final int count,
      final boolean hasParent,
      final long parentHash,
      final Region out,
      final long outOffset) {
    Ranges.check("localHashes", 0, count, Integer.MAX_VALUE);
    if (count == 0) {
      return 0;
    }
    final long first = localHashes.getLong(offset);
    long hash = hasParent ? next(parentHash, first) : first;
    out.putLong(outOffset, hash);
    for (long at = Long.BYTES; at < (long) count << 3; at += Long.BYTES) {
      hash = next(hash, localHashes.getLong(offset + at));
      out.putLong(outOffset + at, hash);
    }
    return count;
  }
}
