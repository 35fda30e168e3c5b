package io.kvroute.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SharedCacheHitsTest {

  @Test
  void shouldCoalesceNeighboursWhenMadeFromHits() {
    assertHits(SharedCacheHits.fromHits(true, true, true, true), 4, range(0, 4));
    assertHits(
        SharedCacheHits.fromHits(true, false, true, true, false, true),
        4,
        range(0, 1),
        range(2, 4),
        range(5, 6));
    assertHits(SharedCacheHits.fromHits(false, false, false), 0);
    assertHits(SharedCacheHits.fromHits(), 0);
    assertHits(new SharedCacheHits(), 0);
  }

  @Test
  void shouldCountHitsFromAPositionOnWhenThereIsOneRange() {
    final SharedCacheHits hits = SharedCacheHits.fromRanges(List.of(range(0, 4)));
    assertEquals(2, hits.hitsBeyond(2));
    assertEquals(4, hits.hitsBeyond(0));
    assertEquals(0, hits.hitsBeyond(4));
    assertEquals(0, hits.hitsBeyond(10));
  }

  @Test
  void shouldCountHitsFromAPositionOnWhenRangesAreSparse() {
    final SharedCacheHits hits = SharedCacheHits.fromRanges(List.of(range(1, 3), range(5, 8)));
    assertEquals(5, hits.totalHits());
    assertEquals(5, hits.hitsBeyond(0));
    assertEquals(4, hits.hitsBeyond(2));
    assertEquals(3, hits.hitsBeyond(3));
    assertEquals(2, hits.hitsBeyond(6));
    assertEquals(0, hits.hitsBeyond(8));
    assertEquals(0, hits.hitsBeyond(10));
  }

  @Test
  void shouldTreatPositionsAsUnsignedWhenTheyPassTwoToThe31() {
    final SharedCacheHits hits =
        SharedCacheHits.fromRanges(List.of(range(2147483640L, 2147483650L)));
    assertEquals(5, hits.hitsBeyond((int) 2147483645L));
    assertEquals(10, hits.hitsBeyond(0));
    assertEquals(0, hits.hitsBeyond(-1));
    final SharedCacheHits all = SharedCacheHits.fromRanges(List.of(range(0, 4294967295L)));
    assertEquals(-1, all.totalHits());
    assertEquals(-2, all.hitsBeyond(1));
  }

  @Test
  void shouldRefuseRangesThatAreReversedUnsortedOrOverlap() {
    refused(range(8, 5));
    refused(range(5, 8), range(1, 3));
    refused(range(0, 10), range(5, 15));
    refused(range(0, 4294967295L), range(0, 2));
  }

  private static void refused(final BlockRange... ranges) {
    final IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class, () -> SharedCacheHits.fromRanges(List.of(ranges)));
    assertTrue(thrown.getMessage().contains("range="), thrown.getMessage());
  }

  @Test
  void shouldSaturateWhenRangesDoNotFitTogether() {
    assertEquals(0, new SharedCacheHits(List.of(range(8, 5)), 0).hitsBeyond(0));
    final SharedCacheHits overlapping =
        new SharedCacheHits(List.of(range(0, 4294967295L), range(0, 2)), 0);
    assertEquals(-1, overlapping.hitsBeyond(0));
  }

  @Test
  void shouldAgreeWithCountingFlagsWhenHitsAreRandom() {
    final long seed = 87;
    final SplittableRandom random = new SplittableRandom(seed);
    for (int trial = 0; trial < 2_000; trial++) {
      final boolean[] flags = new boolean[random.nextInt(40)];
      for (int i = 0; i < flags.length; i++) {
        flags[i] = random.nextInt(3) > 0;
      }
      final SharedCacheHits hits = SharedCacheHits.fromHits(flags);
      for (int from = 0; from <= flags.length + 1; from++) {
        int expected = 0;
        for (int i = from; i < flags.length; i++) {
          expected += flags[i] ? 1 : 0;
        }
        final String trace = "seed=" + seed + " trial=" + trial + " from=" + from;
        assertEquals(expected, hits.hitsBeyond(from), trace);
      }
    }
  }

  private static void assertHits(
      final SharedCacheHits hits, final int total, final BlockRange... ranges) {
    assertEquals(new ArrayList<>(List.of(ranges)), new ArrayList<>(hits.ranges()));
    assertEquals(total, hits.totalHits());
  }

  private static BlockRange range(final long start, final long end) {
    return new BlockRange((int) start, (int) end);
  }
}
