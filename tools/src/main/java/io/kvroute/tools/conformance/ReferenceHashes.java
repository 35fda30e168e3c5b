package io.kvroute.tools.conformance;

import io.kvroute.tools.hash.HashCase;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.openhft.hashing.LongHashFunction;

/** Block hashing written for clarity over Zero-Allocation-Hashing's XXH3. */
final class ReferenceHashes {
  private static final long SEED = 1337;
  private static final boolean AVAILABLE = probe();

  private ReferenceHashes() {}

  /** False if this JVM denies the library the memory access that it needs. */
  static boolean isAvailable() {
    return AVAILABLE;
  }

  private static boolean probe() {
    try {
      return LongHashFunction.xx3(0).hashBytes(new byte[0]) == 0x2D06800538D394C2L;
    } catch (final UnsupportedOperationException | AssertionError | LinkageError e) {
      return false;
    }
  }

  static long xxh3(final byte[] bytes, final long seed) {
    return LongHashFunction.xx3(seed).hashBytes(bytes);
  }

  static long[] blockHashes(final HashCase each) {
    final int tokens = each.tokens().length;
    final long window = each.blockSize() + (each.eagle() ? 1 : 0);
    if (each.blockSize() == 0 || tokens < window) {
      return new long[0];
    }
    final int blockSize = (int) each.blockSize();
    final int count = (tokens - (each.eagle() ? 1 : 0)) / blockSize;
    final long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      final long[] mmHashes = mmHashes(each.mmHashes(), i);
      final ByteBuffer bytes =
          ByteBuffer.allocate((int) window * Integer.BYTES + mmHashes.length * Long.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN);
      for (int j = 0; j < window; j++) {
        bytes.putInt(each.tokens()[i * blockSize + j]);
      }
      for (final long hash : mmHashes) {
        bytes.putLong(hash);
      }
      hashes[i] = xxh3(bytes.array(), seed(each.loraName()));
    }
    return hashes;
  }

  /** The hashes of a block's objects in ascending unsigned order. */
  private static long[] mmHashes(final List<long[]> byBlock, final int block) {
    if (byBlock == null || block >= byBlock.size() || byBlock.get(block) == null) {
      return new long[0];
    }
    return Arrays.stream(byBlock.get(block))
        .boxed()
        .sorted(Long::compareUnsigned)
        .mapToLong(Long::longValue)
        .toArray();
  }

  private static long seed(final String loraName) {
    return loraName == null || loraName.isEmpty()
        ? SEED
        : SEED + xxh3(loraName.getBytes(StandardCharsets.UTF_8), 0);
  }

  static long[] sequenceHashes(final long[] blockHashes) {
    final long[] chain = blockHashes.clone();
    for (int i = 1; i < chain.length; i++) {
      final ByteBuffer link = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
      chain[i] = xxh3(link.putLong(chain[i - 1]).putLong(blockHashes[i]).array(), SEED);
    }
    return chain;
  }
}
