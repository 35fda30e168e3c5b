package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.kvroute.memory.Arena;
import io.kvroute.memory.BorderRegion;
import io.kvroute.memory.Region;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hashing from and into regions where two slabs meet. */
class SlabBorderHashTest {
  private static final long BORDER = BorderRegion.BORDER;
  private static final int BLOCKS = 9;

  private final Arena arena = Arena.tracking(1 << 20);
  private final Region far = BorderRegion.over(arena.allocate("memory", 8192));
  private final Region farToo = BorderRegion.over(arena.allocate("more memory", 8192));

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16, 64, 240, 241, 1024, 3000})
  void shouldHashBytesAcrossABorder(final int length) {
    final byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    for (int before = 0; before <= length; before += Math.max(1, length / 7)) {
      final long offset = BORDER - before;
      for (int i = 0; i < length; i++) {
        far.putByte(offset + i, bytes[i]);
      }
      assertEquals(
          Xxh3.hash(bytes, 0, length, HashSeed.BLOCK),
          Xxh3.hash(far, offset, length, HashSeed.BLOCK),
          "length=" + length + " before=" + before);
    }
  }

  @Test
  void shouldRefuseBytesBeyondTheEndInCheckedMode() {
    Assumptions.assumeTrue(Region.CHECKED, "regions are verified in checked mode only");
    assertThrows(
        IndexOutOfBoundsException.class, () -> Xxh3.hash(far, BORDER - 8, 1 << 20, HashSeed.BLOCK));
    assertThrows(IndexOutOfBoundsException.class, () -> Xxh3.hash(far, BORDER, -1, HashSeed.BLOCK));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 16, 32, 64, 128})
  void shouldWriteHashesOnBothSidesOfABorder(final int blockSize) {
    final int[] tokens = IntStream.range(0, BLOCKS * blockSize).map(i -> i * 7919).toArray();
    final TokenView view = TokenView.of(tokens);
    final BlockHasher hasher = BlockHasher.of(blockSize);
    final long[] locals = new long[BLOCKS];
    final long[] chain = new long[BLOCKS];
    for (final boolean hasParent : new boolean[] {false, true}) {
      hasher.hashes(view, 0, BLOCKS, hasParent, 77, locals, 0, chain, 0);
      for (int before = 0; before <= BLOCKS; before++) {
        final String what = "blockSize=" + blockSize + " before=" + before + ' ' + hasParent;
        final long localAt = BORDER - 8L * before;
        final long chainAt = BORDER - 8L * (BLOCKS - before);
        hasher.hashes(view, 0, BLOCKS, hasParent, 77, far, localAt, farToo, chainAt);
        assertHashes(locals, far, localAt, what);
        assertHashes(chain, farToo, chainAt, what);
        hasher.localHashes(view, 0, BLOCKS, farToo, chainAt);
        assertHashes(locals, farToo, chainAt, what);
        SequenceHash.chain(farToo, chainAt, BLOCKS, hasParent, 77, far, localAt);
        assertHashes(chain, far, localAt, what);
      }
    }
  }

  private static void assertHashes(
      final long[] expected, final Region region, final long offset, final String what) {
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], region.getLong(offset + 8L * i), what + " index=" + i);
    }
  }
}
