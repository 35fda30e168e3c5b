package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker that is forgotten is out of sight at once; its memory comes back in slices. */
final class DeparturesTest {
  private static final int CHAINS = 5_000;
  private static final int LENGTH = 200;
  private static final int SLICE = 256;

  private static List<Block> chain(final int number, final int count) {
    final List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(new Block((long) number << 32 | i, (long) number << 32 | i));
    }
    return blocks;
  }

  private static RadixIndex index(final int rankCapacity) {
    return RadixIndex.builder().blockCapacity(1_100_000).rankCapacity(rankCapacity).build();
  }

  @Test
  void shouldTakeAMillionBlocksAwayInSlicesThatNobodyNotices() {
    try (RadixIndex index = index(4)) {
      final IndexDriver driver = new IndexDriver(index);
      final Rank leaving = new Rank(1, 0);
      final Rank staying = new Rank(2, 0);
      for (int i = 0; i < CHAINS; i++) {
        driver.stored(leaving, 0, null, chain(i, LENGTH));
      }
      driver.stored(staying, 0, null, chain(17, 50));
      final long before = index.blockCount();
      assertEquals((long) CHAINS * LENGTH, before);

      assertTrue(index.removeWorker(1));
      assertArrayEquals(new long[] {2}, index.workers());
      assertEquals(50, index.heldBlocks(StorageTier.DEVICE));
      final MatchScores scores = new MatchScores();
      index.find(new long[] {17L << 32, 17L << 32 | 1}, 0, 2, scores);
      assertEquals(1, scores.count());
      assertEquals(2, scores.workerId(0));
      index.find(new long[] {5L << 32}, 0, 1, scores);
      assertEquals(0, scores.count());
      assertFalse(index.removeWorker(1));

      // The worker may come back meanwhile, and others go on.
      assertEquals(ApplyResult.OK, driver.stored(leaving, 0, null, chain(5, 3)));
      long last = index.blockCount();
      assertTrue(last > before - 5 * (SLICE + LENGTH), "freed at once: blocks=" + last);
      int events = 0;
      while (last > 53) {
        driver.stored(staying, 0, null, chain(17, 50));
        events++;
        final long now = index.blockCount();
        assertTrue(last - now <= SLICE + LENGTH, "slice too large: blocks=" + (last - now));
        last = now;
      }
      assertTrue(events > before / (SLICE + LENGTH), "events=" + events);
      assertEquals(3, index.heldBlocks(1, 0, StorageTier.DEVICE));
      while (index.sweep()) {
        // until all is done
      }
      assertEquals(53, index.blockCount());
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldTakeOneVeryLongChainAwayInSlices() {
    try (RadixIndex index = index(2)) {
      final IndexDriver driver = new IndexDriver(index);
      final Rank rank = new Rank(1, 0);
      Long parent = null;
      for (int i = 0; i < 50; i++) {
        final List<Block> blocks = chain(i, 10_000);
        driver.stored(rank, 0, parent, blocks);
        parent = blocks.get(9_999).hash();
      }
      assertEquals(500_000, index.blockCount());
      index.removeWorker(1);
      long last = index.blockCount();
      assertTrue(last >= 500_000 - SLICE, "blocks=" + last);
      boolean more = true;
      while (more) {
        more = index.sweep();
        assertTrue(last - index.blockCount() <= 2 * SLICE);
        last = index.blockCount();
      }
      assertEquals(0, index.usedBytes());
    }
  }

  @Test
  void shouldMakeRoomForANewRankAtOnceWhenNoSlotIsFree() {
    try (RadixIndex index = index(1)) {
      final IndexDriver driver = new IndexDriver(index);
      for (int i = 0; i < 100; i++) {
        driver.stored(new Rank(1, 0), 0, null, chain(i, LENGTH));
      }
      index.removeWorker(1);
      assertEquals(ApplyResult.OK, driver.stored(new Rank(2, 0), 0, null, chain(7, 10)));
      assertEquals(10, index.blockCount());
      IndexInvariants.check(index);
    }
  }

  @Test
  void shouldUseMemoryThatIsStillToBeFreedBeforeItEvictsAnything() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(20_000).rankCapacity(3).build()) {
      final IndexDriver driver = new IndexDriver(index);
      for (int i = 0; i < 50; i++) {
        driver.stored(new Rank(1, 0), 0, null, chain(i, LENGTH));
        driver.stored(new Rank(2, 0), 0, null, chain(1000 + i, LENGTH));
      }
      assertEquals(20_000, index.blockCount());
      index.removeWorker(1);
      for (int i = 0; i < 50; i++) {
        assertEquals(
            ApplyResult.OK, driver.stored(new Rank(3, 0), 0, null, chain(2000 + i, LENGTH)));
      }
      assertEquals(0, index.counters().evictedBlocks());
      assertEquals(10_000, index.heldBlocks(2, 0, StorageTier.DEVICE));
      assertEquals(10_000, index.heldBlocks(3, 0, StorageTier.DEVICE));
    }
  }
}
