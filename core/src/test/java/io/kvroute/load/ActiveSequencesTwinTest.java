package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.load.NaiveSequences.Added;
import io.kvroute.load.NaiveSequences.Rank;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.SeededRun;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.UnsignedDuration;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same random operations on active sequences and on their naive twin. */
final class ActiveSequencesTwinTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long[] WORKERS = {1, 2, Long.MIN_VALUE, -1};
  private static final int IDS = 90;

  private static final class Pair {
    final NaiveSequences naive = new NaiveSequences();
    final List<String> published = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    final LoadProjections projections = new LoadProjections();
    final RankLoad load = new RankLoad();
    final Booking booking = new Booking();
    final ActiveSequences real;
    final boolean lazily;
    final boolean ample;
    final int blockCapacity;
    final int requestCapacity;
    long now = -5 * SECOND;
    long refusals;

    Pair(final ActiveSequencesBuilder builder, final boolean lazily, final boolean ample) {
      this.lazily = lazily;
      this.ample = ample;
      blockCapacity = builder.blockCapacity();
      requestCapacity = builder.requestCapacity();
      real =
          builder
              .routerId(0)
              .replicaPolicy(
                  lazily ? ReplicaPolicy.LAZY_REGISTER : ReplicaPolicy.REQUIRE_REGISTERED)
              .loadListener(
                  (worker, dp, blocks, tokens) ->
                      published.add(
                          NaiveSequences.line(new Rank(worker, dp)) + ' ' + blocks + ' ' + tokens))
              .replicaListener(event -> told.add(text(event)))
              .build();
    }

    private static String text(final ActiveSequenceEvent event) {
      final String what =
          event.data() instanceof ActiveSequenceEventData.AddRequest
              ? "add "
              : event.data() instanceof ActiveSequenceEventData.Free ? "free " : "mark ";
      return what + event.requestId();
    }

    void step(final SeededRun run) {
      naive.published.clear();
      naive.told.clear();
      published.clear();
      told.clear();
      if (run.below(3) == 0) {
        final long[] steps = {1, 1_000_003, SECOND, 7 * SECOND + 1, 30 * SECOND, 100 * SECOND};
        now += steps[run.below(steps.length)];
      }
      final int what = run.below(100);
      final int number = run.below(IDS);
      run.note("operation id now", what, number, now);
      if (what < 34) {
        add(run, number, what < 5);
      } else if (what < 45) {
        assertEquals(naive.mark(id(number), now), mark(number));
      } else if (what < 63) {
        assertEquals(naive.free(id(number), now), free(number));
      } else if (what < 75) {
        addOutput(run, number);
      } else if (what < 78) {
        naive.sweep(now);
        real.sweep(now);
      } else if (what < 84) {
        topology(run);
      } else if (what < 98) {
        replica(run, number | 1);
      } else if (what == 98) {
        final long router = 1L + run.below(3);
        naive.removeReplica(router, now);
        real.removeReplica(router, now);
      } else {
        final long router = 1L + run.below(3);
        naive.admitReplica(router);
        real.admitReplica(router);
      }
      compare(run, number);
    }

    /** Even ones go through keys, odd ones through texts. */
    private static String id(final int number) {
      return (number & 1) == 0 ? String.valueOf(number) : "request-" + number;
    }

    private static List<Long> prompt(final SeededRun run) {
      final int length = run.below(4) == 0 ? run.below(70) : run.below(12);
      final List<Long> hashes = new ArrayList<>();
      long hash = 0;
      boolean unique = false;
      for (int i = 0; i < length; i++) {
        unique |= run.below(24) == 0;
        final long local = unique ? run.random().nextLong() : run.below(8) == 0 ? 1 : 0;
        hash = (hash ^ (local + 1)) * 0x9E3779B97F4A7C15L + 0x5bd1e995;
        hashes.add(hash);
      }
      return hashes;
    }

    private Added added(final SeededRun run, final int number) {
      final Rank rank =
          new Rank(WORKERS[run.below(WORKERS.length)], run.below(12) == 0 ? -2 : run.below(3));
      final List<Long> hashes = run.below(12) == 0 ? null : prompt(run);
      final long tokens = run.below(5) == 0 ? 0 : 1 + run.below(9000);
      final int kind = run.below(6);
      final Long expected =
          kind == 0 ? null : kind == 1 ? Long.valueOf(0) : Long.valueOf(1 + run.random().nextInt());
      run.note(
          "  worker dp blocks tokens expected",
          rank.worker(),
          rank.dp(),
          hashes == null ? -1 : hashes.size(),
          tokens,
          expected == null ? -1 : expected);
      return new Added(
          id(number),
          rank,
          hashes,
          run.below(8) != 0,
          tokens,
          expected == null ? null : Math.abs(expected));
    }

    private void add(final SeededRun run, final int number, final boolean strictly) {
      final Added added = added(run, number);
      booking
          .reset()
          .rank(added.rank().worker(), added.rank().dp())
          .trackPrefillTokens(added.track());
      if ((number & 1) == 0) {
        booking.request(number);
      } else {
        booking.request(id(number));
      }
      if (added.hashes() != null) {
        final long[] hashes = array(added.hashes());
        booking.prompt(hashes, 0, hashes.length);
      }
      if (added.expectedNs() == null) {
        booking.prefill(added.tokens());
      } else {
        booking.prefill(added.tokens(), added.expectedNs());
      }
      final boolean fits = fits(added);
      final SequenceResult result =
          strictly ? real.addIfRegistered(booking, now) : real.add(booking, now);
      if (result.isRefusal()) {
        refused(added, result, fits);
      } else {
        assertEquals(naive.add(added, !strictly, now), result);
      }
    }

    /** True if it must not be refused, whatever expires. */
    private boolean fits(final Added added) {
      final Set<Object> blocks = naive.promptBlocks();
      if (added.hashes() != null) {
        blocks.addAll(added.hashes());
      }
      return ample
          && blocks.size() <= blockCapacity
          && naive.requestCount() < requestCapacity
          && (naive.knows(added.rank()) || naive.rankCount() < real.bookings().ranks.capacity());
    }

    private void refused(final Added added, final SequenceResult result, final boolean fits) {
      assertTrue(!fits, () -> "refused although there was room: " + result);
      assertTrue(real.refusal().contains("capacity="), real.refusal());
      refusals++;
      if (result != SequenceResult.RANKS_FULL) {
        naive.refuse(added, now);
      }
    }

    private static long[] array(final List<Long> list) {
      return list.stream().mapToLong(Long::longValue).toArray();
    }

    private SequenceResult mark(final int number) {
      return (number & 1) == 0
          ? real.markPrefillCompleted(number, now)
          : real.markPrefillCompleted(id(number), now);
    }

    private SequenceResult free(final int number) {
      return (number & 1) == 0 ? real.free(number, now) : real.free(id(number), now);
    }

    private void addOutput(final SeededRun run, final int number) {
      final int kind = run.below(4);
      final Double fraction =
          kind == 0
              ? null
              : kind == 1
                  ? Double.valueOf((run.below(200) - 30) / 64.0)
                  : Double.valueOf(TokenCounts.outputLeft(run.below(700), 600));
      final SequenceResult result;
      if (fraction == null) {
        result =
            (number & 1) == 0
                ? real.addOutputBlock(number, now)
                : real.addOutputBlock(id(number), now);
      } else {
        result =
            (number & 1) == 0
                ? real.addOutputBlock(number, fraction, now)
                : real.addOutputBlock(id(number), fraction, now);
      }
      assertEquals(naive.addOutput(id(number), fraction, now), result);
    }

    private void topology(final SeededRun run) {
      final WorkerRange range = range(run);
      final int what = run.below(8);
      run.note("  what worker start size", what, range.workerId(), range.start(), range.size());
      if (what < 5) {
        final boolean fresh = what < 3;
        same(
            fresh ? () -> real.register(range, now) : () -> real.upsert(range, now),
            () -> naive.upsert(range, fresh, now));
      } else if (what < 7) {
        same(
            () -> real.unregister(range.workerId(), now), () -> naive.unregister(range.workerId()));
      } else {
        final List<WorkerRange> ranges = new ArrayList<>();
        for (int i = 1 + run.below(5); i > 0; i--) {
          ranges.add(range(run));
        }
        same(() -> real.reconcile(ranges, now), () -> naive.reconcile(ranges, now));
      }
    }

    /** The same change fails for the same reason; one that there is no room for changes nothing. */
    private void same(final Runnable change, final Supplier<TopologyException.Kind> naively) {
      TopologyException.Kind failed = null;
      try {
        change.run();
      } catch (final TopologyException failure) {
        failed = failure.kind();
      } catch (final CapacityExceededException full) {
        assertTrue(real.bookings().ranks.capacity() < 48, full.getMessage());
        refusals++;
        return;
      }
      assertEquals(naively.get(), failed);
    }

    private static WorkerRange range(final SeededRun run) {
      final int size = run.below(10) == 0 ? 0 : 1 + run.below(2);
      final int start = run.below(10) == 0 ? -2 : run.below(2);
      return new WorkerRange(WORKERS[run.below(WORKERS.length)], start, size);
    }

    private void replica(final SeededRun run, final int number) {
      final long router = run.below(4);
      final int what = run.below(8);
      final long age = run.below(6) == 0 ? 60 * SECOND + 1 : 60 * SECOND;
      run.note("  router what age", router, what, age);
      if (what >= 5) {
        final ActiveSequenceEventData data =
            what == 5
                ? new ActiveSequenceEventData.MarkPrefillCompleted()
                : new ActiveSequenceEventData.Free();
        final ReplicaOutcome expected =
            router == 0 ? ReplicaOutcome.OWN : naive.replicaEnd(id(number), what != 5, router, now);
        assertEquals(expected, apply(number, new Rank(0, 0), data, router, age));
        return;
      }
      final Added added = added(run, number);
      final PrefillLoadHint hint =
          new PrefillLoadHint(
              added.tokens(),
              added.expectedNs() == null
                  ? null
                  : new UnsignedDuration(
                      added.expectedNs() / SECOND, (int) (added.expectedNs() % SECOND)));
      final ActiveSequenceEventData data =
          new ActiveSequenceEventData.AddRequest(
              added.hashes() == null ? null : UnsignedLongs.of(array(added.hashes())),
              added.track(),
              OptionalInt.empty(),
              hint);
      final boolean fits = fits(added);
      final ReplicaOutcome outcome = apply(number, added.rank(), data, router, age);
      if (outcome == ReplicaOutcome.REFUSED) {
        refused(
            added,
            real.refusal().contains("ranks=")
                ? SequenceResult.RANKS_FULL
                : SequenceResult.BLOCKS_FULL,
            fits);
      } else {
        assertEquals(
            router == 0
                ? ReplicaOutcome.OWN
                : naive.replicaAdd(added, router, age > 60 * SECOND, lazily, now),
            outcome);
      }
    }

    private ReplicaOutcome apply(
        final int number,
        final Rank rank,
        final ActiveSequenceEventData data,
        final long router,
        final long age) {
      final WorkerWithDpRank worker = new WorkerWithDpRank(rank.worker(), rank.dp());
      return real.apply(new ActiveSequenceEvent(id(number), worker, data, router, null), age, now);
    }

    private void compare(final SeededRun run, final int number) {
      assertEquals(naive.published, published);
      assertEquals(naive.told, told);
      final List<Long> prompt = prompt(run);
      final long[] hashes = array(prompt);
      final long later = now + (run.below(2) == 0 ? 0 : run.below(2_000_000_000));
      real.potentialLoads(hashes, 0, hashes.length, later, projections);
      final List<String> lines = new ArrayList<>();
      for (int i = 0; i < projections.count(); i++) {
        final Rank rank = new Rank(projections.workerId(i), projections.dpRank(i));
        assertTrue(real.rankLoad(rank.worker(), rank.dp(), later, load));
        assertEquals(projections.activeDecodeBlocks(i), load.activeBlocks());
        assertEquals(projections.activePrefillTokens(i), load.activePrefillTokens());
        lines.add(
            NaiveSequences.line(rank)
                + (" " + projections.activeDecodeBlocks(i))
                + (" " + projections.activePrefillTokens(i))
                + (" " + projections.activeRequests(i))
                + (" " + load.remainingPrefillMs())
                + (" " + projections.additionalActiveBlocks(i)));
      }
      assertEquals(naive.lines(prompt, later), lines);
      final Rank place = naive.placeOf(id(number));
      final WorkerWithDpRank found = (number & 1) == 0 ? real.find(number) : real.find(id(number));
      if (place == null) {
        assertNull(found);
      } else {
        assertEquals(new WorkerWithDpRank(place.worker(), place.dp()), found);
      }
      assertEquals(naive.requestCount(), real.requestCount());
      assertEquals(naive.promptBlocks().size(), real.blockCount());
      if (run.operation() % 16 == 0) {
        LoadInvariants.check(real);
      }
    }

    /** Ends everything; nothing may be left. */
    void finish() {
      real.reconcile(List.of(), now);
      assertEquals(0, real.requestCount());
      assertEquals(0, real.blockCount());
      assertEquals(0, real.bookings().tree.edges().used());
      assertEquals(0, real.bookings().tree.holds().used());
      real.close();
    }
  }

  private static void run(final long seed, final int operations, final Pair pair) {
    SeededRun.run(seed, operations, pair::step);
    pair.finish();
  }

  private static ActiveSequencesBuilder ample() {
    return ActiveSequences.builder()
        .requestCapacity(1000)
        .rankCapacity(100)
        .blockCapacity(20_000)
        .edgeCapacity(20_000)
        .holdCapacity(60_000);
  }

  @Test
  void shouldAgreeWithTheNaiveTwin() {
    run(31, SeededRun.operations(), new Pair(ample(), true, true));
  }

  @Test
  void shouldAgreeWithTheNaiveTwinWhenRanksMustBeRegistered() {
    run(32, SeededRun.operations() / 2, new Pair(ample(), false, true));
  }

  @Test
  void shouldAgreeWithTheNaiveTwinWhenHashesCollideInTheTable() {
    run(33, SeededRun.operations() / 2, new Pair(ample().tagMask(0x3L << 32), true, true));
  }

  @Test
  void shouldAgreeWithTheNaiveTwinWhenBlocksRequestsAndRanksAreFew() {
    final Pair pair =
        new Pair(ample().requestCapacity(20).rankCapacity(12).blockCapacity(150), true, true);
    run(34, SeededRun.operations(), pair);
    assertTrue(pair.refusals > SeededRun.operations() / 100, "refusals=" + pair.refusals);
  }

  @Test
  void shouldAgreeWithTheNaiveTwinWhenRunsOfBlocksAreFew() {
    final Pair pair = new Pair(ample().edgeCapacity(30).holdCapacity(60), true, false);
    run(35, SeededRun.operations(), pair);
    assertTrue(pair.refusals > SeededRun.operations() / 100, "refusals=" + pair.refusals);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithTheNaiveTwinForLong() {
    run(36, 100_000, new Pair(ample(), true, true));
    run(37, 100_000, new Pair(ample().edgeCapacity(40).blockCapacity(300), true, false));
  }
}
