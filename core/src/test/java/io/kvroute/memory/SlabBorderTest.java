package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What happens where two slabs of a region meet. A region of three slabs is made whose memory
 * exists only around the two borders, so that no gigabytes are needed; one test uses a real one.
 */
final class SlabBorderTest {
  private static final long SLAB = Region.SLAB_LENGTH;
  private static final int NEAR = 4096;

  private final Arena arena = Arena.tracking(1 << 20);
  private final Region memory = arena.allocate("memory", 4 * NEAR);
  private final Region far = farRegion();

  /**
   * Slab 0 ends with the first quarter of the memory. Slab 1 would need both its ends, which are a
   * slab apart, so it is placed for the first border; {@link #secondBorder} is placed for the
   * other.
   */
  private Region farRegion() {
    return new Region(
        "far",
        new long[] {address(NEAR) - SLAB, address(2 * NEAR), address(3 * NEAR)},
        2 * SLAB + NEAR);
  }

  private Region secondBorder() {
    return new Region(
        "far", new long[] {address(0), address(NEAR) - SLAB, address(2 * NEAR)}, 2 * SLAB + NEAR);
  }

  private long address(final long offset) {
    return memory.addressOf(0, 0) + offset;
  }

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  @Test
  void shouldReadBackAlignedValuesOnBothSidesOfABorder() {
    for (final Region region : new Region[] {far, secondBorder()}) {
      final long border = region == far ? SLAB : 2 * SLAB;
      for (long offset = border - 64; offset < border + 64; offset += 8) {
        region.putLong(offset, offset * 31);
      }
      for (long offset = border - 64; offset < border + 64; offset += 8) {
        assertEquals(offset * 31, region.getLong(offset));
        assertEquals((int) (offset * 31), region.getInt(offset));
        assertEquals((byte) (offset * 31), region.getByte(offset));
      }
      assertEquals((border - 8) * 31, memory.getLong(NEAR - 8));
      assertEquals(border * 31, memory.getLong(2 * NEAR));
      region.putInt(border - 4, -7);
      region.putByte(border - 1, (byte) 9);
      assertEquals(9, memory.getByte(NEAR - 1));
      memory.fill(0, 4 * NEAR, (byte) 0);
    }
  }

  @Test
  void shouldMeasureWhatIsContiguousUpToTheBorder() {
    assertEquals(SLAB, far.contiguousLength(0));
    assertEquals(1, far.contiguousLength(SLAB - 1));
    assertEquals(SLAB, far.contiguousLength(SLAB));
    assertEquals(8, far.contiguousLength(2 * SLAB - 8));
    assertEquals(NEAR, far.contiguousLength(2 * SLAB));
    assertEquals(0, far.contiguousLength(2 * SLAB + NEAR));
    assertEquals(address(2 * NEAR), far.addressOf(SLAB, SLAB));
    assertEquals(address(NEAR) - 8, far.addressOf(SLAB - 8, 8));
  }

