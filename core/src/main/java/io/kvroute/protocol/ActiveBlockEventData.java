package io.kvroute.protocol;

import java.util.Objects;

/** How the blocks of a request change. */
public sealed interface ActiveBlockEventData
    permits ActiveBlockEventData.NewBlock, ActiveBlockEventData.FreeBlock {

  /**
   * It has new blocks.
   *
   * @param sequenceHashes of the blocks, unsigned 64-bit
   */
  record NewBlock(UnsignedLongs sequenceHashes) implements ActiveBlockEventData {
    /** Checks that there is a list. */
    public NewBlock {
      Objects.requireNonNull(sequenceHashes, "sequenceHashes");
    }
  }

  /** Its blocks are free. */
  record FreeBlock() implements ActiveBlockEventData {}
}
