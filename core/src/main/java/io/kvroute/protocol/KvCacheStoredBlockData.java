package io.kvroute.protocol;

import io.kvroute.hash.BlockExtraInfo;

/**
 * One block that was added to a cache.
 *
 * @param blockHash the engine's name of the block in its sequence, unsigned 64-bit
 * @param tokensHash the router's hash of the block's tokens, unsigned 64-bit
 * @param mmExtraInfo multimodal objects in the block, or null
 */
public record KvCacheStoredBlockData(long blockHash, long tokensHash, BlockExtraInfo mmExtraInfo) {
  /** A block without multimodal objects. */
  public KvCacheStoredBlockData(final long blockHash, final long tokensHash) {
    this(blockHash, tokensHash, null);
  }

  @Override
  public String toString() {
    return "KvCacheStoredBlockData[blockHash="
        + Long.toUnsignedString(blockHash)
        + ", tokensHash="
        + Long.toUnsignedString(tokensHash)
        + ", mmExtraInfo="
        + mmExtraInfo
        + ']';
  }
}
