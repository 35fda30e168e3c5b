package io.kvroute.hash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a request contains besides tokens.
 *
 * @param mmObjects all multimodal objects of the request
 */
public record RequestExtraInfo(List<RequestMmObjectInfo> mmObjects) {
  /** Copies the list. */
  public RequestExtraInfo {
    mmObjects = List.copyOf(mmObjects);
  }

  /**
   * Cuts the objects at block boundaries. A block lists each object that has placeholders in it
   * once, in the order of the request, with all its ranges relative to the block; ranges that are
   * empty or beyond the last token vanish.
   *
   * @param blockSize tokens per block, unsigned 64-bit, not 0
   * @param totalTokens tokens of the request, unsigned 64-bit; a last part of a block counts as one
   * @return one entry per block, null where a block has no object
   * @throws IllegalArgumentException if the block size is 0, or if there are more than 2^31-1
   *     blocks
   */
  public List<BlockExtraInfo> toBlockLevel(final long blockSize, final long totalTokens) {
    if (blockSize == 0) {
      throw new IllegalArgumentException("block size must not be 0: totalTokens=" + totalTokens);
    }
    final int blockCount = blockCount(blockSize, totalTokens);
    final BlockExtraInfo[] blocks = new BlockExtraInfo[blockCount];
    for (final RequestMmObjectInfo object : mmObjects) {
      for (final MmRange range : object.offsets()) {
        addRange(blocks, object.mmHash(), range, blockSize, totalTokens);
      }
    }
    return Arrays.asList(blocks);
  }

  private static int blockCount(final long blockSize, final long totalTokens) {
    if (totalTokens == 0) {
      return 0;
    }
    final long last = Long.divideUnsigned(totalTokens - 1, blockSize);
    if (Long.compareUnsigned(last, Integer.MAX_VALUE) >= 0) {
      throw new IllegalArgumentException(
          "too many blocks: blockSize="
              + Long.toUnsignedString(blockSize)
              + " totalTokens="
              + Long.toUnsignedString(totalTokens));
    }
    return (int) last + 1;
  }

  private static void addRange(
      final BlockExtraInfo[] blocks,
      final long mmHash,
      final MmRange range,
      final long blockSize,
      final long totalTokens) {
    final long end = min(range.end(), totalTokens);
    if (Long.compareUnsigned(range.start(), end) >= 0) {
      return;
    }
    final int first = (int) Long.divideUnsigned(range.start(), blockSize);
    final int last = (int) Long.divideUnsigned(end - 1, blockSize);
    for (int block = first; block <= last; block++) {
      final long blockStart = block * blockSize;
      final long from = block == first ? range.start() - blockStart : 0;
      final long to = min(end - blockStart, blockSize);
      blocks[block] = with(blocks[block], mmHash, new MmRange(from, to));
    }
  }

  private static long min(final long a, final long b) {
    return Long.compareUnsigned(a, b) < 0 ? a : b;
  }

  private static BlockExtraInfo with(
      final BlockExtraInfo info, final long mmHash, final MmRange range) {
    final List<BlockMmObjectInfo> objects =
        info == null ? new ArrayList<>() : new ArrayList<>(info.mmObjects());
    for (int i = 0; i < objects.size(); i++) {
      if (objects.get(i).mmHash() == mmHash) {
        final List<MmRange> ranges = new ArrayList<>(objects.get(i).offsets());
        ranges.add(range);
        objects.set(i, new BlockMmObjectInfo(mmHash, ranges));
        return new BlockExtraInfo(objects);
      }
    }
    objects.add(new BlockMmObjectInfo(mmHash, List.of(range)));
    return new BlockExtraInfo(objects);
  }
}
