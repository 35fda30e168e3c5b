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
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An index of 1, 2 or 4 partitions answers as the naive index does, whatever names engines use and
 * whenever partitions are polled. In the end all of it is done once more with a thread for each
 * partition.
 */
final class PartitionedTwinTest {
  private static final int OPERATIONS = Integer.getInteger("kvroute.twin.operations", 10_000);

  record Setting(Style style, ClearScope clearScope, int partitions, boolean smallDirectory) {}

  static Stream<Setting> settings() {
    final List<Setting> settings = new ArrayList<>();
    for (final int partitions : new int[] {1, 2, 4}) {
      settings.add(
          new Setting(
              new Style(3, 2, 5, 40, 4, Naming.AGREED, 10), ClearScope.RANK, partitions, false));
      settings.add(
          new Setting(
              new Style(4, 2, 6, 30, 2, Naming.SALTED, 6), ClearScope.WORKER, partitions, true));
      settings.add(
          new Setting(
              new Style(3, 1, 5, 30, 4, Naming.ALIASES, 6), ClearScope.RANK, partitions, false));
      settings.add(
          new Setting(
              new Style(3, 2, 6, 20, 4, Naming.TINY, 10), ClearScope.RANK, partitions, false));
    }
    return settings.stream();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void shouldAgreeWithTheNaiveIndexOnRandomEvents(final Setting setting) {
    new Run(setting, 42).run(Math.max(1, OPERATIONS / 12));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("settings")
  void shouldAgreeWithTheNaiveIndexOnManyRandomEvents(final Setting setting) {
    for (long seed = 1; seed <= 4; seed++) {
      new Run(setting, seed).run(20_000);
    }
  }

  private static final class Run {
    private final Setting setting;
    private final long seed;
    private final Random random;
    private final NaiveIndex naive;
    private final List<IndexOperation> trace = new ArrayList<>();

    Run(final Setting setting, final long seed) {
      this.setting = setting;
      this.seed = seed;
      random = new Random(seed);
      naive = new NaiveIndex(setting.clearScope);
    }

    /** A directory that fills up, but has room for what is known. */
    private long names(final int operations) {
      return setting.smallDirectory ? 400 + operations / 2 : -1;
    }

    private PartitionedIndex newIndex(final int operations) {
      return PartitionedIndex.builder()
          .partitionCount(setting.partitions)
          .ringBytes(1 << 12)
          .blockCapacity(10_000)
          .edgeCapacity(10_000)
          .rankCapacity(setting.style.ranks() + 4L)
          .ownNameCapacity(50_000)
          .holderBytes(1 << 20)
          .clearScope(setting.clearScope)
          .names(names(operations))
          .build();
    }

    void run(final int operations) {
      final IndexOperations source = new IndexOperations(setting.style, random);
      try (PartitionedIndex index = newIndex(operations)) {
        final IndexDriver driver = driver(index);
        // The twin needs an index to apply an operation to; it is not looked at.
        try (RadixIndex none = RadixIndex.builder().blockCapacity(10_000).build();
            PartitionedIndexReader reader = index.newReader()) {
          final IndexDriver nobody = new IndexDriver((b, o, l) -> ApplyResult.OK);
          for (int step = 0; step < operations; step++) {
            final IndexOperation operation = source.next(naive);
            trace.add(operation);
            operation.apply(naive, none, nobody);
            apply(operation, index, driver);
            if (random.nextInt(4) == 0) {
              index.poll(random.nextInt(setting.partitions), 1 + random.nextInt(5));
            }
            if (random.nextInt(3) == 0) {
              compare(index, reader);
            }
          }
          compare(index, reader);
          if (setting.smallDirectory) {
            assertTrue(index.rebuilds() > 0, "the directory was never full");
          }
        }
      } catch (final RuntimeException | AssertionError failure) {
        throw describe(failure);
      }
      runWithThreads();
    }

    private AssertionError describe(final Throwable failure) {
      final StringBuilder text = new StringBuilder("seed=" + seed + " setting=" + setting);
      trace.forEach(operation -> text.append('\n').append(operation));
      return new AssertionError(text.toString(), failure);
    }

    /** The same operations, with a thread for each partition; the end must be the same. */
    private void runWithThreads() {
      try (PartitionedIndex index = newIndex(trace.size())) {
        final Thread[] pollers = new Thread[setting.partitions];
        for (int p = 0; p < pollers.length; p++) {
          final int partition = p;
          pollers[p] =
              new Thread(
                  () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                      index.poll(partition, 10);
                    }
                  });
          pollers[p].start();
        }
        final IndexDriver driver = driver(index);
        trace.forEach(operation -> apply(operation, index, driver));
        index.drain();
        for (final Thread poller : pollers) {
          poller.interrupt();
          poller.join();
        }
        try (PartitionedIndexReader reader = index.newReader()) {
          compare(index, reader);
        }
      } catch (final InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      } catch (final RuntimeException | AssertionError failure) {
        throw describe(failure);
      }
    }

    private static IndexDriver driver(final PartitionedIndex index) {
      return new IndexDriver(
          (buffer, offset, length) -> {
            assertTrue(index.apply(buffer, offset, length));
            return ApplyResult.OK;
          });
    }

    private static void apply(
        final IndexOperation operation, final PartitionedIndex index, final IndexDriver driver) {
      if (operation instanceof IndexOperation.Stored stored) {
        driver.stored(stored.rank(), stored.tier(), stored.parent(), stored.blocks());
      } else if (operation instanceof IndexOperation.Removed removed) {
        driver.removed(removed.rank(), removed.tier(), removed.hashes());
      } else if (operation instanceof IndexOperation.Cleared cleared) {
        driver.cleared(cleared.rank(), cleared.tier());
      } else if (operation instanceof IndexOperation.RemoveRank removed) {
        index.removeWorkerDpRank(removed.rank().workerId(), removed.rank().dpRank());
      } else if (operation instanceof IndexOperation.RemoveWorker removed) {
        index.removeWorker(removed.workerId());
      } else if (operation instanceof IndexOperation.ClearWorker cleared) {
        index.clearAllBlocks(cleared.workerId());
      } else if (operation instanceof IndexOperation.Known known) {
        final long[] hashes = known.hashes().stream().mapToLong(Long::longValue).toArray();
        index.applyStoredWithoutTokens(
            known.rank().workerId(),
            known.rank().dpRank(),
            StorageTier.ofOrdinal(known.tier()),
            hashes,
            0,
            hashes.length);
      }
    }

    private void compare(final PartitionedIndex index, final PartitionedIndexReader reader) {
      index.drain();
      assertEquals(
          naive.ranks.stream().map(Rank::workerId).distinct().toList(),
          Arrays.stream(index.workers()).boxed().toList());
      for (final Rank rank : naive.ranks) {
        for (int tier = 0; tier < 4; tier++) {
          assertEquals(
              naive.held(rank, tier),
              index.heldBlocks(rank.workerId(), rank.dpRank(), StorageTier.ofOrdinal(tier)));
        }
      }
      final List<Place> places = naive.places();
      final MatchScores scores = new MatchScores();
      for (int i = 0; i < 4 && !places.isEmpty(); i++) {
        final List<Long> path = new ArrayList<>();
        for (Place place = places.get(random.nextInt(places.size()));
            place.parent != null;
            place = place.parent) {
          path.add(0, place.local);
        }
        final long[] query = path.stream().mapToLong(Long::longValue).toArray();
        reader.find(query, 0, query.length, scores);
        assertEquals(naive.find(query, false), read(scores));
        final int tier = random.nextInt(4);
        reader.findInTier(query, 0, query.length, StorageTier.ofOrdinal(tier), true, scores);
        assertEquals(naive.find(query, List.of(tier), true), read(scores));
      }
    }

    private static List<Score> read(final MatchScores scores) {
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
  }
}
