package io.kvroute.hash;

import io.kvroute.memory.RuntimeAccess;
import java.util.Arrays;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * Hashes blocks that may hold multimodal objects: a block's tokens are followed by the hashes of
 * its objects, sorted as unsigned numbers, eight little-endian bytes each. Where the objects lie
 * does not matter, and equal hashes count as often as they appear. A block without objects has the
 * hash of its tokens.
 *
 * <p>Keeps a scratch that grows to the largest block seen, so it is not thread-safe, and it
 * allocates nothing once the scratch is large enough.
 */
public final class MmBlockHasher {
  private static final long BYTES_BASE = RuntimeAccess.arrayBaseOffset(byte[].class);

  private final BlockHasher hasher;
  private byte[] bytes = new byte[0];
  private long[] mmHashes = new long[0];

  /** Makes one for the block size, adapter and window form of {@code hasher}. */
  public MmBlockHasher(final BlockHasher hasher) {
    this.hasher = hasher;
  }

  /**
   * Writes local hashes of consecutive blocks.
   *
   * @param infos what each block of the prompt holds besides tokens, by block number from the
   *     prompt's start; an entry may be null, and the list may be shorter than the prompt
   * @return the number of blocks hashed, which is {@code blockCount}
   * @throws IndexOutOfBoundsException if the prompt has no such blocks, or {@code out} no such
   *     slice; nothing is written then
   */
  public int localHashes(
      final TokenView tokens,
      final List<BlockExtraInfo> infos,
      final int firstBlock,
      final int blockCount,
      final long[] out,
      final int outIndex) {
    hasher.localHashes(tokens, firstBlock, blockCount, out, outIndex);
    final int end = Math.min(infos.size(), firstBlock + blockCount);
    for (int block = firstBlock; block < end; block++) {
      final BlockExtraInfo info = infos.get(block);
      if (info != null && !info.mmObjects().isEmpty()) {
        out[outIndex + block - firstBlock] = hash(tokens, block, info.mmObjects());
      }
    }
    return blockCount;
  }

  private long hash(
      final TokenView tokens, final int block, final List<BlockMmObjectInfo> objects) {
    final int tokenBytes = Math.toIntExact(hasher.windowSize() << 2);
    final int length = Math.addExact(tokenBytes, Math.multiplyExact(objects.size(), Long.BYTES));
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    tokens.copyBytes(block * hasher.blockSize(), hasher.windowSize(), bytes);
    appendSorted(objects, tokenBytes);
    return Xxh3.hashAt(bytes, BYTES_BASE, length, hasher.seed());
  }

  private void appendSorted(final List<BlockMmObjectInfo> objects, final int offset) {
    final int count = objects.size();
    if (mmHashes.length < count) {
      mmHashes = new long[count];
    }
    for (int i = 0; i < count; i++) {
      // With the top bit flipped, signed order is unsigned order.
      mmHashes[i] = objects.get(i).mmHash() ^ Long.MIN_VALUE;
    }
    Arrays.sort(mmHashes, 0, count);
    for (int i = 0; i < count; i++) {
      final long hash = mmHashes[i] ^ Long.MIN_VALUE;
      UnsafeApi.putLongUnaligned(bytes, BYTES_BASE + offset + 8L * i, hash, false);
    }
  }
}
