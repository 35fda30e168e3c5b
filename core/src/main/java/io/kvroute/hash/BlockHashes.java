package io.kvroute.hash;

import java.util.List;

/**
 * Block hashing in the form of single calls that allocate their results; {@link BlockHasher} is the
 * form for hot paths. The values are those of NVIDIA Dynamo's router (Apache-2.0).
 *
 * <p>Thread-safe. All hashes are unsigned 64-bit.
 */
public final class BlockHashes {
  /** The seed of block hashes without an adapter, and of sequence hashes. */
  public static final long XXH3_SEED = 1337;

  /** The pad value of a multimodal hash whose low 30 bits are 0. */
  public static final long MM_PAD_SHIFT_VALUE = 1_000_000;

  /** The bits of a multimodal hash that enter its pad value. */
  public static final long MM_PAD_HASH_MASK = (1L << 30) - 1;

  private BlockHashes() {}

  /** The hash of raw bytes: XXH3-64 with seed 1337. */
  public static long computeBlockHash(final byte[] data) {
    return Xxh3.hash(data, 0, data.length, HashSeed.BLOCK);
  }

  /**
   * The local hashes of all whole blocks of a prompt.
   *
   * @param blockSize tokens per block, 0 to 2^32-1; with 0 there are none
   * @throws IllegalArgumentException if the block size is out of range
   */
  public static long[] computeBlockHashForSeq(
      final int[] tokens, final long blockSize, final BlockHashOptions options) {
    final BlockHasher hasher = BlockHasher.of(blockSize, options.loraName(), options.eagle());
    final int count = (int) hasher.blockCount(tokens.length);
    final long[] hashes = new long[count];
    final TokenView view = TokenView.of(tokens);
    final List<BlockExtraInfo> infos = options.blockMmInfos();
    if (infos == null) {
      hasher.localHashes(view, 0, count, hashes, 0);
    } else {
      new MmBlockHasher(hasher).localHashes(view, infos, 0, count, hashes, 0);
    }
    return hashes;
  }

  /** The sequence hash of a block from its parent's sequence hash and its own local hash. */
  public static long computeNextSeqHash(final long parentSeqHash, final long blockHash) {
    return SequenceHash.next(parentSeqHash, blockHash);
  }

  /** The sequence hashes of blocks from the first of a prompt on. */
  public static long[] computeSeqHashForBlock(final long[] blockHashes) {
    final long[] hashes = new long[blockHashes.length];
    SequenceHash.chain(blockHashes, 0, blockHashes.length, false, 0, hashes, 0);
    return hashes;
  }

  /**
   * The token that stands for an image's placeholders, which engine and frontend put in before
   * hashing so that they agree: 1,000,000 plus the low 30 bits.
   */
  public static int padValueForMmHash(final long mmHash) {
    return (int) (MM_PAD_SHIFT_VALUE + (mmHash & MM_PAD_HASH_MASK));
  }
}
