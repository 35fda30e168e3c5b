package io.kvroute.index;

import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.index.NaiveIndex.Score;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Runs operations on an index and on its naive twin and compares every result, the counters, and
 * the scores of sample queries after each step. A failure names the seed and carries a trace,
 * shortened as far as it still fails, that {@link #replay} accepts.
 */
final class IndexTwin {
  /** What a run varies: how the operations are drawn, and the shape of the index. */
  record Setting(
      IndexOperations.Style style,
      ClearScope clearScope,
      long tagMask,
      int checkEvery,
      int spareRanks,
      int sliceWork) {
    Setting(
        final IndexOperations.Style style,
        final ClearScope clearScope,
        final long tagMask,
        final int checkEvery) {
      this(style, clearScope, tagMask, checkEvery, 0, 256);
    }
  }

  private final Setting setting;

  IndexTwin(final Setting setting) {
    this.setting = setting;
  }

  void run(final long seed, final int operations) {
    final List<IndexOperation> trace = new ArrayList<>();
    final IndexOperations source = new IndexOperations(setting.style, new Random(seed));
    AssertionError failure = null;
    try (Pair pair = new Pair(setting)) {
      for (int step = 0; step < operations && failure == null; step++) {
        final IndexOperation operation = source.next(pair.naive);
        trace.add(operation);
        failure = pair.step(operation, step);
      }
      failure = failure == null ? pair.finish() : failure;
    }
    if (failure != null) {
      throw describe(seed, trace, failure);
    }
  }

  /** Runs a printed trace. */
  void replay(final List<String> lines) {
    final AssertionError failure = runTrace(lines.stream().map(IndexOperation::parse).toList());
    if (failure != null) {
      throw failure;
    }
  }

  private AssertionError runTrace(final List<IndexOperation> trace) {
    try (Pair pair = new Pair(setting)) {
      for (int step = 0; step < trace.size(); step++) {
        final AssertionError failure = pair.step(trace.get(step), step);
        if (failure != null) {
          return failure;
        }
      }
      return pair.finish();
    }
  }

  private AssertionError describe(
      final long seed, final List<IndexOperation> trace, final AssertionError failure) {
    final List<IndexOperation> shortest = new ArrayList<>(trace);
    final long deadline = System.nanoTime() + 20_000_000_000L;
    for (int chunk = shortest.size() / 2; chunk > 0; chunk /= 2) {
      int at = 0;
      while (at < shortest.size() && System.nanoTime() < deadline) {
        final List<IndexOperation> shorter = new ArrayList<>(shortest);
        shorter.subList(at, Math.min(at + chunk, shorter.size())).clear();
        if (runTrace(shorter) != null) {
          shortest.clear();
          shortest.addAll(shorter);
        } else {
          at += chunk;
        }
      }
    }
    final StringBuilder text = new StringBuilder();
    text.append("the index and its twin differ: seed=").append(seed);
    text.append(" setting=").append(setting).append(" step=").append(trace.size() - 1);
    text.append("\nafter shortening: ").append(runTrace(shortest)).append('\n');
    shortest.forEach(operation -> text.append(operation).append('\n'));
    return new AssertionError(text.toString(), failure);
  }

  /** An index, its twin, and what compares them. */
  private static final class Pair implements AutoCloseable {
    private final Setting setting;
    private final NaiveIndex naive;
    private final RadixIndex index;
    private final IndexDriver driver;
    private final MatchScores scores = new MatchScores();
    private final Random random = new Random(99);
    private int steps;

    Pair(final Setting setting) {
      this.setting = setting;
      naive = new NaiveIndex(setting.clearScope);
      index = newIndex(setting);
      driver = new IndexDriver(index);
    }

    private static RadixIndex newIndex(final Setting setting) {
      return RadixIndex.builder()
          .blockCapacity(20_000)
          .edgeCapacity(20_000)
          .rankCapacity(setting.style.ranks() + setting.spareRanks)
          .sliceWork(setting.sliceWork)
          .ownNameCapacity(200_000)
          .holderBytes(4 << 20)
          .clearScope(setting.clearScope)
          .tagMask(setting.tagMask)
          .build();
    }

    AssertionError step(final IndexOperation operation, final int step) {
      steps = step;
      try {
        final Object[] results = operation.apply(naive, index, driver);
        same("result of " + operation, results[0], results[1]);
        compare();
        return null;
      } catch (final AssertionError failure) {
        return failure;
      } catch (final RuntimeException failure) {
        return new AssertionError("exception in " + operation, failure);
      }
    }

    AssertionError finish() {
      try {
        IndexInvariants.check(index);
        compareDump();
        for (final Rank rank : List.copyOf(naive.ranks)) {
          naive.removeRank(rank);
          index.removeWorkerDpRank(rank.workerId(), rank.dpRank());
        }
        IndexInvariants.check(index);
        while (index.sweep()) {
          IndexInvariants.check(index);
        }
        same("bytes of the empty index", 0L, index.usedBytes());
        return null;
      } catch (final AssertionError failure) {
        return failure;
      } catch (final RuntimeException failure) {
        return new AssertionError("exception at the end", failure);
      }
    }

    private void compare() {
      compareFigures();
      if (steps % setting.checkEvery == 0) {
        IndexInvariants.check(index);
      }
      if (steps % (setting.checkEvery * 10) == 0) {
        compareDump();
      }
      final List<NaiveIndex.Place> places = naive.places();
      for (int i = 0; i < 3; i++) {
        compareQuery(index, query(places));
      }
    }

    private void compareFigures() {
      final List<Long> workers = naive.ranks.stream().map(Rank::workerId).distinct().toList();
      final List<Long> known = new ArrayList<>();
      for (final long worker : index.workers()) {
        known.add(worker);
      }
      same("workers", workers, known);
      same("ranks", naive.ranks.size(), index.rankCount());
      for (final KvEventType type : KvEventType.values()) {
        for (final ApplyResult result : ApplyResult.values()) {
          same(
              type + " " + result,
              naive.counters.getOrDefault(type + " " + result, 0L),
              index.counters().events(type, result));
        }
      }
      counter("duplicate stores", index.counters().duplicateStores());
      counter("parentless blocks", index.counters().parentlessBlocks());
      counter("blocks not found", index.counters().blocksNotFound());
      counter("unresolved stores", index.counters().unresolvedStores());
    }

    private void counter(final String name, final long actual) {
      same(name, naive.counters.getOrDefault(name, 0L), actual);
    }

    /** The path to some place, perhaps with something else behind or in it. */
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
      for (int i = random.nextInt(3); i > 0; i--) {
        path.add(random.nextLong(4));
      }
      return path.stream().mapToLong(Long::longValue).toArray();
    }

    private void compareQuery(final RadixIndex queried, final long[] locals) {
      for (final boolean earlyExit : new boolean[] {false, true}) {
        queried.find(locals, 0, locals.length, earlyExit, scores);
        same("scores", naive.find(locals, earlyExit), read());
        for (int tier = 0; tier < 4; tier++) {
          queried.findInTier(
              locals, 0, locals.length, StorageTier.ofOrdinal(tier), earlyExit, scores);
          same("tier " + tier, naive.find(locals, List.of(tier), earlyExit), read());
        }
      }
    }

    private List<Score> read() {
      final List<Score> list = new ArrayList<>();
      for (int i = 0; i < scores.count(); i++) {
        final List<Integer> byTier = new ArrayList<>();
        for (int tier = 0; tier < 4; tier++) {
          byTier.add(scores.extension(i, StorageTier.ofOrdinal(tier)));
        }
        list.add(new Score(new Rank(scores.workerId(i), scores.dpRank(i)), byTier));
        same("place in the result", i, scores.indexOf(scores.workerId(i), scores.dpRank(i)));
      }
      return list;
    }

    /** A dump, restored, answers the same, and dumps as the same bytes. */
    private void compareDump() {
      final List<byte[]> dump = dump(index);
      try (RadixIndex restored = newIndex(setting)) {
        for (final byte[] event : dump) {
          final UnsafeBuffer buffer = new UnsafeBuffer(event);
          same("restored event", ApplyResult.OK, restored.apply(buffer, 0, event.length));
        }
        IndexInvariants.check(restored);
        final List<NaiveIndex.Place> places = naive.places();
        for (int i = 0; i < 5; i++) {
          compareQuery(restored, query(places));
        }
        final List<byte[]> second = dump(restored);
        same("events of the second dump", dump.size(), second.size());
        for (int i = 0; i < dump.size(); i++) {
          same("event " + i + " of the dump", true, Arrays.equals(dump.get(i), second.get(i)));
        }
      }
    }

    private static List<byte[]> dump(final RadixIndex dumped) {
      final List<byte[]> events = new ArrayList<>();
      dumped.dump(
          (buffer, offset, length) -> {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            events.add(bytes);
          });
      return events;
    }

    private static void same(final String what, final Object expected, final Object actual) {
      if (!expected.equals(actual)) {
        throw new AssertionError(what + ": expected=" + expected + " actual=" + actual);
      }
    }

    @Override
    public void close() {
      index.close();
    }
  }
}
