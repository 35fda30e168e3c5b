package io.kvroute.protocol;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Blocks that were added to a cache, one behind the other.
 *
 * @param parentHash hash of the block before the first one, unsigned 64-bit; absent at the root
 * @param startPosition index of the first block in its sequence, unsigned 32-bit, where known
 * @param blocks in their order in the sequence
 */
public record KvCacheStoreData(
    OptionalLong parentHash, OptionalInt startPosition, List<KvCacheStoredBlockData> blocks)
    implements KvCacheEventData {
  /** Copies the list. */
  public KvCacheStoreData {
    Objects.requireNonNull(parentHash, "parentHash");
    Objects.requireNonNull(startPosition, "startPosition");
    blocks = List.copyOf(blocks);
  }

  @Override
  public String toString() {
    return "KvCacheStoreData[parentHash="
        + Unsigned.text(parentHash)
        + ", startPosition="
        + Unsigned.text(startPosition)
        + ", blocks="
        + blocks
        + ']';
  }
}
