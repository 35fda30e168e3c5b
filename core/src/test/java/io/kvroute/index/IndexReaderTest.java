package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What a reader promises on its own; beside a writer it is tested by {@link ReadersStressTest}. */
final class IndexReaderTest {
  private static final Rank RANK = new Rank(7, 1);

  private static List<Block> chain(final int count) {
    final List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(new Block(1000 + i, i));
    }
    return blocks;
  }

  @Test
  void shouldFindWhatTheIndexFindsWhateverTheQueryComesFrom() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(100).build();
        IndexReader reader = index.newReader()) {
      final IndexDriver driver = new IndexDriver(index);
      driver.stored(RANK, 0, null, chain(5));
      driver.stored(RANK, 1, 1004L, List.of(new Block(1005, 5)));
      final MatchScores scores = new MatchScores();
      final long[] query = {99, 0, 1, 2, 3, 4, 5, 6};
      reader.find(query, 1, 7, scores);
      assertEquals(5, scores.device(scores.indexOf(7, 1)));
      assertEquals(6, scores.total(0));
      final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
      for (int i = 0; i < 3; i++) {
        buffer.putLong(8 + 8 * i, i);
      }
      reader.find(buffer, 8, 3, false, scores);
      assertEquals(3, scores.total(0));
      reader.find(query, 1, 7, true, scores);
      assertEquals(1, scores.total(0));
      reader.findInTier(query, 1, 7, StorageTier.HOST_PINNED, false, scores);
      assertEquals(0, scores.count());
      assertEquals(0, reader.retries());
    }
  }

  @Test
  void shouldKeepTheIndexOpenForAsLongAsAReaderIs() {
    final RadixIndex index = RadixIndex.builder().blockCapacity(100).build();
    final IndexReader first = index.newReader();
    final IndexReader second = index.newReader();
    final IllegalStateException refusal = assertThrows(IllegalStateException.class, index::close);
    assertTrue(refusal.getMessage().contains("readers=2"), refusal.getMessage());
    first.close();
    first.close();
    assertThrows(IllegalStateException.class, index::close);
    new IndexDriver(index).stored(RANK, 0, null, chain(3));
    final MatchScores scores = new MatchScores();
    second.find(new long[] {0, 1, 2}, 0, 3, scores);
    assertEquals(3, scores.total(0));
    second.close();
    index.close();
    index.close();
    assertThrows(IllegalStateException.class, index::newReader);
    assertThrows(
        IllegalStateException.class, () -> second.find(new long[] {0}, 0, 1, new MatchScores()));
  }

  @Test
  void shouldRefuseARangeOutsideTheQuery() {
    try (RadixIndex index = RadixIndex.builder().blockCapacity(100).build();
        IndexReader reader = index.newReader()) {
      final MatchScores scores = new MatchScores();
      assertThrows(IndexOutOfBoundsException.class, () -> reader.find(new long[4], 2, 3, scores));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> reader.find(new UnsafeBuffer(new byte[32]), 16, 3, false, scores));
    }
  }

  @Test
  void shouldKnowSeveralIndexesByTurns() {
    final MatchScores scores = new MatchScores();
    final List<RadixIndex> indexes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      final RadixIndex index =
          RadixIndex.builder().blockCapacity(100).rankCapacity(1 + 40L * i).build();
      new IndexDriver(index).stored(new Rank(100 + i, i), 0, null, chain(i + 1));
      indexes.add(index);
    }
    final long[] query = new long[30];
    for (int i = 0; i < query.length; i++) {
      query[i] = i;
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 20; i++) {
        indexes.get(i).find(query, 0, query.length, scores);
        assertEquals(1, scores.count());
        assertEquals(100 + i, scores.workerId(0));
        assertEquals(i, scores.dpRank(0));
        assertEquals(i + 1, scores.total(0));
      }
    }
    indexes.forEach(RadixIndex::close);
  }
}
