package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.index.IndexOperations.Naming;
import io.kvroute.index.IndexOperations.Style;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Readers beside a writer. All operations are applied to one index alone first, and what every
 * query of a set finds after each of them is noted. Then they are applied to another one while
 * readers ask the same queries: what a reader sees must be what was noted after some operation
 * between the last that had ended when it began and the last that had begun when it ended.
 */
final class ReadersStressTest {
  private static final int QUERIES = 12;

  /** What is run: how operations are drawn, and how much there is room for. */
  record Setting(Style style, int blockCapacity, int sliceWork) {}

  static Stream<Setting> settings() {
    return Stream.of(
        new Setting(new Style(3, 2, 1, 60, 1, Naming.AGREED, 3), 20_000, 256),
        new Setting(new Style(40, 2, 1, 50, 4, Naming.AGREED, 10), 20_000, 3),
        new Setting(new Style(4, 2, 2, 40, 4, Naming.TINY, 20), 20_000, 1),
        // Little room: eviction is at work all the time, and slots find new uses at once.
        new Setting(new Style(4, 1, 2, 60, 2, Naming.SALTED, 10), 120, 16));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void shouldShowReadersOnlyWhatWasTrueBetweenTwoEvents(final Setting setting) throws Exception {
    new Run(setting, 7, 1_500).stress(15);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("settings")
  void shouldShowReadersOnlyWhatWasTrueBetweenTwoEventsForALongTime(final Setting setting)
      throws Exception {
    for (long seed = 1; seed <= 8; seed++) {
      new Run(setting, seed, 5_000).stress(60);
    }
  }

  private static final class Run {
    private final Setting setting;
    private final long seed;
    private final List<IndexOperation> operations = new ArrayList<>();
    private final long[][] queries = new long[QUERIES][];

    /** Fingerprints by query, after so many operations. */
    private final long[][] expected;

    private volatile int begun;
    private volatile int ended;
    private volatile boolean stopped;

    Run(final Setting setting, final long seed, final int count) {
      this.setting = setting;
      this.seed = seed;
      expected = new long[QUERIES][count + 1];
      final Random random = new Random(seed);
      final NaiveIndex naive = new NaiveIndex(ClearScope.RANK);
      final IndexOperations source = new IndexOperations(setting.style, random);
      try (RadixIndex index = newIndex()) {
        final IndexDriver driver = new IndexDriver(index);
        for (int i = 0; i < count; i++) {
          final IndexOperation operation = source.next(naive);
          operations.add(operation);
          operation.apply(naive, index, driver);
        }
      }
      drawQueries(naive, random);
      record();
    }

    private RadixIndex newIndex() {
      return RadixIndex.builder()
          .blockCapacity(setting.blockCapacity)
          .edgeCapacity(2_000)
          .rankCapacity(setting.style.ranks() + 3L)
          .ownNameCapacity(20_000)
          .holderBytes(1 << 20)
          .sliceWork(setting.sliceWork)
          .build();
    }

    /** The usual ways, and paths that were there at the end. */
    private void drawQueries(final NaiveIndex naive, final Random random) {
      for (int q = 0; q < QUERIES; q++) {
        final List<NaiveIndex.Place> places = naive.places();
        if (q % 2 == 0 || places.isEmpty()) {
          final int family = q % setting.style.families();
          queries[q] = new long[setting.style.depth()];
          for (int i = 0; i < queries[q].length; i++) {
            queries[q][i] = i == 0 ? family : i * 7L + family;
          }
        } else {
          NaiveIndex.Place place = places.get(random.nextInt(places.size()));
          final List<Long> path = new ArrayList<>();
          for (; place.parent != null; place = place.parent) {
            path.add(0, place.local);
          }
          queries[q] = path.stream().mapToLong(Long::longValue).toArray();
        }
      }
    }

    private void record() {
      final MatchScores scores = new MatchScores();
      try (RadixIndex index = newIndex()) {
        final IndexDriver driver = new IndexDriver(index);
        for (int i = 0; i <= operations.size(); i++) {
          for (int q = 0; q < QUERIES; q++) {
            index.find(queries[q], 0, queries[q].length, scores);
            expected[q][i] = fingerprint(scores);
          }
          if (i < operations.size()) {
            apply(operations.get(i), index, driver);
          }
        }
      }
    }

    private static void apply(
        final IndexOperation operation, final RadixIndex index, final IndexDriver driver) {
      if (operation instanceof IndexOperation.Stored stored) {
        driver.stored(stored.rank(), stored.tier(), stored.parent(), stored.blocks());
      } else if (operation instanceof IndexOperation.Removed removed) {
        driver.removed(removed.rank(), removed.tier(), removed.hashes());
      } else if (operation instanceof IndexOperation.Cleared cleared) {
        driver.cleared(cleared.rank(), cleared.tier());
      } else {
        operation.apply(new NaiveIndex(ClearScope.RANK), index, driver);
      }
    }

    private static long fingerprint(final MatchScores scores) {
      long print = scores.count();
      for (int i = 0; i < scores.count(); i++) {
        print = print * 31 + scores.workerId(i);
        print = print * 31 + scores.dpRank(i);
        for (int tier = 0; tier < 4; tier++) {
          print = print * 31 + scores.extension(i, StorageTier.ofOrdinal(tier));
        }
      }
      return print;
    }

    void stress(final int rounds) throws InterruptedException {
      long changes = 0;
      for (int round = 0; round < rounds; round++) {
        changes += round(round);
      }
      assertTrue(changes > 0, "no reader saw a change: seed=" + seed);
    }

    private long round(final int round) throws InterruptedException {
      begun = 0;
      ended = 0;
      stopped = false;
      final AtomicReference<Throwable> failure = new AtomicReference<>();
      final long[] changes = new long[2];
      try (RadixIndex index = newIndex()) {
        final Thread[] readers = new Thread[2];
        for (int i = 0; i < readers.length; i++) {
          final int number = i;
          readers[i] = new Thread(() -> changes[number] = read(index, number + round, failure));
          readers[i].start();
        }
        final IndexDriver driver = new IndexDriver(index);
        for (int i = 0; i < operations.size() && failure.get() == null; i++) {
          begun = i + 1;
          apply(operations.get(i), index, driver);
          ended = i + 1;
        }
        stopped = true;
        for (final Thread reader : readers) {
          reader.join();
        }
      }
      if (failure.get() != null) {
        throw new AssertionError(
            "seed=" + seed + " round=" + round + " setting=" + setting, failure.get());
      }
      return changes[0] + changes[1];
    }

    private long read(
        final RadixIndex index, final int first, final AtomicReference<Throwable> failure) {
      long changes = 0;
      try (IndexReader reader = index.newReader()) {
        final MatchScores scores = new MatchScores();
        for (int turn = first; !stopped; turn++) {
          final int q = turn % QUERIES;
          final int from = ended;
          reader.find(queries[q], 0, queries[q].length, scores);
          final int to = begun;
          final long seen = fingerprint(scores);
          int at = from;
          while (at <= to && expected[q][at] != seen) {
            at++;
          }
          if (at > to) {
            failure.compareAndSet(
                null,
                new AssertionError(
                    "a reader saw what never was: query=" + q + " from=" + from + " to=" + to));
            return changes;
          }
          changes += at > from || to > from ? 1 : 0;
        }
      } catch (final Throwable thrown) {
        failure.compareAndSet(null, thrown);
      }
      return changes;
    }
  }
}
