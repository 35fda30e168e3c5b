package io.kvroute.protocol;

import java.util.Objects;

/**
 * Blocks that were taken out of a cache.
 *
 * @param blockHashes the engine's names of the blocks, unsigned 64-bit
 */
public record KvCacheRemoveData(UnsignedLongs blockHashes) implements KvCacheEventData {
  /** Checks that there is a list. */
  public KvCacheRemoveData {
    Objects.requireNonNull(blockHashes, "blockHashes");
  }
}
