package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is full refuses, counts, and stays as it was. */
final class CapacityTest {
  private static final Rank RANK = new Rank(1, 0);

  private static List<Block> chain(final int from, final int count) {
    final List<Block> blocks = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      blocks.add(new Block(1000 + i, i));
    }
    return blocks;
  }

  @Test
  void shouldRefuseTheBlockThatDoesNotFitAndTakeItWhenThereIsRoomAgain() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(100).build()) {
      final IndexDriver driver = new IndexDriver(index);
      assertEquals(ApplyResult.OK, driver.stored(RANK, 0, null, chain(0, 100)));
      assertEquals(100, index.blockCount());
      final long used = index.usedBytes();
      assertEquals(ApplyResult.CAPACITY_EXCEEDED, driver.stored(RANK, 0, 1099L, chain(100, 1)));
      assertEquals(1, index.counters().events(KvEventType.STORED, ApplyResult.CAPACITY_EXCEEDED));
      assertEquals(used, index.usedBytes());
      assertEquals(
          ApplyResult.INVALID_BLOCK_SEQUENCE,
          driver.stored(RANK, 0, 1099L, List.of(new Block(1005, 100))));
      assertEquals(ApplyResult.OK, driver.removed(RANK, 0, List.of(1099L)));
      assertEquals(ApplyResult.OK, driver.stored(RANK, 0, 1098L, List.of(new Block(7, 7))));
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldTakeAsManyBlocksAsTheMemoryIsEnoughFor() {
    for (final long bytes : new long[] {200_000, 1 << 20, 77_777_777}) {
      final RadixIndexBuilder builder = RadixIndex.builder().memoryBytes(bytes);
      assertTrue(builder.requiredBytes() <= bytes, "bytes=" + bytes);
      final int blocks = builder.blockCapacity();
      final RadixIndexBuilder larger = RadixIndex.builder().blockCapacity(blocks + 1L);
      assertTrue(larger.requiredBytes() > bytes, "bytes=" + bytes + " blocks=" + blocks);
      try (RadixIndex index = builder.build()) {
        assertEquals(ApplyResult.OK, new IndexDriver(index).stored(RANK, 0, null, chain(0, 100)));
      }
    }
    final CapacityExceededException refusal =
        assertThrows(
            CapacityExceededException.class, () -> RadixIndex.builder().memoryBytes(1000).build());
    assertTrue(refusal.getMessage().contains("memoryBytes=1000 requiredBytes="));
  }

  @Test
  void shouldMakeTheLeafGoFirstOnWhichNoStoreEndedForTheLongestTime() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(30).build()) {
      final IndexDriver driver = new IndexDriver(index);
      final Rank other = new Rank(2, 0);
      driver.stored(RANK, 0, null, chain(0, 10));
      driver.stored(other, 0, null, chain(100, 10));
      driver.stored(RANK, 0, null, chain(200, 10));
      // Announced again, the first is the newest now.
      driver.stored(RANK, 0, null, chain(0, 10));
      assertEquals(ApplyResult.OK, driver.stored(RANK, 0, 1009L, chain(300, 4)));
      assertEquals(4, index.counters().evictedBlocks());
      assertEquals(6, index.heldBlocks(2, 0, StorageTier.DEVICE));
      assertTrue(index.isApproximate(2, 0));
      assertFalse(index.isApproximate(1, 0));
      // What its engine stores behind the gap is refused and counted.
      assertEquals(
          ApplyResult.PARENT_BLOCK_NOT_FOUND, driver.stored(other, 0, 1109L, chain(400, 2)));
      assertEquals(1, index.counters().storesBelowGaps());
      assertEquals(1, index.approximateRankCount());
      // Told anew, it is exact again.
      driver.cleared(other, 0);
      assertFalse(index.isApproximate(2, 0));
      assertEquals(ApplyResult.OK, driver.stored(other, 0, null, chain(500, 6)));
      assertEquals(30, index.blockCount());
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldEvictNothingForAnEventThatCanNeverFit() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(30).build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(RANK, 0, null, chain(0, 10));
      driver.stored(RANK, 0, null, chain(100, 10));
      assertEquals(
          ApplyResult.CAPACITY_EXCEEDED, driver.stored(new Rank(2, 0), 0, null, chain(200, 31)));
      assertEquals(ApplyResult.CAPACITY_EXCEEDED, driver.stored(RANK, 0, 1109L, chain(200, 21)));
      assertEquals(20, index.blockCount());
      assertEquals(0, index.counters().evictedBlocks());
      assertTrue(index.isApproximate(1, 0));
      assertEquals(1, index.rankCount());
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldRefuseARankThatDoesNotFit() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(100).rankCapacity(2).build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(new Rank(1, 0), 0, null, chain(0, 3));
      driver.stored(new Rank(2, 0), 0, null, chain(0, 3));
      assertEquals(
          ApplyResult.CAPACITY_EXCEEDED, driver.stored(new Rank(3, 0), 0, null, chain(0, 3)));
      assertEquals(ApplyResult.CAPACITY_EXCEEDED, driver.cleared(new Rank(3, 0), 0));
      assertEquals(2, index.workers().length);
      index.removeWorker(1);
      assertEquals(ApplyResult.OK, driver.stored(new Rank(3, 0), 0, null, chain(0, 3)));
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldRefuseNamesThatDoNotFit() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(100).ownNameCapacity(3).build()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(RANK, 0, null, chain(0, 5));
      final List<Block> renamed = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        renamed.add(new Block(2000 + i, i));
      }
      assertEquals(ApplyResult.CAPACITY_EXCEEDED, driver.stored(new Rank(2, 0), 0, null, renamed));
      assertEquals(0, index.ownNameCount());
      assertEquals(1, index.rankCount());
      IndexInvariants.check(index);
    }
  }

  /** Every structure in turn is the small one; nothing may break or leak, whatever is refused. */
  @Test
  void shouldKeepItsPromisesWhateverIsFull() {
    final Map<ApplyResult, Integer> seen = new HashMap<>();
    for (int seed = 0; seed < 60; seed++) {
      final Random random = new Random(seed);
      try (RadixIndex index =
          RadixIndex.builder()
              .blockCapacity(50 + random.nextInt(200))
              .edgeCapacity(3 + random.nextInt(40))
              .rankCapacity(1 + random.nextInt(8))
              .ownNameCapacity(1 + random.nextInt(40))
              .holderBytes(256 << random.nextInt(5))
              .build()) {
        run(index, random, seed, seen);
      }
    }
    for (final ApplyResult result : ApplyResult.values()) {
      assertTrue(
          result == ApplyResult.MALFORMED || seen.getOrDefault(result, 0) > 20, result.toString());
    }
  }

  private static void run(
      final RadixIndex index,
      final Random random,
      final int seed,
      final Map<ApplyResult, Integer> seen) {
    final IndexDriver driver = new IndexDriver(index);
    final NaiveIndex naive = new NaiveIndex(ClearScope.RANK);
    final IndexOperations source =
        new IndexOperations(
            new IndexOperations.Style(4, 2, 2, 40, 2, IndexOperations.Naming.ALIASES, 2), random);
    for (int step = 0; step < 400; step++) {
      final IndexOperation operation = source.next(naive);
      final Object result = operation.apply(naive, index, driver)[1];
      if (result instanceof ApplyResult applied) {
        seen.merge(applied, 1, Integer::sum);
      }
      try {
        IndexInvariants.check(index);
      } catch (final AssertionError failure) {
        throw new AssertionError("seed=" + seed + " step=" + step + " " + operation, failure);
      }
    }
    for (final long worker : index.workers()) {
      index.removeWorker(worker);
    }
    while (index.sweep()) {
      // until all have left
    }
    assertEquals(0, index.usedBytes(), "seed=" + seed);
    assertEquals(0, index.heldBlocks(StorageTier.DEVICE), "seed=" + seed);
    assertNotEquals(0, index.counters().events(KvEventType.STORED, ApplyResult.OK));
  }
}
