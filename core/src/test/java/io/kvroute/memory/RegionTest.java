package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class RegionTest {
  private static final int LENGTH = 1000;
  private static final long[] BAD_OFFSETS = {
    -1,
    -8,
    Long.MIN_VALUE,
    Integer.MIN_VALUE,
    LENGTH + 1,
    Integer.MAX_VALUE,
    1L << 32,
    1L << 62,
    Long.MAX_VALUE - 7,
    Long.MAX_VALUE
  };

  private final Arena arena = Arena.tracking(1 << 20);
  private final Region region = arena.allocate("subject", LENGTH);

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  @Test
  void shouldReadBackEveryWidthAtBothBorders() {
    for (final long shift : new long[] {0, 1, 2, 3}) {
      region.putLong(shift, 0x0123456789ABCDEFL);
      assertEquals(0x0123456789ABCDEFL, region.getLong(shift));
      region.putLong(LENGTH - 8 - shift, Long.MIN_VALUE + shift);
      assertEquals(Long.MIN_VALUE + shift, region.getLong(LENGTH - 8 - shift));
      region.putInt(shift, 0xDEADBEEF);
      assertEquals(0xDEADBEEF, region.getInt(shift));
      region.putInt(LENGTH - 4 - shift, Integer.MIN_VALUE);
      assertEquals(Integer.MIN_VALUE, region.getInt(LENGTH - 4 - shift));
      region.putByte(shift, (byte) 0x80);
      assertEquals((byte) 0x80, region.getByte(shift));
      region.putByte(LENGTH - 1 - shift, (byte) 0x7F);
      assertEquals((byte) 0x7F, region.getByte(LENGTH - 1 - shift));
    }
  }

  @Test
  void shouldKeepBytesOfAWordInNativeOrder() {
    region.putLong(16, 0x0102030405060708L);
    final ByteBuffer expected = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    expected.putLong(0, 0x0102030405060708L);
    for (int i = 0; i < 8; i++) {
      assertEquals(expected.get(i), region.getByte(16 + i));
    }
  }

  @Test
  void shouldNameTheNumbersWhenAnAccessIsOutOfBounds() {
    assumeTrue(Region.CHECKED);
    assertEquals(
        "region access out of bounds: name=subject offset=993 accessLength=8 length=1000",
        assertThrows(IndexOutOfBoundsException.class, () -> region.getLong(993)).getMessage());
    assertEquals(
        "region access out of bounds: name=subject offset=-1 accessLength=4 length=1000",
        assertThrows(IndexOutOfBoundsException.class, () -> region.putInt(-1, 1)).getMessage());
    assertEquals(
        "region access out of bounds: name=subject offset=8 accessLength=9223372036854775807"
            + " length=1000",
        assertThrows(IndexOutOfBoundsException.class, () -> region.addressOf(8, Long.MAX_VALUE))
            .getMessage());
  }

  @Test
  void shouldRefuseEveryAccessThatTouchesAByteOutside() {
    assumeTrue(Region.CHECKED);
    final byte[] before = fillRandomly(1);
    for (final long offset : BAD_OFFSETS) {
      for (final Executable access : accessesAt(offset)) {
        assertThrows(IndexOutOfBoundsException.class, access, "offset=" + offset);
      }
    }
    for (long offset = LENGTH - 7; offset <= LENGTH; offset++) {
      final long at = offset;
      assertThrows(IndexOutOfBoundsException.class, () -> region.getLong(at));
      assertThrows(IndexOutOfBoundsException.class, () -> region.putLong(at, -1));
    }
    for (long offset = LENGTH - 3; offset <= LENGTH; offset++) {
      final long at = offset;
      assertThrows(IndexOutOfBoundsException.class, () -> region.getInt(at));
      assertThrows(IndexOutOfBoundsException.class, () -> region.putInt(at, -1));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> region.getByte(LENGTH));
    assertThrows(IndexOutOfBoundsException.class, () -> region.putByte(LENGTH, (byte) 1));
    assertArrayEquals(before, bytes(region));
  }

  private List<Executable> accessesAt(final long offset) {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    final Region other = region;
    return List.of(
        () -> region.getByte(offset),
        () -> region.putByte(offset, (byte) 1),
        () -> region.getInt(offset),
        () -> region.putInt(offset, 1),
        () -> region.getLong(offset),
        () -> region.putLong(offset, 1),
        () -> region.addressOf(offset, 0),
        () -> region.addressOf(offset, 8),
        () -> region.checkRange(offset, 0),
        () -> region.contiguousLength(offset),
        () -> region.fill(offset, 8, (byte) 1),
        () -> region.copyTo(offset, other, 0, 8),
        () -> other.copyTo(0, region, offset, 8),
        () -> region.copyLongsTo(offset, buffer, 0, 1),
        () -> region.matchingLongs(offset, other, 0, 1),
        () -> other.matchingLongs(0, region, offset, 1));
  }

  @Test
  void shouldRefuseRangesThatAreNegativeOrOverflowAndChangeNothing() {
    assumeTrue(Region.CHECKED);
    final byte[] before = fillRandomly(2);
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    for (final long count :
        new long[] {-1, Long.MIN_VALUE, LENGTH + 1 - 8, Long.MAX_VALUE, Long.MAX_VALUE - 8}) {
      for (final Executable access :
          List.<Executable>of(
              () -> region.fill(8, count, (byte) 1),
              () -> region.copyTo(8, region, 0, count),
              () -> region.copyTo(0, region, 8, count),
              () -> region.checkRange(8, count),
              () -> region.addressOf(8, count))) {
        assertThrows(IndexOutOfBoundsException.class, access, "count=" + count);
      }
    }
    for (final int count : new int[] {-1, 126, 1 << 28, 1 << 29, Integer.MAX_VALUE}) {
      final String message = "count=" + count;
      assertThrows(
          IndexOutOfBoundsException.class, () -> region.copyLongsTo(0, buffer, 0, count), message);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> region.matchingLongs(0, region, 0, count),
          message);
    }
    assertArrayEquals(before, bytes(region));
    assertArrayEquals(new byte[64], buffer.byteArray());
  }

  @Test
  void shouldRefuseToCopyMoreLongsThanTheBufferHoldsWhateverTheirNumber() {
    assumeTrue(Region.CHECKED);
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    final Region vast = new Region("vast", new long[] {region.addressOf(0, 0)}, 1L << 40);
    for (final int count : new int[] {9, 1 << 28, 1 << 29, 1 << 30, Integer.MAX_VALUE}) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> vast.copyLongsTo(0, buffer, 0, count),
          "count=" + count);
    }
    assertThrows(IndexOutOfBoundsException.class, () -> vast.copyLongsTo(0, buffer, 57, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> vast.copyLongsTo(0, buffer, -1, 1));
    assertArrayEquals(new byte[64], buffer.byteArray());
  }

  @Test
  void shouldRefuseEveryAccessAfterTheRegionWasFreed() {
    assumeTrue(Region.CHECKED);
    arena.free(region);
    for (final Executable access : accessesAt(0)) {
      final IllegalStateException failure = assertThrows(IllegalStateException.class, access);
      assertEquals("region used after close: name=subject", failure.getMessage());
    }
  }

  @Test
  void shouldRefuseEveryAccessAfterTheArenaWasClosed() {
    assumeTrue(Region.CHECKED);
    arena.close();
    for (final Executable access : accessesAt(0)) {
      assertThrows(IllegalStateException.class, access);
    }
  }

  @Test
  void shouldAllowEmptyRangesAtTheVeryEnd() {
    region.fill(LENGTH, 0, (byte) 1);
    region.copyTo(LENGTH, region, 0, 0);
    region.copyTo(0, region, LENGTH, 0);
    region.checkRange(LENGTH, 0);
    assertEquals(region.addressOf(0, 0) + LENGTH, region.addressOf(LENGTH, 0));
    assertEquals(0, region.contiguousLength(LENGTH));
    assertEquals(LENGTH, region.contiguousLength(0));
    assertEquals(0, region.matchingLongs(LENGTH, region, 0, 0));
  }

  @Test
  void shouldMoveOverlappingRangesAsIfThroughACopy() {
    final Region other = arena.allocate("model", LENGTH);
    for (final int distance : new int[] {1, 3, 7, 8, 64, 200}) {
      for (final int count : new int[] {0, 1, 8, 100, 500}) {
        for (final boolean upward : new boolean[] {true, false}) {
          final byte[] expected = fillRandomly(distance);
          final int from = upward ? 100 : 100 + distance;
          final int to = upward ? 100 + distance : 100;
          System.arraycopy(expected, from, expected, to, count);
          region.move(from, to, count);
          assertArrayEquals(expected, bytes(region), "from=" + from + " to=" + to);
        }
      }
    }
    region.copyTo(0, other, 0, LENGTH);
    assertArrayEquals(bytes(region), bytes(other));
  }

  @Test
  void shouldCountMatchingLongsLikeAPlainLoop() {
    final Region other = arena.allocate("other", LENGTH);
    for (int count = 0; count <= 40; count++) {
      for (int different = 0; different <= count; different++) {
        fillRandomly(count);
        region.copyTo(8, other, 48, 8L * count);
        for (int bit = 0; bit < 64 && different < count; bit += 21) {
          final long at = 48 + 8L * different;
          other.putLong(at, region.getLong(8 + 8L * different) ^ 1L << bit);
          assertEquals(different, region.matchingLongs(8, other, 48, count));
        }
        assertEquals(different, region.matchingLongs(8, other, 48, different));
      }
    }
    assertEquals(125, region.matchingLongs(0, region, 0, 125));
  }

  @Test
  void shouldCopyLongsToHeapAndDirectBuffersAtAnyAlignment() {
    fillRandomly(9);
    for (final UnsafeBuffer buffer :
        List.of(
            new UnsafeBuffer(new byte[LENGTH]),
            new UnsafeBuffer(new byte[LENGTH + 64], 13, LENGTH),
            new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)))) {
      for (int offset = 0; offset < 20; offset++) {
        for (final int count : new int[] {0, 1, 5, 100}) {
          buffer.setMemory(0, LENGTH, (byte) 0x11);
          region.copyLongsTo(24, buffer, offset, count);
          for (int i = 0; i < count; i++) {
            assertEquals(
                region.getLong(24 + 8L * i),
                buffer.getLong(offset + 8 * i, ByteOrder.LITTLE_ENDIAN));
          }
          for (int i = 0; i < LENGTH; i++) {
            if (i < offset || i >= offset + 8 * count) {
              assertEquals(0x11, buffer.getByte(i), "offset=" + offset + " i=" + i);
            }
          }
        }
      }
      region.copyLongsTo(0, buffer, 0, LENGTH / 8);
      assertEquals(region.getLong(LENGTH - 8), buffer.getLong(LENGTH - 8, ByteOrder.LITTLE_ENDIAN));
    }
  }

  @Test
  void shouldAgreeWithAByteArrayUnderRandomUse() {
    final byte[] model = new byte[LENGTH];
    final ByteBuffer view = ByteBuffer.wrap(model).order(ByteOrder.nativeOrder());
    SeededRun.run(
        21,
        SeededRun.operations(),
        run -> {
          final int kind = run.below(5);
          final int a = run.below(LENGTH - 8);
          final int b = run.below(LENGTH - 8);
          final int count = run.below(LENGTH - Math.max(a, b));
          final long value = run.random().nextLong();
          run.note("kind, a, b, count, value", kind, a, b, count, value);
          switch (kind) {
            case 0 -> {
              region.putLong(a, value);
              view.putLong(a, value);
            }
            case 1 -> {
              region.putInt(a, (int) value);
              view.putInt(a, (int) value);
            }
            case 2 -> {
              region.putByte(a, (byte) value);
              model[a] = (byte) value;
            }
            case 3 -> {
              region.fill(a, count, (byte) value);
              Arrays.fill(model, a, a + count, (byte) value);
            }
            default -> {
              region.move(a, b, count);
              System.arraycopy(model, a, model, b, count);
            }
          }
          assertEquals(view.getLong(a), region.getLong(a));
          assertEquals(view.getInt(b), region.getInt(b));
          if (run.operation() % 100 == 0) {
            assertArrayEquals(model, bytes(region));
          }
        });
    assertArrayEquals(model, bytes(region));
  }

  @Test
  void shouldAllocateNothingInAnyAccess() {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
    final long allocated =
        AllocationMeter.bytes(
            20_000,
            () -> {
              region.putLong(8, region.getLong(16) + 1);
              region.putInt(4, region.getInt(12) + 1);
              region.putByte(1, region.getByte(3));
              region.fill(100, 50, (byte) 3);
              region.move(100, 120, 50);
              region.copyLongsTo(0, buffer, 0, 20);
              region.putLong(0, region.matchingLongs(8, region, 16, 20));
            });
    assertEquals(0, allocated);
  }

  private byte[] fillRandomly(final long seed) {
    final byte[] bytes = new byte[LENGTH];
    new Random(seed).nextBytes(bytes);
    for (int i = 0; i < LENGTH; i++) {
      region.putByte(i, bytes[i]);
    }
    return bytes;
  }

  private static byte[] bytes(final Region region) {
    final byte[] bytes = new byte[(int) region.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = region.getByte(i);
    }
    return bytes;
  }

  @Test
  void shouldTellItsNameLengthAndState() {
    assertEquals("subject", region.name());
    assertEquals(LENGTH, region.length());
    assertEquals("Region{name=subject, length=1000, closed=false}", region.toString());
    arena.free(region);
    assertTrue(region.isClosed());
    assertEquals("Region{name=subject, length=1000, closed=true}", region.toString());
  }
}
