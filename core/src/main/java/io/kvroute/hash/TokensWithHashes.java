package io.kvroute.hash;

import java.util.List;
import java.util.Objects;

/**
 * A prompt with its block hashes and sequence hashes, computed when first asked for and kept until
 * a change to what they depend on.
 *
 * <p>The arrays that are passed in and handed out are not copied: they belong to this object and
 * must not be changed. Not thread-safe.
 */
public final class TokensWithHashes {
  private final int[] tokens;
  private final long blockSize;
  private List<BlockExtraInfo> blockMmInfos;
  private String loraName;
  private Boolean eagle;
  private long[] blockHashes;
  private long[] seqHashes;

  /**
   * Makes a prompt with neither adapter nor multimodal objects.
   *
   * @param blockSize tokens per block, 0 to 2^32-1
   */
  public TokensWithHashes(final int[] tokens, final long blockSize) {
    this.tokens = Objects.requireNonNull(tokens, "tokens");
    this.blockSize = blockSize;
  }

  /** Sets the multimodal objects of the blocks and drops all hashes. */
  public TokensWithHashes withMmInfos(final List<BlockExtraInfo> infos) {
    blockMmInfos = BlockHashOptions.DEFAULT.withBlockMmInfos(infos).blockMmInfos();
    invalidate();
    return this;
  }

  /** Sets the adapter and drops all hashes. */
  public TokensWithHashes withLoraName(final String name) {
    loraName = name;
    invalidate();
    return this;
  }

  /** As {@link #setEagle}. */
  public TokensWithHashes withEagle(final boolean isEagle) {
    setEagle(isEagle);
    return this;
  }

  /**
   * Sets the window form. Drops all hashes if it changes; the first call counts as a change, as the
   * form was not set before.
   */
  public void setEagle(final boolean isEagle) {
    if (eagle == null || eagle != isEagle) {
      eagle = isEagle;
      invalidate();
    }
  }

  private void invalidate() {
    blockHashes = null;
    seqHashes = null;
  }

  /** The tokens. */
  public int[] tokens() {
    return tokens;
  }

  /** Number of tokens. */
  public int size() {
    return tokens.length;
  }

  /** True if there are no tokens. */
  public boolean isEmpty() {
    return tokens.length == 0;
  }

  /** Tokens per block. */
  public long blockSize() {
    return blockSize;
  }

  /** The multimodal objects by block, or null if none were set. */
  public List<BlockExtraInfo> blockMmInfos() {
    return blockMmInfos;
  }

  /** The local hashes of all whole blocks, computed if need be. */
  public long[] getOrComputeBlockHashes() {
    if (blockHashes == null) {
      final BlockHashOptions options =
          new BlockHashOptions(loraName, Boolean.TRUE.equals(eagle), blockMmInfos);
      blockHashes = BlockHashes.computeBlockHashForSeq(tokens, blockSize, options);
    }
    return blockHashes;
  }

  /** The sequence hashes of all whole blocks; they and the local hashes are computed if need be. */
  public long[] getOrComputeSeqHashes() {
    if (seqHashes == null) {
      seqHashes = BlockHashes.computeSeqHashForBlock(getOrComputeBlockHashes());
    }
    return seqHashes;
  }

  /** The local hashes, or null if they are not computed. */
  public long[] blockHashes() {
    return blockHashes;
  }

  /** The sequence hashes, or null if they are not computed. */
  public long[] seqHashes() {
    return seqHashes;
  }
}
