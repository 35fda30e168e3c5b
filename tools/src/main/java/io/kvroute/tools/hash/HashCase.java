package io.kvroute.tools.hash;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.BlockHashOptions;
import io.kvroute.hash.BlockHashes;
import io.kvroute.hash.BlockMmObjectInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * One prompt to be hashed, and, if the file names them, the hashes that are right. Filled by {@link
 * HashCaseReader}, not changed afterwards; arrays are shared with the caller, who leaves them
 * alone.
 */
public final class HashCase {
  static final long NO_BLOCK_SIZE = -1;

  String name;
  int[] tokens;
  long blockSize = NO_BLOCK_SIZE;
  String loraName;
  boolean eagle;
  List<long[]> mmHashes;
  long[] blockHashes;
  long[] sequenceHashes;

  HashCase() {}

  /** Name of the case, or null. */
  public String name() {
    return name;
  }

  /** The prompt, unsigned 32-bit each. */
  public int[] tokens() {
    return tokens;
  }

  /** Tokens per block, from 0 to 2^32-1. */
  public long blockSize() {
    return blockSize;
  }

  /** The adapter, or null. */
  public String loraName() {
    return loraName;
  }

  /** True for windows of one token more than the block size. */
  public boolean eagle() {
    return eagle;
  }

  /** By block, its multimodal hashes; entries and the list itself may be null. */
  public List<long[]> mmHashes() {
    return mmHashes;
  }

  /** The local hashes that are right, or null. */
  public long[] blockHashes() {
    return blockHashes;
  }

  /** The chain that is right, or null. */
  public long[] sequenceHashes() {
    return sequenceHashes;
  }

  /** The local hashes as kvroute computes them. */
  public long[] computeBlockHashes() {
    final BlockHashOptions options = new BlockHashOptions(loraName, eagle, blockInfos());
    return BlockHashes.computeBlockHashForSeq(tokens, blockSize, options);
  }

  private List<BlockExtraInfo> blockInfos() {
    if (mmHashes == null) {
      return null;
    }
    final List<BlockExtraInfo> infos = new ArrayList<>();
    for (final long[] hashes : mmHashes) {
      if (hashes == null) {
        infos.add(null);
        continue;
      }
      final List<BlockMmObjectInfo> objects = new ArrayList<>();
      for (final long hash : hashes) {
        objects.add(new BlockMmObjectInfo(hash, List.of()));
      }
      infos.add(new BlockExtraInfo(objects));
    }
    return infos;
  }
}
