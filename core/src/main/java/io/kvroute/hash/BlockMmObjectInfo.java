package io.kvroute.hash;

import java.util.List;

/**
 * A multimodal object within one block.
 *
 * @param mmHash identifies the object, unsigned 64-bit
 * @param offsets where its placeholders lie, relative to the start of the block; does not enter the
 *     block hash
 */
public record BlockMmObjectInfo(long mmHash, List<MmRange> offsets) {
  /** Copies the list. */
  public BlockMmObjectInfo {
    offsets = List.copyOf(offsets);
  }
}
