package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.hash.Xxh3;
import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.index.NaiveIndex.Score;
import io.kvroute.protocol.StorageTier;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An index and its naive twin that have seen the same random operations. */
final class SnapshotTwin implements AutoCloseable {
  final NaiveIndex naive = new NaiveIndex(ClearScope.RANK);
  private final Style style;
  private final Random random;
  private final IndexOperations source;
  private final MatchScores scores = new MatchScores();
  private RadixIndex index;
  private IndexDriver driver;

  SnapshotTwin(final Style style, final long seed) {
    this.style = style;
    random = new Random(seed);
    source = new IndexOperations(style, random);
    use(builder().build());
  }

  /** Large enough for everything that a style makes. */
  RadixIndexBuilder builder() {
    return RadixIndex.builder()
        .blockCapacity(20_000)
        .edgeCapacity(20_000)
        .rankCapacity(style.ranks())
        .ownNameCapacity(200_000)
        .holderBytes(4 << 20);
  }

  RadixIndex index() {
    return index;
  }

  /** Goes on with another index, which is closed at the end. */
  void use(final RadixIndex other) {
    if (index != null) {
      index.close();
    }
    index = other;
    driver = new IndexDriver(other);
  }

  void run(final int operations) {
    for (int i = 0; i < operations; i++) {
      final IndexOperation operation = source.next(naive);
      final Object[] results = operation.apply(naive, index, driver);
      assertEquals(results[0], results[1], operation.toString());
    }
  }

  /** Compares the answers to random queries. */
  void compare(final RadixIndex other, final int queries) {
    final List<NaiveIndex.Place> places = naive.places();
    for (int i = 0; i < queries; i++) {
      final long[] query = query(places);
      assertEquals(find(index, query), find(other, query), () -> List.of(query).toString());
      final StorageTier tier = StorageTier.ofOrdinal(i % 4);
      assertEquals(findInTier(index, query, tier), findInTier(other, query, tier));
    }
    for (final Rank rank : naive.ranks) {
      for (int tier = 0; tier < 4; tier++) {
        assertEquals(
            naive.held(rank, tier),
            other.heldBlocks(rank.workerId(), rank.dpRank(), StorageTier.ofOrdinal(tier)));
      }
    }
    assertEquals(naive.ranks.size(), other.rankCount());
  }

  /** Compares the answers of two indexes to random queries. */
  void compareAnswers(final RadixIndex first, final RadixIndex second, final int queries) {
    final List<NaiveIndex.Place> places = naive.places();
    for (int i = 0; i < queries; i++) {
      final long[] query = query(places);
      final StorageTier tier = StorageTier.ofOrdinal(i % 4);
      assertEquals(find(first, query), find(second, query));
      assertEquals(findInTier(first, query, tier), findInTier(second, query, tier));
    }
  }

  /** Compares the answers to random queries with those of the naive twin. */
  void compareWithNaive(final int queries) {
    final List<NaiveIndex.Place> places = naive.places();
    for (int i = 0; i < queries; i++) {
      final long[] query = query(places);
      assertEquals(naive.find(query, false), find(index, query));
    }
  }

  private long[] query(final List<NaiveIndex.Place> places) {
    if (places.isEmpty() || random.nextInt(20) == 0) {
      return random.longs(random.nextInt(5), 0, 4).toArray();
    }
    final List<Long> path = new ArrayList<>();
    NaiveIndex.Place place = places.get(random.nextInt(places.size()));
    for (; place.parent != null; place = place.parent) {
      path.add(0, place.local);
    }
    if (random.nextInt(3) == 0) {
      path.set(random.nextInt(path.size()), random.nextLong(4));
    }
    return path.stream().mapToLong(Long::longValue).toArray();
  }

  private List<Score> find(final RadixIndex asked, final long[] query) {
    asked.find(query, 0, query.length, scores);
    return read();
  }

  private List<Score> findInTier(
      final RadixIndex asked, final long[] query, final StorageTier tier) {
    asked.findInTier(query, 0, query.length, tier, false, scores);
    return read();
  }

  private List<Score> read() {
    final List<Score> list = new ArrayList<>();
    for (int i = 0; i < scores.count(); i++) {
      final List<Integer> byTier = new ArrayList<>();
      for (int tier = 0; tier < 4; tier++) {
        byTier.add(scores.extension(i, StorageTier.ofOrdinal(tier)));
      }
      list.add(new Score(new Rank(scores.workerId(i), scores.dpRank(i)), byTier));
    }
    return list;
  }

  /** All bytes of a dump. */
  static byte[] dump(final RadixIndex dumped) {
    final ByteArrayOutputStream all = new ByteArrayOutputStream();
    dumped.dump(
        (buffer, offset, length) -> {
          final byte[] event = new byte[length];
          buffer.getBytes(offset, event);
          all.writeBytes(event);
        });
    return all.toByteArray();
  }

  /** A hash over the events of a dump, for one that does not fit into an array. */
  static long dumpHash(final RadixIndex dumped) {
    final long[] hash = {0};
    dumped.dump((buffer, offset, length) -> hash[0] = Xxh3.hash(buffer, offset, length, hash[0]));
    return hash[0];
  }

  @Override
  public void close() {
    index.close();
  }
}