  @Test
  void shouldRefuseAccessesThatCrossABorderInCheckedMode() {
    assumeTrue(Region.CHECKED);
    for (final long border : new long[] {SLAB, 2 * SLAB}) {
      for (long offset = border - 7; offset < border; offset++) {
        final long at = offset;
        assertThrows(IndexOutOfBoundsException.class, () -> far.getLong(at));
        assertThrows(IndexOutOfBoundsException.class, () -> far.putLong(at, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> far.addressOf(at, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> far.matchingLongs(at, memory, 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> memory.matchingLongs(0, far, at, 1));
      }
      assertThrows(IndexOutOfBoundsException.class, () -> far.getInt(border - 3));
      assertEquals(
          "region access crosses a slab: name=far offset="
              + (border - 8)
              + " accessLength=16 slabLength=1073741824",
          assertThrows(IndexOutOfBoundsException.class, () -> far.addressOf(border - 8, 16))
              .getMessage());
      far.checkRange(border - 8, 16);
    }
    assertThrows(IndexOutOfBoundsException.class, () -> far.checkRange(SLAB, SLAB + NEAR + 1));
    assertThrows(IndexOutOfBoundsException.class, () -> far.addressOf(0, SLAB + 1));
  }

  @Test
  void shouldFillCopyAndCompareAcrossABorderLikeAByteArray() {
    final byte[] model = new byte[2 * NEAR];
    final Region near = arena.allocate("near", 2 * NEAR);
    final byte[] nearModel = new byte[2 * NEAR];
    SeededRun.run(
        33,
        SeededRun.operations(),
        run -> {
          final int kind = run.below(4);
          final int a = run.below(2 * NEAR);
          final int b = run.below(2 * NEAR);
          final int count = run.below(2 * NEAR - Math.max(a, b));
          run.note("kind, a, b, count", kind, a, b, count);
          final long offset = SLAB - NEAR + a;
          switch (kind) {
            case 0 -> {
              final byte value = (byte) run.below(256);
              far.fill(offset, count, value);
              Arrays.fill(model, a, a + count, value);
            }
            case 1 -> {
              run.random().nextBytes(nearModel);
              store(near, nearModel);
              near.copyTo(b, far, offset, count);
              System.arraycopy(nearModel, b, model, a, count);
            }
            case 2 -> {
              far.copyTo(offset, near, b, count);
              System.arraycopy(model, a, nearModel, b, count);
            }
            default -> {
              final UnsafeBuffer buffer = new UnsafeBuffer(nearModel);
              far.copyLongsTo(offset & -8, buffer, b, count >> 3);
              compareLongs(buffer, model, a & -8, b, count >> 3);
              store(near, nearModel);
            }
          }
          if (run.operation() % 50 == 0) {
            assertArrayEquals(model, load(far, SLAB - NEAR));
            assertArrayEquals(nearModel, load(near, 0));
          }
        });
  }

  private static void compareLongs(
      final UnsafeBuffer actual,
      final byte[] model,
      final int from,
      final int at,
      final int count) {
    final UnsafeBuffer expected = new UnsafeBuffer(model);
    for (int i = 0; i < count; i++) {
      assertEquals(
          expected.getLong(from + 8 * i, ByteOrder.nativeOrder()),
          actual.getLong(at + 8 * i, ByteOrder.LITTLE_ENDIAN));
    }
  }

  private static void store(final Region region, final byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      region.putByte(i, bytes[i]);
    }
  }

  private static byte[] load(final Region region, final long offset) {
    final byte[] bytes = new byte[2 * NEAR];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = region.getByte(offset + i);
    }
    return bytes;
  }

  @Test
  void shouldCopyBetweenTwoRegionsWhoseBordersAreApart() {
    final Region second = arena.allocate("second", 4 * NEAR);
    final long base = second.addressOf(0, 0);
    final Region target =
        new Region("target", new long[] {base + NEAR - SLAB, base + 2 * NEAR}, SLAB + NEAR);
    final Random random = new Random(4);
    for (int round = 0; round < 1000; round++) {
      final int from = random.nextInt(NEAR);
      final int to = random.nextInt(NEAR);
      final int count = random.nextInt(2 * NEAR - Math.max(from, to));
      for (long i = SLAB - NEAR; i < SLAB + NEAR; i += 8) {
        far.putLong(i, random.nextLong());
        target.putLong(i, random.nextLong());
      }
      final byte[] expected = load(target, SLAB - NEAR);
      System.arraycopy(load(far, SLAB - NEAR), from, expected, to, count);
      far.copyTo(SLAB - NEAR + from, target, SLAB - NEAR + to, count);
      assertArrayEquals(expected, load(target, SLAB - NEAR), "seed=4 round=" + round);
    }
  }

  @Test
  void shouldMatchLongsUpToABorderAndFromItOn() {
    for (int i = 0; i < 20; i++) {
      far.putLong(SLAB - 160 + 8L * i, i);
      far.putLong(SLAB + 8L * i, i);
    }
    assertEquals(20, far.matchingLongs(SLAB - 160, far, SLAB, 20));
    far.putLong(SLAB - 8, -1);
    assertEquals(19, far.matchingLongs(SLAB - 160, far, SLAB, 20));
    far.putLong(SLAB, -1);
    assertEquals(0, far.matchingLongs(SLAB - 160, far, SLAB, 20));
  }

  @Test
  void shouldAllocateNothingAcrossABorder() {
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    final long allocated =
        AllocationMeter.bytes(
            20_000,
            () -> {
              far.fill(SLAB - 50, 100, (byte) 1);
              far.copyTo(SLAB - 50, memory, 0, 100);
              far.copyLongsTo(SLAB - 64, buffer, 0, 16);
              far.putLong(SLAB, far.getLong(SLAB - 8));
            });
    assertEquals(0, allocated);
  }

  @Test
  @Tag("long")
  void shouldUseARealRegionOfMoreThanOneSlabToItsLastByte() {
    final long length = SLAB + 100;
    try (Arena large = Arena.tracking(length)) {
      final Region region = large.allocate("large", length);
      assertEquals(length, large.usedBytes());
      final long step = 9_999_991;
      for (long offset = 0; offset + 8 <= length; offset += step * 8) {
        assertEquals(0, region.getLong(offset));
        region.putLong(offset, ~offset);
      }
      for (long offset = 0; offset + 8 <= length; offset += step * 8) {
        assertEquals(~offset, region.getLong(offset));
      }
      region.fill(0, length, (byte) 0x5A);
      assertEquals(0x5A5A5A5A5A5A5A5AL, region.getLong(SLAB - 8));
      assertEquals(0x5A5A5A5A5A5A5A5AL, region.getLong(SLAB));
      assertEquals(0x5A, region.getByte(length - 1));
      assertEquals(0, region.addressOf(SLAB, 0) % Arena.ALIGNMENT);
      region.putLong(SLAB - 8, 1);
      region.putLong(SLAB, 2);
      region.copyTo(SLAB - 8, region, 0, 16);
      assertEquals(1, region.getLong(0));
      assertEquals(2, region.getLong(8));
      large.verifyCanaries();
      large.free(region);
      large.assertNothingLive();
    }
  }
}
