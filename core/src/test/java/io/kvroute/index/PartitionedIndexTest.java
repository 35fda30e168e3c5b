package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.StorageTier;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What the front of several partitions does on its own account. */
final class PartitionedIndexTest {
  private static final Rank RANK = new Rank(7, 0);

  private static List<Block> chain(final int from, final int count) {
    final List<Block> blocks = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      blocks.add(new Block(1_000_000L + i, i));
    }
    return blocks;
  }

  private static IndexDriver driver(final PartitionedIndex index) {
    return new IndexDriver(
        (buffer, offset, length) ->
            index.apply(buffer, offset, length) ? ApplyResult.OK : ApplyResult.MALFORMED);
  }

  private static long find(final PartitionedIndexReader reader, final int from, final int count) {
    final MatchScores scores = new MatchScores();
    final long[] query = new long[count];
    for (int i = 0; i < count; i++) {
      query[i] = (long) from + i;
    }
    reader.find(query, 0, count, scores);
    return scores.count() == 0 ? 0 : scores.total(0);
  }

  @Test
  void shouldGiveTheReferenceTotalsForEightWorkers() {
    try (PartitionedIndex index =
            PartitionedIndex.builder().partitionCount(4).blockCapacity(600_000).build();
        PartitionedIndexReader reader = index.newReader()) {
      final SyntheticWorkload workload = new SyntheticWorkload(index::apply, 8);
      workload.build(1_000_000);
      assertEquals(1_000_089, index.heldBlocks(StorageTier.DEVICE));
      assertEquals(0, index.frontEvents());
      for (int p = 0; p < 4; p++) {
        assertTrue(index.partition(p).blockCount() > 50_000, "partition " + p);
      }
      final MatchScores scores = new MatchScores();
      final long[] totals = new long[2];
      for (final long[] query : workload.queries(512)) {
        reader.find(query, 0, query.length, scores);
        for (int i = 0; i < scores.count(); i++) {
          totals[0] += scores.device(i);
          totals[1] += (scores.workerId(i) + 1) * scores.device(i);
        }
      }
      assertArrayEquals(new long[] {1_257_517, 7_065_901}, totals);
    }
  }

  @Test
  void shouldApplyWhatNoRingHasRoomForThoughNobodyPolls() {
    try (PartitionedIndex index = PartitionedIndex.builder().ringBytes(1 << 10).build();
        PartitionedIndexReader reader = index.newReader()) {
      final IndexDriver driver = driver(index);
      // Longer than a message of the ring may be.
      driver.stored(RANK, 0, null, chain(0, 500));
      assertEquals(500, find(reader, 0, 500));
      // More than the ring can take.
      for (int i = 1; i <= 1_000; i++) {
        driver.stored(RANK, 0, null, chain(1_000 * i, 2));
      }
      index.drain();
      assertEquals(2, find(reader, 1_000_000, 2));
      assertEquals(2_500, index.heldBlocks(StorageTier.DEVICE));
      assertEquals(2_500, index.blockCount());
    }
  }

  @Test
  void shouldLeaveEventsToThoseWhoPoll() {
    try (PartitionedIndex index = PartitionedIndex.builder().partitionCount(2).build();
        PartitionedIndexReader reader = index.newReader()) {
      final IndexDriver driver = driver(index);
      driver.stored(RANK, 0, null, chain(0, 3));
      driver.stored(RANK, 0, 1_000_002L, chain(3, 3));
      assertEquals(0, find(reader, 0, 6));
      final int home = PartitionedIndex.partitionOf(0, 2);
      assertEquals(0, index.poll(1 - home, 10));
      assertEquals(1, index.poll(home, 1));
      assertEquals(3, find(reader, 0, 6));
      assertEquals(1, index.poll(home, 10));
      assertEquals(6, find(reader, 0, 6));
      assertArrayEquals(new long[] {7}, index.workers());
    }
  }

  @Test
  void shouldSeeThatARankUsesAHashInAnotherPartition() {
    try (PartitionedIndex index = PartitionedIndex.builder().partitionCount(2).build();
        PartitionedIndexReader reader = index.newReader()) {
      final IndexDriver driver = driver(index);
      int other = 1;
      while (PartitionedIndex.partitionOf(other, 2) == PartitionedIndex.partitionOf(0, 2)) {
        other++;
      }
      driver.stored(RANK, 0, null, chain(0, 3));
      // The same hash for another block: refused for the same rank, taken from another.
      driver.stored(RANK, 0, null, List.of(new Block(1_000_001L, other)));
      assertEquals(1, index.frontEvents());
      assertEquals(0, find(reader, other, 1));
      driver.stored(new Rank(8, 0), 0, null, List.of(new Block(1_000_001L, other)));
      index.drain();
      assertEquals(1, find(reader, other, 1));
      driver.removed(new Rank(8, 0), 0, List.of(1_000_001L));
      index.drain();
      assertEquals(0, find(reader, other, 1));
      assertEquals(3, find(reader, 0, 3));
    }
  }

  @Test
  void shouldCountWhatIsNoEventAndRefuseWhatIsOutOfRange() {
    try (PartitionedIndex index = PartitionedIndex.builder().build()) {
      assertFalse(index.apply(new UnsafeBuffer(new byte[100]), 0, 100));
      assertEquals(1, index.malformedEvents());
      driver(index).stored(RANK, 0, 99L, chain(0, 2));
      index.drain();
      assertEquals(
          1,
          index
              .partition(0)
              .counters()
              .events(KvEventType.STORED, ApplyResult.PARENT_BLOCK_NOT_FOUND));
    }
    for (final int partitions : new int[] {0, 65}) {
      final CapacityExceededException refusal =
          assertThrows(
              CapacityExceededException.class,
              () -> PartitionedIndex.builder().partitionCount(partitions));
      assertTrue(refusal.getMessage().contains("partitionCount=" + partitions));
    }
    assertThrows(
        CapacityExceededException.class, () -> PartitionedIndex.builder().ringBytes(1_000));
  }

  @Test
  void shouldStayOpenForAsLongAsAReaderIs() {
    final PartitionedIndex index = PartitionedIndex.builder().partitionCount(3).build();
    final PartitionedIndexReader reader = index.newReader();
    assertThrows(IllegalStateException.class, index::close);
    driver(index).stored(RANK, 0, null, chain(0, 3));
    index.drain();
    assertEquals(3, find(reader, 0, 3));
    reader.close();
    reader.close();
    index.close();
    index.close();
    assertThrows(IllegalStateException.class, index::drain);
  }

  @Test
  void shouldMakeAnEqualIndexFromItsDump() {
    try (PartitionedIndex index = PartitionedIndex.builder().partitionCount(3).build();
        RadixIndex one = RadixIndex.builder().build();
        RadixIndex restored = RadixIndex.builder().build()) {
      final IndexDriver driver = driver(index);
      final IndexDriver alone = new IndexDriver(one);
      for (int i = 0; i < 20; i++) {
        for (final IndexDriver each : List.of(driver, alone)) {
          each.stored(new Rank(i % 3, 0), 0, null, chain(100 * i, 10));
          each.removed(new Rank(i % 3, 0), 0, List.of(1_000_004L + 100L * i));
        }
      }
      index.dump(restored);
      final List<String> expected = new ArrayList<>();
      final List<String> actual = new ArrayList<>();
      one.dump((buffer, offset, length) -> expected.add(text(buffer, offset, length)));
      restored.dump((buffer, offset, length) -> actual.add(text(buffer, offset, length)));
      assertEquals(expected, actual);
    }
  }

  private static String text(final DirectBuffer buffer, final int offset, final int length) {
    final byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return Arrays.toString(bytes);
  }

  @Test
  void shouldAllocateNothingForEvents() {
    final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (PartitionedIndex index = PartitionedIndex.builder().partitionCount(2).build()) {
      final List<byte[]> removals = new ArrayList<>();
      final SyntheticWorkload workload = new SyntheticWorkload(index::apply, 8);
      workload.build(100_000);
      final List<UnsafeBuffer> events = new ArrayList<>();
      workload.freshStores(200, removals).forEach(event -> events.add(new UnsafeBuffer(event)));
      removals.forEach(event -> events.add(new UnsafeBuffer(event)));
      final long id = Thread.currentThread().getId();
      long allocated = Long.MAX_VALUE;
      for (int round = 0; round < 100; round++) {
        final long before = threads.getThreadAllocatedBytes(id);
        for (int i = 0; i < events.size(); i++) {
          index.apply(events.get(i), 0, events.get(i).capacity());
          index.poll(i & 1, 4);
        }
        index.drain();
        allocated = Math.min(allocated, threads.getThreadAllocatedBytes(id) - before);
      }
      final long before = threads.getThreadAllocatedBytes(id);
      final long ofCounting = threads.getThreadAllocatedBytes(id) - before;
      assertEquals(0, allocated - ofCounting);
    }
  }
}
