package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ArenaTest {
  private static final int[] LENGTHS = {0, 1, 7, 8, 63, 64, 65, 100, 4096};

  @Test
  void shouldNameTheNumbersAndChangeNothingWhenARegionDoesNotFit() {
    try (Arena arena = Arena.tracking(1000)) {
      final Region kept = arena.allocate("kept", 600);
      kept.putLong(8, 42);
      final CapacityExceededException failure =
          assertThrows(CapacityExceededException.class, () -> arena.allocate("nodes", 401));
      assertEquals(
          "arena is full: region=nodes length=401 usedBytes=600 capacity=1000",
          failure.getMessage());
      assertEquals(600, arena.usedBytes());
      assertEquals(600, arena.peakBytes());
      assertEquals(1, arena.liveCount());
      assertEquals(42, kept.getLong(8));
    }
  }

  @Test
  void shouldFitExactlyItsCapacityAndNotAByteMore() {
    try (Arena arena = Arena.ofCapacity(1000)) {
      final Region first = arena.allocate("first", 999);
      arena.allocate("second", 1);
      assertThrows(CapacityExceededException.class, () -> arena.allocate("third", 1));
      assertEquals(0, arena.allocate("empty", 0).length());
      assertEquals(1000, arena.usedBytes());
      arena.free(first);
      assertEquals(1, arena.usedBytes());
      assertEquals(999, arena.allocate("fourth", 999).length());
      assertEquals(1000, arena.peakBytes());
      assertEquals(3, arena.liveCount());
    }
  }

  @Test
  void shouldRefuseNegativeLengthsAndCapacities() {
    assertThrows(IllegalArgumentException.class, () -> Arena.ofCapacity(-1));
    assertThrows(IllegalArgumentException.class, () -> Arena.tracking(Long.MIN_VALUE));
    try (Arena arena = Arena.ofCapacity(Long.MAX_VALUE)) {
      final IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> arena.allocate("keys", -1));
      assertEquals("length must not be negative: region=keys length=-1", failure.getMessage());
      assertThrows(IllegalArgumentException.class, () -> arena.allocate("keys", Long.MIN_VALUE));
      assertEquals(0, arena.liveCount());
    }
  }

  @Test
  void shouldRefuseLengthsThatNoMachineHasWithoutOverflow() {
    try (Arena arena = Arena.ofCapacity(Long.MAX_VALUE)) {
      for (final long length :
          new long[] {
            Long.MAX_VALUE,
            Long.MAX_VALUE - (1L << 30) + 1,
            1L << 62,
            (1L << 62) + 1,
            1L << 61,
            (1L << 61) - (1L << 30),
            1L << 60
          }) {
        final CapacityExceededException failure =
            assertThrows(
                CapacityExceededException.class, () -> arena.allocate("huge", length), "" + length);
        assertTrue(failure.getMessage().contains("length=" + length), failure.getMessage());
        assertTrue(failure.getMessage().contains("region=huge"), failure.getMessage());
        assertEquals(0, arena.usedBytes());
        assertEquals(0, arena.liveCount());
      }
      assertEquals(8, arena.allocate("small", 8).length());
    }
  }

  @Test
  @Tag("long")
  void shouldGiveEverySlabBackWhenTheMachineRunsOutInTheMiddleOfARegion() {
    try (Arena arena = Arena.ofCapacity(Long.MAX_VALUE)) {
      final CapacityExceededException failure =
          assertThrows(CapacityExceededException.class, () -> arena.allocate("vast", 1L << 40));
      assertTrue(failure.getMessage().contains("MaxDirectMemorySize"), failure.getMessage());
      assertEquals(0, arena.usedBytes());
      assertEquals(0, arena.liveCount());
      arena.free(arena.allocate("one slab and a little", (1L << 30) + 8));
    }
  }

  @Test
  void shouldHandOutZeroedMemoryWhereDirtyMemoryWasFreed() {
    try (Arena arena = Arena.ofCapacity(1 << 20)) {
      for (int round = 0; round < 50; round++) {
        final Region region = arena.allocate("region", 10_000 + round);
        for (long offset = 0; offset < region.length(); offset++) {
          assertEquals(0, region.getByte(offset), "round=" + round + " offset=" + offset);
        }
        region.fill(0, region.length(), (byte) 0xFF);
        arena.free(region);
      }
    }
  }

  @Test
  void shouldAlignTenThousandRegionsAndKeepThemApart() {
    final long seed = 11;
    final Random random = new Random(seed);
    try (Arena arena = Arena.ofCapacity(1 << 24)) {
      final List<Region> regions = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        final Region region = arena.allocate("region" + i, random.nextInt(300));
        assertEquals(0, region.addressOf(0, 0) % Arena.ALIGNMENT, "seed=" + seed + " i=" + i);
        region.fill(0, region.length(), (byte) i);
        regions.add(region);
      }
      for (int i = 0; i < regions.size(); i++) {
        for (long offset = 0; offset < regions.get(i).length(); offset++) {
          assertEquals((byte) i, regions.get(i).getByte(offset), "seed=" + seed + " i=" + i);
        }
      }
      regions.sort(Comparator.comparingLong(region -> region.addressOf(0, 0)));
      for (int i = 1; i < regions.size(); i++) {
        final long end = regions.get(i - 1).addressOf(0, 0) + regions.get(i - 1).length();
        assertTrue(end <= regions.get(i).addressOf(0, 0), "seed=" + seed + " i=" + i);
      }
      assertEquals(10_000, arena.liveCount());
      assertEquals(regions.stream().mapToLong(Region::length).sum(), arena.usedBytes());
      arena.verifyCanaries();
      regions.forEach(arena::free);
      assertEquals(0, arena.usedBytes());
      arena.assertNothingLive();
    }
  }

  @Test
  void shouldNoticeAWriteOfOneByteAnywhereBesideARegion() {
    for (final int length : LENGTHS) {
      for (int distance = 0; distance < Arena.ALIGNMENT; distance++) {
        assertNoticed(length, length + distance);
        assertNoticed(length, -1 - distance);
      }
    }
  }

  private static void assertNoticed(final int length, final int at) {
    final String where = "length=" + length + " at=" + at;
    try (Arena arena = Arena.tracking(1 << 16)) {
      final Region region = arena.allocate("victim", length);
      final Region other = arena.allocate("other", 64);
      arena.verifyCanaries();
      final long address = region.addressOf(0, 0) + at;
      UnsafeApi.putByte(address, (byte) (UnsafeApi.getByte(address) + 1));
      final IllegalStateException seen =
          assertThrows(IllegalStateException.class, arena::verifyCanaries, where);
      assertTrue(seen.getMessage().contains("victim"), seen.getMessage());
      final IllegalStateException failure =
          assertThrows(IllegalStateException.class, () -> arena.free(region), where);
      assertTrue(failure.getMessage().contains("victim"), failure.getMessage());
      assertTrue(failure.getMessage().contains("length=" + length), failure.getMessage());
      assertWasHere(failure.getCause(), "assertNoticed");
      assertEquals(64, arena.usedBytes(), where);
      arena.free(other);
      arena.assertNothingLive();
    }
  }

  private static void assertWasHere(final Throwable site, final String method) {
    assertNotNull(site, "no site was kept");
    assertTrue(
        Arrays.stream(site.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals(method)),
        Arrays.toString(site.getStackTrace()));
  }

  @Test
  void shouldNotMindAWriteOfTheWholeRegion() {
    for (final int length : LENGTHS) {
      try (Arena arena = Arena.ofCapacity(length)) {
        final Region region = arena.allocate("full", length);
        region.fill(0, length, (byte) 0xA5);
        for (int offset = 0; offset + Long.BYTES <= length; offset++) {
          region.putLong(offset, -1);
        }
        arena.verifyCanaries();
        arena.free(region);
      }
    }
  }

  @Test
  void shouldFreeEverythingAndNameEveryVictimWhenClosedWithBrokenCanaries() {
    final Arena arena = Arena.tracking(1 << 16);
    arena.allocate("sound", 100);
    for (final String name : List.of("broken1", "broken2", "broken3")) {
      final Region region = arena.allocate(name, 100);
      UnsafeApi.putLong(region.addressOf(0, 0) + 100, 0);
    }
    final IllegalStateException failure = assertThrows(IllegalStateException.class, arena::close);
    assertTrue(arena.isClosed());
    assertEquals(0, arena.usedBytes());
    assertEquals(0, arena.liveCount());
    arena.assertNothingLive();
    final StringBuilder told = new StringBuilder(failure.getMessage());
    for (final Throwable more : failure.getSuppressed()) {
      told.append(more.getMessage());
    }
    for (final String name : List.of("broken1", "broken2", "broken3")) {
      assertTrue(told.toString().contains(name), told.toString());
    }
    assertFalse(told.toString().contains("sound"), told.toString());
    arena.close();
  }

  @Test
  void shouldTellWhoAllocatedWhatWasLeftBehind() {
    try (Arena arena = Arena.tracking(1 << 16)) {
      arena.free(arena.allocate("returned", 10));
      allocateForgotten(arena);
      final IllegalStateException failure =
          assertThrows(IllegalStateException.class, arena::assertNothingLive);
      assertTrue(failure.getMessage().contains("count=1"), failure.getMessage());
      assertTrue(failure.getMessage().contains("forgotten"), failure.getMessage());
      assertWasHere(failure.getCause(), "allocateForgotten");
    }
  }

  private static void allocateForgotten(final Arena arena) {
    arena.allocate("forgotten", 10);
  }

  @Test
  void shouldTellWhoFreedFirstWhenARegionIsFreedTwice() {
    try (Arena arena = Arena.tracking(1 << 16)) {
      final Region region = arena.allocate("twice", 10);
      freeFirst(arena, region);
      final IllegalStateException failure =
          assertThrows(IllegalStateException.class, () -> arena.free(region));
      assertTrue(failure.getMessage().contains("twice"), failure.getMessage());
      assertWasHere(failure.getCause(), "freeFirst");
      assertEquals(0, arena.usedBytes());
    }
  }

  private static void freeFirst(final Arena arena, final Region region) {
    arena.free(region);
  }

  @Test
  void shouldRefuseASecondFreeWithoutTrackingToo() {
    try (Arena arena = Arena.ofCapacity(1 << 16)) {
      final Region region = arena.allocate("twice", 10);
      arena.free(region);
      final IllegalStateException failure =
          assertThrows(IllegalStateException.class, () -> arena.free(region));
      assertTrue(failure.getMessage().contains("twice"), failure.getMessage());
      assertNull(failure.getCause());
      assertEquals(0, arena.usedBytes());
    }
  }

  @Test
  void shouldRefuseARegionOfAnotherArena() {
    try (Arena arena = Arena.tracking(100);
        Arena other = Arena.tracking(100)) {
      final Region region = other.allocate("foreign", 10);
      assertThrows(IllegalStateException.class, () -> arena.free(region));
      assertEquals(10, other.usedBytes());
      region.putLong(0, 7);
      assertEquals(7, region.getLong(0));
      other.free(region);
    }
  }

  @Test
  void shouldCloseOnceAndStayClosed() {
    final Arena arena = Arena.tracking(100);
    final Region region = arena.allocate("region", 10);
    assertFalse(arena.isClosed());
    arena.close();
    arena.close();
    assertTrue(arena.isClosed());
    assertEquals(0, arena.usedBytes());
    assertEquals(0, arena.liveCount());
    final IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> arena.allocate("late", 1));
    assertEquals("arena used after close: region=late", failure.getMessage());
    assertThrows(IllegalStateException.class, () -> arena.free(region));
  }

  @Test
  void shouldCountUsedAndPeakBytesLikeALedgerUnderRandomUse() {
    try (Arena arena = Arena.ofCapacity(4000)) {
      final List<Region> live = new ArrayList<>();
      final long[] ledger = new long[2];
      SeededRun.run(
          5,
          SeededRun.operations(),
          run -> {
            final int length = run.below(400);
            if (run.below(100) < 55) {
              run.note("allocate", length);
              if (ledger[0] + length <= 4000) {
                live.add(arena.allocate("r", length));
                ledger[0] += length;
                ledger[1] = Math.max(ledger[0], ledger[1]);
              } else {
                assertThrows(CapacityExceededException.class, () -> arena.allocate("r", length));
              }
            } else if (!live.isEmpty()) {
              final Region region = live.remove(run.below(live.size()));
              run.note("free", region.length());
              arena.free(region);
              ledger[0] -= region.length();
            }
            assertEquals(ledger[0], arena.usedBytes());
            assertEquals(ledger[1], arena.peakBytes());
            assertEquals(live.size(), arena.liveCount());
          });
      arena.verifyCanaries();
    }
  }

  @Test
  void shouldTellRegionsOfTheSameNameAndLengthApart() {
    try (Arena arena = Arena.ofCapacity(100)) {
      final Region first = arena.allocate("same", 8);
      final Region second = arena.allocate("same", 8);
      arena.free(first);
      second.putLong(0, 1);
      assertThrows(IllegalStateException.class, () -> arena.free(first));
      arena.free(second);
      assertEquals(0, arena.liveCount());
    }
  }
}
