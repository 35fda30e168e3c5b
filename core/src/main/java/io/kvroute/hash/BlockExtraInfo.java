package io.kvroute.hash;

import java.util.List;

/**
 * What one block contains besides tokens.
 *
 * @param mmObjects all multimodal objects with placeholders in this block
 */
public record BlockExtraInfo(List<BlockMmObjectInfo> mmObjects) {
  /** Copies the list. */
  public BlockExtraInfo {
    mmObjects = List.copyOf(mmObjects);
  }
}
