package io.kvroute.hash;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What besides the tokens makes up a block hash.
 *
 * @param loraName the adapter; null or empty means none
 * @param eagle true for windows of one token more than the block size
 * @param blockMmInfos what each block holds besides tokens, by block number; an entry may be null,
 *     and the list may be shorter than the prompt or null
 */
public record BlockHashOptions(String loraName, boolean eagle, List<BlockExtraInfo> blockMmInfos) {
  /** No adapter, plain windows, tokens only. */
  public static final BlockHashOptions DEFAULT = new BlockHashOptions(null, false, null);

  /** Copies the list. */
  public BlockHashOptions {
    blockMmInfos =
        blockMmInfos == null ? null : Collections.unmodifiableList(new ArrayList<>(blockMmInfos));
  }

  /** The same with an adapter. */
  public BlockHashOptions withLoraName(final String name) {
    return new BlockHashOptions(name, eagle, blockMmInfos);
  }

  /** The same in Eagle form, or not. */
  public BlockHashOptions withEagle(final boolean isEagle) {
    return new BlockHashOptions(loraName, isEagle, blockMmInfos);
  }

  /** The same with multimodal objects. */
  public BlockHashOptions withBlockMmInfos(final List<BlockExtraInfo> infos) {
    return new BlockHashOptions(loraName, eagle, infos);
  }
}
