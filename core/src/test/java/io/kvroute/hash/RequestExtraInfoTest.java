package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestExtraInfoTest {
  private static RequestMmObjectInfo object(final long mmHash, final long... offsets) {
    return new RequestMmObjectInfo(mmHash, ranges(offsets));
  }

  private static BlockMmObjectInfo inBlock(final long mmHash, final long... offsets) {
    return new BlockMmObjectInfo(mmHash, ranges(offsets));
  }

  private static List<MmRange> ranges(final long... offsets) {
    final List<MmRange> ranges = new ArrayList<>();
    for (int i = 0; i < offsets.length; i += 2) {
      ranges.add(new MmRange(offsets[i], offsets[i + 1]));
    }
    return ranges;
  }

  private static RequestExtraInfo request(final RequestMmObjectInfo... objects) {
    return new RequestExtraInfo(List.of(objects));
  }

  private static BlockExtraInfo block(final BlockMmObjectInfo... objects) {
    return new BlockExtraInfo(List.of(objects));
  }

  @Test
  void shouldCutARangeAtBlockBoundaries() {
    assertEquals(
        Arrays.asList(
            block(inBlock(42, 2, 4)), block(inBlock(42, 0, 4)), block(inBlock(42, 0, 1)), null),
        request(object(42, 2, 9)).toBlockLevel(4, 16));
  }

  @Test
  void shouldCountAPartialLastBlockAndEndAtTheLastToken() {
    assertEquals(
        Arrays.asList(null, null, block(inBlock(7, 1, 2))),
        request(object(7, 9, 100)).toBlockLevel(4, 10));
  }

  @Test
  void shouldListAnObjectOncePerBlockWithAllItsRanges() {
    assertEquals(
        List.of(block(inBlock(1, 0, 1, 2, 3), inBlock(2, 1, 2))),
        request(object(1, 0, 1), object(2, 1, 2), object(1, 2, 3)).toBlockLevel(4, 4));
  }

  @Test
  void shouldDropRangesThatAreEmptyReversedOrBeyondTheEnd() {
    assertEquals(
        Arrays.asList(null, null),
        request(object(1, 3, 3), object(2, 5, 2), object(3, 8, 9), object(4, 0, 0))
            .toBlockLevel(4, 8));
  }

  @Test
  void shouldGiveNullForBlocksWithoutObjects() {
    assertEquals(Arrays.asList(null, null, null), request().toBlockLevel(4, 9));
  }

  @Test
  void shouldGiveNoBlocksForNoTokensEvenWithObjects() {
    assertEquals(List.of(), request(object(42, 0, 4)).toBlockLevel(4, 0));
    assertEquals(List.of(), request().toBlockLevel(4, 0));
  }

  @Test
  void shouldRefuseBlockSizeZero() {
    final String message =
        assertThrows(
                IllegalArgumentException.class, () -> request(object(1, 0, 1)).toBlockLevel(0, 10))
            .getMessage();
    assertTrue(message.contains("totalTokens=10"), message);
  }

  @Test
  void shouldTreatOffsetsAndSizesAsUnsigned() {
    assertEquals(List.of(block(inBlock(1, 5, -2))), request(object(1, 5, -1)).toBlockLevel(-1, -2));
    assertEquals(
        Arrays.asList(block(inBlock(1, 3, Long.MIN_VALUE)), block(inBlock(1, 0, 2))),
        request(object(1, 3, Long.MIN_VALUE + 2)).toBlockLevel(Long.MIN_VALUE, -1));
    assertEquals(
        Arrays.asList((Object) null), request(object(1, -3, -1)).toBlockLevel(Long.MAX_VALUE, 9));
  }

  @Test
  void shouldRefuseMoreBlocksThanAListHolds() {
    final String message =
        assertThrows(IllegalArgumentException.class, () -> request().toBlockLevel(1, -1))
            .getMessage();
    assertTrue(message.contains("totalTokens=18446744073709551615"), message);
    assertThrows(IllegalArgumentException.class, () -> request().toBlockLevel(1, 1L << 31));
  }

  @Test
  void shouldPlaceEveryTokenWhereADirectCountPlacesIt() {
    final long seed = 11;
    final Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      final int blockSize = 1 + random.nextInt(6);
      final int total = random.nextInt(30);
      final long start = random.nextInt(35);
      final long end = random.nextInt(35);
      final List<BlockExtraInfo> blocks =
          request(object(9, start, end)).toBlockLevel(blockSize, total);
      final String what =
          "seed=" + seed + " round=" + round + ' ' + blockSize + ' ' + total + ' ' + start + ' '
              + end;
      assertEquals((total + blockSize - 1) / blockSize, blocks.size(), what);
      for (int token = 0; token < blocks.size() * blockSize; token++) {
        final boolean expected = token >= start && token < Math.min(end, total);
        assertEquals(
            expected, covers(blocks.get(token / blockSize), token % blockSize), what + " " + token);
      }
    }
  }

  private static boolean covers(final BlockExtraInfo info, final int offset) {
    if (info == null) {
      return false;
    }
    final MmRange range = info.mmObjects().get(0).offsets().get(0);
    return offset >= range.start() && offset < range.end();
  }
}
