package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.openhft.hashing.LongHashFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockHasherTest {
  private static final long UNTOUCHED = 0x5555555555555555L;

  private static int[] randomTokens(final int count, final long seed) {
    return new Random(seed).ints(count).toArray();
  }

  private static long[] filled(final int length) {
    final long[] result = new long[length];
    Arrays.fill(result, UNTOUCHED);
    return result;
  }

  /** Local hashes by the reference implementation, window by window. */
  private static long[] referenceHashes(
      final int[] tokens, final int blockSize, final boolean eagle, final long seed) {
    final int window = eagle ? blockSize + 1 : blockSize;
    final int count = tokens.length < window ? 0 : (tokens.length - window) / blockSize + 1;
    final long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = LongHashFunction.xx3(seed).hashInts(tokens, i * blockSize, window);
    }
    return hashes;
  }

  private static long referenceNext(final long parent, final long local) {
    return LongHashFunction.xx3(1337).hashLongs(new long[] {parent, local});
  }

  private static long[] referenceChain(
      final long[] locals, final boolean hasParent, final long parent) {
    final long[] chain = new long[locals.length];
    for (int i = 0; i < locals.length; i++) {
      if (i == 0) {
        chain[0] = hasParent ? referenceNext(parent, locals[0]) : locals[0];
      } else {
        chain[i] = referenceNext(chain[i - 1], locals[i]);
      }
    }
    return chain;
  }

  private static void assertHashes(final long[] expected, final long[] actual, final String what) {
    assertArrayEquals(
        Arrays.stream(expected).mapToObj(Long::toUnsignedString).toArray(),
        Arrays.stream(actual).mapToObj(Long::toUnsignedString).toArray(),
        what);
  }

  @Test
  void shouldAgreeWithGoldenSequencesFromEveryKindOfMemory() throws IOException {
    final List<Map<String, Object>> cases = HashVectors.section("sequences");
    assertTrue(cases.size() >= 200, () -> "cases=" + cases.size());
    for (final Map<String, Object> golden : cases) {
      final BlockHasher hasher =
          BlockHasher.of(
              (Long) golden.get("block_size"),
              (String) golden.get("lora_name"),
              Boolean.TRUE.equals(golden.get("is_eagle")));
      final List<BlockExtraInfo> infos = HashVectors.blockMmInfos(golden.get("mm_hashes"));
      final long[] locals = HashVectors.hashes(golden.get("block_hashes"));
      final long[] chain = HashVectors.hashes(golden.get("sequence_hashes"));
      final int[] tokens = HashVectors.tokens(golden.get("tokens"));
      MemoryForms.views(tokens)
          .forEach(
              (form, view) -> {
                final String what = golden.get("name") + " from " + form;
                assertEquals(locals.length, hasher.blockCount(view.count()), what);
                if (infos == null) {
                  assertAllWaysOfHashing(hasher, view, locals, chain, what);
                } else {
                  final long[] out = new long[locals.length];
                  new MmBlockHasher(hasher).localHashes(view, infos, 0, out.length, out, 0);
                  assertHashes(locals, out, what);
                }
              });
    }
  }

  private static void assertAllWaysOfHashing(
      final BlockHasher hasher,
      final TokenView view,
      final long[] locals,
      final long[] chain,
      final String what) {
    final int count = locals.length;
    final long[] localOut = filled(count);
    assertEquals(count, hasher.localHashes(view, 0, count, localOut, 0), what);
    assertHashes(locals, localOut, what);
    final long[] fusedOut = filled(count);
    final long[] chainOut = filled(count);
    assertEquals(count, hasher.hashes(view, 0, count, false, 0, fusedOut, 0, chainOut, 0), what);
    assertHashes(locals, fusedOut, what);
    assertHashes(chain, chainOut, what);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 59, 60, 61, 64, 65, 128, 129, 150, 256, 257,
        300, 512
      })
  void shouldAgreeWithReferenceImplementationForEveryBlockSize(final int blockSize) {
    final int[] tokens = randomTokens(5 * blockSize + blockSize / 2 + 1, blockSize);
    for (final String lora : new String[] {null, "adapter-a"}) {
      for (final boolean eagle : new boolean[] {false, true}) {
        final BlockHasher hasher = BlockHasher.of(blockSize, lora, eagle);
        final long[] locals = referenceHashes(tokens, blockSize, eagle, hasher.seed().value());
        final long[] chain = referenceChain(locals, false, 0);
        MemoryForms.views(tokens)
            .forEach(
                (form, view) ->
                    assertAllWaysOfHashing(
                        hasher,
                        view,
                        locals,
                        chain,
                        "blockSize="
                            + blockSize
                            + " lora="
                            + lora
                            + " eagle="
                            + eagle
                            + ' '
                            + form));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 32, 61, 64, 128})
  void shouldHashAnyRangeOfBlocksWithAndWithoutParentIntoEveryKindOfOutput(final int blockSize) {
    final int[] tokens = randomTokens(9 * blockSize, 99);
    final TokenView view = TokenView.of(tokens);
    final BlockHasher hasher = BlockHasher.of(blockSize);
    final long[] all = referenceHashes(tokens, blockSize, false, 1337);
    for (int first = 0; first <= 9; first++) {
      for (int count = 0; count <= 9 - first; count++) {
        final long[] locals = Arrays.copyOfRange(all, first, first + count);
        for (final boolean hasParent : new boolean[] {false, true}) {
          final long parent = 0xFEDCBA9876543210L + first;
          final long[] chain = referenceChain(locals, hasParent, parent);
          final String what =
              "blockSize=" + blockSize + " first=" + first + " count=" + count + ' ' + hasParent;
          assertArrays(hasher, view, first, hasParent, parent, locals, chain, what);
          assertBuffers(hasher, view, first, hasParent, parent, locals, chain, what);
          assertRegions(hasher, view, first, hasParent, parent, locals, chain, what);
        }
      }
    }
  }

  private static void assertArrays(
      final BlockHasher hasher,
      final TokenView view,
      final int first,
      final boolean hasParent,
      final long parent,
      final long[] locals,
      final long[] chain,
      final String what) {
    final int count = locals.length;
    final long[] localOut = filled(count + 3);
    final long[] chainOut = filled(count + 5);
    assertEquals(
        count,
        hasher.hashes(view, first, count, hasParent, parent, localOut, 1, chainOut, 2),
        what);
    assertHashes(framed(locals, 1, 2), localOut, what);
    assertHashes(framed(chain, 2, 3), chainOut, what);
    final long[] alone = filled(count + 3);
    assertEquals(count, hasher.localHashes(view, first, count, alone, 1), what);
    assertHashes(framed(locals, 1, 2), alone, what);
  }

  private static long[] framed(final long[] hashes, final int before, final int after) {
    final long[] result = filled(before + hashes.length + after);
    System.arraycopy(hashes, 0, result, before, hashes.length);
    return result;
  }

  private static void assertBuffers(
      final BlockHasher hasher,
      final TokenView view,
      final int first,
      final boolean hasParent,
      final long parent,
      final long[] locals,
      final long[] chain,
      final String what) {
    final int count = locals.length;
    final UnsafeBuffer heap = new UnsafeBuffer(new byte[8 * count + 3]);
    final UnsafeBuffer direct = new UnsafeBuffer(java.nio.ByteBuffer.allocateDirect(8 * count + 8));
    assertEquals(
        count, hasher.hashes(view, first, count, hasParent, parent, heap, 3, direct, 8), what);
    final UnsafeBuffer alone = new UnsafeBuffer(new byte[8 * count + 1]);
    assertEquals(count, hasher.localHashes(view, first, count, alone, 1), what);
    for (int i = 0; i < count; i++) {
      assertEquals(locals[i], heap.getLong(3 + 8 * i), what);
      assertEquals(locals[i], alone.getLong(1 + 8 * i), what);
      assertEquals(chain[i], direct.getLong(8 + 8 * i), what);
    }
    assertEquals(0, heap.getByte(0) | heap.getByte(1) | heap.getByte(2), what);
    assertEquals(0, direct.getLong(0), what);
  }

  private static void assertRegions(
      final BlockHasher hasher,
      final TokenView view,
      final int first,
      final boolean hasParent,
      final long parent,
      final long[] locals,
      final long[] chain,
      final String what) {
    final int count = locals.length;
    try (Arena arena = Arena.ofCapacity(4096)) {
      final Region local = arena.allocate("local", 8L * count + 8);
      final Region sequence = arena.allocate("sequence", 8L * count + 16);
      final Region alone = arena.allocate("alone", 8L * count);
      assertEquals(
          count, hasher.hashes(view, first, count, hasParent, parent, local, 8, sequence, 8), what);
      assertEquals(count, hasher.localHashes(view, first, count, alone, 0), what);
      for (int i = 0; i < count; i++) {
        assertEquals(locals[i], local.getLong(8 + 8L * i), what);
        assertEquals(locals[i], alone.getLong(8L * i), what);
        assertEquals(chain[i], sequence.getLong(8 + 8L * i), what);
      }
      assertEquals(0, local.getLong(0), what);
      assertEquals(0, sequence.getLong(0), what);
      assertEquals(0, sequence.getLong(8L * count + 8), what);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, 0",
    "0, true, 0",
    "1, false, 10",
    "1, true, 9",
    "3, false, 3",
    "3, true, 3",
    "10, false, 1",
    "10, true, 0",
    "11, false, 0",
    "11, true, 0",
    "2147483647, false, 0",
    "2147483647, true, 0",
    "4294967295, false, 0",
    "4294967295, true, 0"
  })
  void shouldCountBlocksOfTenTokensForAnyBlockSize(
      final long blockSize, final boolean eagle, final int expected) {
    final BlockHasher hasher = BlockHasher.of(blockSize, null, eagle);
    assertEquals(expected, hasher.blockCount(10));
    final int[] tokens = IntStream.range(0, 10).toArray();
    final BlockHashOptions options = BlockHashOptions.DEFAULT.withEagle(eagle);
    assertEquals(expected, BlockHashes.computeBlockHashForSeq(tokens, blockSize, options).length);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "2, 0", "3, 1", "4, 1", "5, 2"})
  void shouldCountEagleWindowsOfThreeTokens(final int tokenCount, final int expected) {
    assertEquals(expected, BlockHasher.of(2, null, true).blockCount(tokenCount));
  }

  @Test
  void shouldCountBlocksBeyondTheRangeOfInt() {
    assertEquals(1L << 40, BlockHasher.of(1).blockCount(1L << 40));
    assertEquals(1, BlockHasher.of(BlockHasher.MAX_BLOCK_SIZE).blockCount(4294967295L));
    assertEquals(0, BlockHasher.of(4294967295L, null, true).blockCount(4294967295L));
    assertEquals(1, BlockHasher.of(4294967295L, null, true).blockCount(4294967296L));
  }

  @Test
  void shouldRefuseBlockSizesOutsideOfUnsigned32Bit() {
    for (final long size : new long[] {-1, 1L << 32, Long.MIN_VALUE}) {
      final String message =
          assertThrows(IllegalArgumentException.class, () -> BlockHasher.of(size)).getMessage();
      assertTrue(message.contains("blockSize=" + size), message);
    }
  }

  @Test
  void shouldTellWhatItWasMadeFor() {
    final BlockHasher hasher = BlockHasher.of(16, "adapter-a", true);
    assertEquals(16, hasher.blockSize());
    assertEquals(17, hasher.windowSize());
    assertEquals(Long.parseUnsignedLong("8842669519798868182"), hasher.seed().value());
    assertEquals(HashSeed.BLOCK, BlockHasher.of(16).seed());
    assertEquals(16, BlockHasher.of(16).windowSize());
  }

  @Test
  void shouldRefuseBlocksThatThePromptDoesNotHaveAndWriteNothing() {
    final BlockHasher hasher = BlockHasher.of(4);
    final TokenView view = TokenView.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    final long[] out = filled(4);
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[32]);
    refused("blocks", () -> hasher.localHashes(view, 0, 3, out, 0));
    refused("blocks", () -> hasher.localHashes(view, 2, 1, out, 0));
    refused("blocks", () -> hasher.localHashes(view, -1, 1, out, 0));
    refused("blocks", () -> hasher.localHashes(view, 1, -1, out, 0));
    refused("blocks", () -> hasher.hashes(view, 1, 2, false, 0, out, 0, out, 2));
    refused("blocks", () -> hasher.localHashes(view, 1, Integer.MAX_VALUE, buffer, 0));
    refused("out", () -> hasher.localHashes(view, 0, 2, out, 3));
    refused("out", () -> hasher.localHashes(view, 0, 2, out, -1));
    refused("out", () -> hasher.localHashes(view, 0, 2, buffer, 17));
    refused("localOut", () -> hasher.hashes(view, 0, 2, false, 0, out, 3, out, 0));
    refused("chainOut", () -> hasher.hashes(view, 0, 2, false, 0, out, 0, out, 3));
    refused("localOut", () -> hasher.hashes(view, 0, 2, false, 0, buffer, 17, buffer, 0));
    refused("chainOut", () -> hasher.hashes(view, 0, 2, false, 0, buffer, 0, buffer, 17));
    assertHashes(filled(4), out, "nothing written");
    assertEquals(0, buffer.getLong(0) | buffer.getLong(8) | buffer.getLong(16), "nothing written");
  }

  @Test
  void shouldRefuseRegionsWithoutRoomInCheckedModeAndWriteNothing() {
    Assumptions.assumeTrue(Region.CHECKED, "regions are verified in checked mode only");
    final BlockHasher hasher = BlockHasher.of(1);
    final TokenView view = TokenView.of(1, 2, 3);
    try (Arena arena = Arena.ofCapacity(4096)) {
      final Region small = arena.allocate("small", 16);
      final Region large = arena.allocate("large", 64);
      refused(null, () -> hasher.localHashes(view, 0, 3, small, 0));
      refused(null, () -> hasher.hashes(view, 0, 3, false, 0, small, 0, large, 0));
      refused(null, () -> hasher.hashes(view, 0, 3, false, 0, large, 0, small, 0));
      assertEquals(0, small.getLong(0) | small.getLong(8));
      assertEquals(0, large.getLong(0) | large.getLong(8) | large.getLong(16));
    }
  }

  private static void refused(
      final String what, final org.junit.jupiter.api.function.Executable call) {
    final String message = assertThrows(IndexOutOfBoundsException.class, call).getMessage();
    assertTrue(what == null || message.contains("what=" + what), message);
  }

  @Test
  void shouldHashBigramWireFormAsTheTokensThatItWasMadeOf() {
    // [[0,1],[1,2],[2,3],[3,4]] names the tokens 0..4.
    final long[] hashes = new long[2];
    BlockHasher.of(2, null, true).localHashes(TokenView.of(0, 1, 2, 3, 4), 0, 2, hashes, 0);
    assertHashes(
        new long[] {
          Long.parseUnsignedLong("11646242937812223497"),
          Long.parseUnsignedLong("9948816348502404300")
        },
        hashes,
        "bigrams");
  }
}
