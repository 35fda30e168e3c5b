package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outputs of the synthetic reference workload, as four index structures in Rust gave them. */
final class SyntheticWorkloadTest {

  private static RadixIndex index(final int workers) {
    return RadixIndex.builder()
        .blockCapacity(1_100_000)
        .edgeCapacity(20_000)
        .rankCapacity(workers)
        .build();
  }

  @Test
  void shouldGiveTheReferenceTotalsForEightWorkers() {
    try (RadixIndex index = index(8)) {
      final SyntheticWorkload workload = new SyntheticWorkload(index, 8);
      workload.build(1_000_000);
      assertEquals(1_000_089, workload.storedBlocks);
      assertEquals(1_000_089, index.heldBlocks(StorageTier.DEVICE));
      assertEquals(64_221, workload.events);
      assertEquals(4_336, workload.sequences());
      assertTotals(index, workload, 0, 0, 0);
      assertTotals(index, workload, 16, 116_608, 520_272);
      assertTotals(index, workload, 128, 679_098, 3_051_801);
      assertTotals(index, workload, 512, 1_257_517, 7_065_901);
    }
  }

  @Test
  void shouldGiveTheReferenceTotalsForSixtyFourWorkersAndReturnWhatFreshBlocksTook() {
    try (RadixIndex index = index(64)) {
      final SyntheticWorkload workload = new SyntheticWorkload(index, 64);
      workload.build(1_000_000);
      assertEquals(1_000_248, workload.storedBlocks);
      assertEquals(64_056, workload.events);
      assertEquals(3_668, workload.sequences());
      assertTotals(index, workload, 16, 594_800, 19_326_752);
      assertTotals(index, workload, 128, 2_974_954, 96_646_321);
      assertTotals(index, workload, 512, 4_203_005, 139_361_605);

      final List<byte[]> removals = new ArrayList<>();
      final List<byte[]> stores = workload.freshStores(2_000, removals);
      apply(index, stores);
      assertEquals(1_000_248 + 32_000, index.heldBlocks(StorageTier.DEVICE));
      apply(index, removals);
      final long used = index.usedBytes();
      for (int cycle = 0; cycle < 3; cycle++) {
        apply(index, stores);
        apply(index, removals);
        assertEquals(used, index.usedBytes(), "cycle=" + cycle);
      }
      assertTotals(index, workload, 512, 4_203_005, 139_361_605);
      IndexInvariants.check(index);
    }
  }

  private static void apply(final RadixIndex index, final List<byte[]> events) {
    for (final byte[] event : events) {
      assertEquals(ApplyResult.OK, index.apply(new UnsafeBuffer(event), 0, event.length));
    }
  }

  @Test
  void shouldFindWhatWasStoredForFiveHundredAndTwelveWorkers() {
    try (RadixIndex index = index(512)) {
      final SyntheticWorkload workload = new SyntheticWorkload(index, 512);
      workload.build(1_000_000);
      assertTotalsAsStored(index, workload);
    }
  }

  @Tag("long")
  @Test
  void shouldFindWhatWasStoredInTenMillionBlocks() {
    for (final int workers : new int[] {64, 512}) {
      try (RadixIndex index =
          RadixIndex.builder().blockCapacity(10_100_000).rankCapacity(workers).build()) {
        final SyntheticWorkload workload = new SyntheticWorkload(index, workers);
        workload.build(10_000_000);
        assertEquals(workload.storedBlocks, index.heldBlocks(StorageTier.DEVICE));
        assertTotalsAsStored(index, workload);
        assertEquals(0, index.counters().evictedBlocks());
      }
    }
  }

  private static void assertTotalsAsStored(
      final RadixIndex index, final SyntheticWorkload workload) {
    for (final int depth : new int[] {0, 16, 128, 512}) {
      assertArrayEquals(
          workload.expectedTotals(depth),
          SyntheticWorkload.totals(index, workload.queries(depth)),
          "depth=" + depth);
    }
  }

  private static void assertTotals(
      final RadixIndex index,
      final SyntheticWorkload workload,
      final int depth,
      final long sum,
      final long weighted) {
    final long[] totals = {sum, weighted};
    assertArrayEquals(totals, workload.expectedTotals(depth), "depth=" + depth);
    assertArrayEquals(
        totals, SyntheticWorkload.totals(index, workload.queries(depth)), "depth=" + depth);
  }
}
