package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Hashing allocates nothing on the Java heap once it is warm. */
class HashAllocationTest {
  private static final int WARM_UPS = 2_000;
  private static final int TOKENS = 1_024;
  private static final int[] BLOCK_SIZES = {1, 3, 16, 17, 32, 64, 70, 128};

  private final int[] tokens = IntStream.range(0, TOKENS).toArray();
  private final byte[] bytes = MemoryForms.bytesOf(tokens);
  private final ByteBuffer direct = MemoryForms.direct(bytes, 3);
  private final long[] locals = new long[TOKENS];
  private final long[] chain = new long[TOKENS];
  private long sink;

  private static void assertNothing(final String what, final Runnable body) {
    assertEquals(0, AllocationMeter.bytes(WARM_UPS, body), what);
  }

  @Test
  void shouldHashPromptsWithoutGarbage() {
    final TokenView view = new TokenView();
    final UnsafeBuffer agrona = new UnsafeBuffer(direct);
    for (final int blockSize : BLOCK_SIZES) {
      for (final boolean eagle : new boolean[] {false, true}) {
        final BlockHasher hasher = BlockHasher.of(blockSize, "adapter-a", eagle);
        final int count = (int) hasher.blockCount(TOKENS);
        final String what = "blockSize=" + blockSize + " eagle=" + eagle;
        assertNothing(
            what + " int[]",
            () -> {
              view.wrap(tokens, 0, TOKENS);
              hasher.localHashes(view, 0, count, locals, 0);
              hasher.hashes(view, 0, count, false, 0, locals, 0, chain, 0);
            });
        assertNothing(
            what + " direct buffer",
            () -> {
              view.wrap(direct, 3, TOKENS);
              hasher.hashes(view, 1, count - 1, true, 7, locals, 0, chain, 0);
            });
        assertNothing(
            what + " UnsafeBuffer",
            () -> {
              view.wrap(agrona, 3, TOKENS);
              hasher.hashes(view, 0, count, true, 7, locals, 0, chain, 0);
            });
      }
    }
  }

  @Test
  void shouldHashIntoBuffersAndRegionsWithoutGarbage() {
    final TokenView view = TokenView.of(tokens);
    final BlockHasher hasher = BlockHasher.of(16);
    final int count = (int) hasher.blockCount(TOKENS);
    final UnsafeBuffer heap = new UnsafeBuffer(new byte[8 * count + 1]);
    final UnsafeBuffer off = new UnsafeBuffer(ByteBuffer.allocateDirect(8 * count));
    try (Arena arena = Arena.ofCapacity(1 << 20)) {
      final Region local = arena.allocate("local", 8L * count);
      final Region sequence = arena.allocate("sequence", 8L * count);
      assertNothing(
          "buffers",
          () -> {
            hasher.localHashes(view, 0, count, heap, 1);
            hasher.hashes(view, 0, count, false, 0, heap, 1, off, 0);
          });
      assertNothing(
          "regions",
          () -> {
            hasher.localHashes(view, 0, count, local, 0);
            hasher.hashes(view, 0, count, false, 0, local, 0, sequence, 0);
            SequenceHash.chain(local, 0, count, false, 0, sequence, 0);
          });
      assertNothing("chain", () -> SequenceHash.chain(locals, 0, count, true, 9, chain, 0));
      assertNothing("bytes of a region", () -> sink += Xxh3.hash(local, 3, 100, HashSeed.BLOCK));
    }
  }

  @Test
  void shouldHashBytesOfEveryKindWithoutGarbage() {
    final ByteBuffer heap = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    final UnsafeBuffer agrona = new UnsafeBuffer(direct);
    final HashSeed seed = HashSeed.of(99);
    for (final int length : new int[] {0, 3, 8, 16, 17, 128, 129, 240, 241, 1024, 4000}) {
      assertNothing(
          "length=" + length,
          () -> {
            sink += Xxh3.hash(bytes, 1, length, seed);
            sink += Xxh3.hash(tokens, 1, length / 4, seed);
            sink += Xxh3.hash(heap, 1, length, seed);
            sink += Xxh3.hash(direct, 3, length, seed);
            sink += Xxh3.hash(agrona, 3, length, seed);
            sink += Xxh3.hash(bytes, 1, length, 1337);
          });
    }
  }

  @Test
  void shouldHashMultimodalBlocksWithoutGarbageOnceTheScratchIsLargeEnough() {
    final MmBlockHasher hasher = new MmBlockHasher(BlockHasher.of(16));
    final TokenView view = TokenView.of(tokens);
    final List<BlockExtraInfo> infos =
        Arrays.asList(HashVectors.info(5, -1, 3), null, HashVectors.info(), HashVectors.info(42));
    assertNothing("multimodal", () -> hasher.localHashes(view, infos, 0, 64, locals, 0));
  }
}
