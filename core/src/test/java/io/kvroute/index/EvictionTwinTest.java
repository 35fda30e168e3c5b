package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.IndexOperations.Naming;
import io.kvroute.index.IndexOperations.Style;
import io.kvroute.index.NaiveIndex.Place;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.index.NaiveIndex.Score;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * At the bound the index does what its twin does, block by block: the leaf whose last store is
 * longest ago goes first, whoever holds it, and what an event builds on stays.
 */
final class EvictionTwinTest {
  private static final int OPERATIONS = Integer.getInteger("kvroute.twin.operations", 10_000);

  record Setting(Style style, int capacity) {}

  static Stream<Setting> settings() {
    return Stream.of(
        new Setting(new Style(3, 2, 2, 60, 1, Naming.AGREED, 0), 150),
        new Setting(new Style(40, 2, 3, 50, 4, Naming.AGREED, 0), 100),
        new Setting(new Style(4, 2, 3, 60, 2, Naming.SALTED, 0), 90),
        new Setting(new Style(3, 1, 2, 40, 4, Naming.ALIASES, 0), 40),
        new Setting(new Style(3, 2, 2, 20, 4, Naming.TINY, 0), 30));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void shouldEvictWhatTheNaiveIndexEvicts(final Setting setting) {
    run(setting, 5, Math.max(1, OPERATIONS / 8));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("settings")
  void shouldEvictWhatTheNaiveIndexEvictsForALongTime(final Setting setting) {
    for (long seed = 1; seed <= 8; seed++) {
      run(setting, seed, 5_000);
    }
  }

  private static void run(final Setting setting, final long seed, final int operations) {
    final NaiveIndex naive = new NaiveIndex(ClearScope.RANK).withCapacity(setting.capacity);
    final Random random = new Random(seed);
    final IndexOperations source = new IndexOperations(setting.style, random);
    final List<IndexOperation> trace = new ArrayList<>();
    try (RadixIndex index =
        RadixIndex.builder()
            .blockCapacity(setting.capacity)
            .edgeCapacity(4L * setting.capacity)
            .rankCapacity(setting.style.ranks())
            .ownNameCapacity(20_000)
            .holderBytes(1 << 20)
            .build()) {
      final IndexDriver driver = new IndexDriver(index);
      try {
        for (int step = 0; step < operations; step++) {
          trace.add(source.next(naive));
          final Object[] results = trace.get(step).apply(naive, index, driver);
          assertEquals(results[0], results[1], "result");
          compare(naive, index, random);
        }
      } catch (final RuntimeException | AssertionError failure) {
        final StringBuilder text = new StringBuilder("seed=" + seed + " setting=" + setting);
        trace.forEach(operation -> text.append('\n').append(operation));
        throw new AssertionError(text.toString(), failure);
      }
      assertTrue(index.counters().evictedBlocks() > operations / 50, "evictions");
    }
  }

  private static void compare(final NaiveIndex naive, final RadixIndex index, final Random random) {
    IndexInvariants.check(index);
    final List<Place> places = naive.places();
    assertEquals(places.size(), index.blockCount(), "blocks");
    assertEquals(
        naive.counters.getOrDefault("evicted blocks", 0L), index.counters().evictedBlocks());
    assertEquals(naive.counters.getOrDefault("evicted holds", 0L), index.counters().evictedHolds());
    for (final Rank rank : naive.ranks) {
      assertEquals(
          naive.approximate.contains(rank), index.isApproximate(rank.workerId(), rank.dpRank()));
      for (int tier = 0; tier < 4; tier++) {
        assertEquals(
            naive.held(rank, tier),
            index.heldBlocks(rank.workerId(), rank.dpRank(), StorageTier.ofOrdinal(tier)));
      }
    }
    assertEquals(naive.approximate.size(), index.approximateRankCount());
    final MatchScores scores = new MatchScores();
    for (int i = 0; i < 3 && !places.isEmpty(); i++) {
      final List<Long> path = new ArrayList<>();
      for (Place place = places.get(random.nextInt(places.size()));
          place.parent != null;
          place = place.parent) {
        path.add(0, place.local);
      }
      final long[] query = path.stream().mapToLong(Long::longValue).toArray();
      index.find(query, 0, query.length, scores);
      final List<Integer> totals = new ArrayList<>();
      for (int rank = 0; rank < scores.count(); rank++) {
        totals.add(scores.total(rank));
      }
      assertEquals(naive.find(query, false).stream().map(Score::total).toList(), totals);
    }
  }
}
