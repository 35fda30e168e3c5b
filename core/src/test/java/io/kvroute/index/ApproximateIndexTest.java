package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.BlockHashes;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.AllocationMeter;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.SeededRun;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ApproximateIndexTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  private static long[] prompt(final int family, final int length) {
    final long[] locals = new long[length];
    for (int i = 0; i < length; i++) {
      locals[i] = i + 1000L * (i < 4 ? family / 3 : family);
    }
    return locals;
  }

  private static ApplyResult record(
      final ApproximateIndex index, final long worker, final long[] locals, final long now) {
    final long[] sequence = BlockHashes.computeSeqHashForBlock(locals);
    return index.record(worker, 0, locals, 0, sequence, 0, locals.length, now);
  }

  private static String find(final ApproximateIndex index, final long[] locals, final long now) {
    final MatchScores scores = new MatchScores();
    index.find(locals, 0, locals.length, now, scores);
    return text(scores);
  }

  static String text(final MatchScores scores) {
    final Map<Rank, Integer> found = new TreeMap<>();
    for (int i = 0; i < scores.count(); i++) {
      found.put(new Rank(scores.workerId(i), scores.dpRank(i)), scores.device(i));
      assertEquals(i, scores.indexOf(scores.workerId(i), scores.dpRank(i)));
    }
    return found.toString();
  }

  @Test
  void shouldFindWhatADecisionWasMadeForUntilItsTimeIsOver() {
    try (ApproximateIndex index = ApproximateIndex.builder().blockCapacity(100).build()) {
      assertEquals(120 * SECOND, index.ttlNs());
      assertEquals(ApplyResult.OK, record(index, 7, prompt(0, 10), 5));
      assertEquals("{Rank[workerId=7, dpRank=0]=10}", find(index, prompt(0, 12), 120 * SECOND));
      assertEquals("{Rank[workerId=7, dpRank=0]=4}", find(index, prompt(1, 12), 120 * SECOND));
      assertEquals(120 * SECOND + 5, index.nextExpiryNs());
      assertEquals("{}", find(index, prompt(0, 12), 120 * SECOND + 5));
      assertEquals(0, index.heldBlocks());
      assertEquals(0, index.index().blockCount());
      assertEquals(10, index.expiredBlocks());
      assertEquals(1, index.recordedDecisions());
    }
  }

  @Test
  void shouldRenewOnlyTheBlocksThatALaterDecisionNames() {
    try (ApproximateIndex index =
        ApproximateIndex.builder().blockCapacity(100).ttlNs(SECOND).build()) {
      record(index, 7, prompt(0, 10), 0);
      record(index, 7, prompt(1, 6), 500 * MS);
      assertEquals("{Rank[workerId=7, dpRank=0]=4}", find(index, prompt(0, 10), SECOND));
      assertEquals("{Rank[workerId=7, dpRank=0]=6}", find(index, prompt(1, 10), SECOND));
    }
  }

  @Test
  void shouldForgetAtOnceWhenTheTimeToLiveIsZero() {
    try (ApproximateIndex index = ApproximateIndex.builder().ttlNs(0).build()) {
      record(index, 7, prompt(0, 10), 3);
      assertEquals("{}", find(index, prompt(0, 10), 3));
    }
  }

  @Test
  void shouldForgetAWorkerAndItsTimers() {
    try (ApproximateIndex index = ApproximateIndex.builder().blockCapacity(100).build()) {
      record(index, 7, prompt(0, 10), 0);
      record(index, 8, prompt(0, 8), 0);
      assertTrue(index.removeWorker(7));
      assertFalse(index.removeWorker(7));
      assertTrue(index.removeWorkerDpRank(8, 0));
      assertFalse(index.removeWorkerDpRank(8, 0));
      assertEquals(BlockTimers.NEVER, index.nextExpiryNs());
      assertEquals(0, index.rankCount());
    }
  }

  @Test
  void shouldLetTheEarliestBlocksGoWhenThereIsNoRoom() {
    try (ApproximateIndex index =
        ApproximateIndex.builder().blockCapacity(100).timerCapacity(25).ttlNs(SECOND).build()) {
      record(index, 1, prompt(0, 10), 0);
      record(index, 2, prompt(0, 10), 200 * MS);
      assertEquals(ApplyResult.OK, record(index, 3, prompt(3, 10), 400 * MS));
      assertEquals(10, index.evictedBlocks());
      assertEquals("{Rank[workerId=2, dpRank=0]=10}", find(index, prompt(0, 10), 400 * MS));
      assertEquals("{Rank[workerId=3, dpRank=0]=10}", find(index, prompt(3, 10), 400 * MS));
      assertEquals(ApplyResult.CAPACITY_EXCEEDED, record(index, 3, prompt(5, 26), 400 * MS));
      assertEquals(20, index.heldBlocks());
      assertEquals(1, index.refusedDecisions());
    }
  }

  @Test
  void shouldRefuseARankTooManyAndKeepTheOthers() {
    try (ApproximateIndex index =
        ApproximateIndex.builder().blockCapacity(100).rankCapacity(2).build()) {
      record(index, 1, prompt(0, 10), 0);
      record(index, 2, prompt(0, 10), 0);
      assertEquals(ApplyResult.CAPACITY_EXCEEDED, record(index, 3, prompt(0, 10), 0));
      assertEquals(20, index.heldBlocks());
      assertEquals(0, index.evictedBlocks());
    }
  }

  @Test
  void shouldRefuseSequenceHashesThatAreNone() {
    try (ApproximateIndex index = ApproximateIndex.builder().blockCapacity(100).build()) {
      assertEquals(
          ApplyResult.INVALID_BLOCK_SEQUENCE,
          index.record(1, 0, new long[] {1, 2}, 0, new long[] {5, 5}, 0, 2, 0));
      assertEquals(BlockTimers.NEVER, index.nextExpiryNs());
      assertEquals(ApplyResult.OK, index.record(1, 0, new long[0], 0, new long[0], 0, 0, 0));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> index.record(1, 0, new long[1], 0, new long[1], 0, 2, 0));
    }
  }

  @Test
  void shouldTakeItsMemoryFromAnArenaAndGiveItBack() {
    final ApproximateIndexBuilder builder =
        ApproximateIndex.builder().blockCapacity(500).rankCapacity(4).ttlNs(SECOND);
    try (Arena arena = Arena.tracking(builder.requiredBytes())) {
      final ApproximateIndex index = builder.arena(arena).build();
      assertEquals(builder.requiredBytes(), arena.usedBytes());
      assertThrows(CapacityExceededException.class, builder::build);
      index.close();
      index.close();
      arena.assertNothingLive();
      assertThrows(IllegalStateException.class, () -> index.expire(0));
    }
    assertThrows(IllegalArgumentException.class, () -> builder.ttlNs(-1));
    assertThrows(CapacityExceededException.class, () -> builder.timerCapacity(0));
  }

  @Test
  void shouldAllocateNothing() {
    try (ApproximateIndex index =
        ApproximateIndex.builder().blockCapacity(2000).rankCapacity(8).ttlNs(200 * MS).build()) {
      final long[][] locals = new long[30][];
      final long[][] sequences = new long[30][];
      for (int i = 0; i < locals.length; i++) {
        locals[i] = prompt(i, 50 + i);
        sequences[i] = BlockHashes.computeSeqHashForBlock(locals[i]);
      }
      final MatchScores scores = new MatchScores();
      final long[] now = {0};
      final Runnable body =
          () -> {
            for (int i = 0; i < 600; i++) {
              final int at = i * 7 % locals.length;
              now[0] += 13 * MS;
              index.find(locals[at], 0, locals[at].length, now[0], scores);
              index.record(i % 5, 0, locals[at], 0, sequences[at], 0, locals[at].length, now[0]);
            }
          };
      assertEquals(0, AllocationMeter.bytes(40, body));
      assertTrue(index.expiredBlocks() > 0);
    }
  }

  // ------ a naive twin

  /** Ranks, and when which block of them ends; a sequence hash says the whole path. */
  private static final class Naive {
    final Map<Rank, Long> origins = new HashMap<>();
    final Map<Rank, Map<Long, Long>> ends = new TreeMap<>();
    final long ttl;

    Naive(final long ttl) {
      this.ttl = ttl;
    }

    void record(final Rank rank, final long[] sequence, final long now) {
      final long origin = origins.computeIfAbsent(rank, each -> now);
      long end = origin;
      while (end < now + ttl) {
        end += 100 * MS;
      }
      for (final long hash : sequence) {
        ends.computeIfAbsent(rank, each -> new HashMap<>()).put(hash, end);
      }
    }

    void removeWorker(final long worker) {
      origins.keySet().removeIf(rank -> rank.workerId() == worker);
      ends.keySet().removeIf(rank -> rank.workerId() == worker);
    }

    long held(final long now) {
      ends.values().forEach(each -> each.values().removeIf(end -> end <= now));
      return ends.values().stream().mapToLong(Map::size).sum();
    }

    String find(final long[] sequence, final long now) {
      held(now);
      final Map<Rank, Integer> found = new TreeMap<>();
      ends.forEach(
          (rank, each) -> {
            int depth = 0;
            while (depth < sequence.length && each.containsKey(sequence[depth])) {
              depth++;
            }
            if (depth > 0) {
              found.put(rank, depth);
            }
          });
      return found.toString();
    }
  }

  private static void compareWithNaive(final long seed, final int operations) {
    final long ttl = 1730 * MS;
    final Naive naive = new Naive(ttl);
    final long[] now = {0};
    try (ApproximateIndex index =
        ApproximateIndex.builder().blockCapacity(20_000).rankCapacity(10).ttlNs(ttl).build()) {
      SeededRun.run(
          seed,
          operations,
          run -> {
            final Rank rank = new Rank(run.below(3) - 1L, run.below(3) * 0x4000_0001);
            final long[] locals = prompt(run.below(12), 1 + run.below(40));
            final long[] sequence = BlockHashes.computeSeqHashForBlock(locals);
            final int what = run.below(40);
            now[0] += run.below(4) == 0 ? run.below(300) * MS + run.below(2) : 0;
            run.note(
                "operation worker rank family length now",
                what,
                rank.workerId(),
                rank.dpRank(),
                locals[0],
                locals.length,
                now[0]);
            if (what < 20) {
              assertEquals(
                  ApplyResult.OK,
                  index.record(
                      rank.workerId(),
                      rank.dpRank(),
                      locals,
                      0,
                      sequence,
                      0,
                      locals.length,
                      now[0]));
              naive.record(rank, sequence, now[0]);
            } else if (what == 20) {
              index.removeWorker(rank.workerId());
              naive.removeWorker(rank.workerId());
            } else if (what == 21) {
              index.removeWorkerDpRank(rank.workerId(), rank.dpRank());
              naive.origins.remove(rank);
              naive.ends.remove(rank);
            } else if (what == 22) {
              index.expire(now[0]);
              assertEquals(naive.held(now[0]), index.heldBlocks());
              IndexInvariants.check(index.index());
            }
            assertEquals(naive.find(sequence, now[0]), find(index, locals, now[0]));
            assertEquals(naive.held(now[0]), index.heldBlocks());
            assertEquals(index.heldBlocks(), index.timers().size());
          });
      index.expire(now[0] + 2 * ttl);
      assertEquals(0, index.heldBlocks());
      assertEquals(0, index.index().blockCount());
      assertEquals(0, index.clearedRanks());
    }
  }

  @Test
  void shouldAgreeWithANaiveTwin() {
    compareWithNaive(21, SeededRun.operations());
  }

  @Test
  @Tag("long")
  void shouldAgreeWithANaiveTwinForLong() {
    compareWithNaive(22, 100_000);
  }

  @Test
  void shouldKeepATimerForEveryBlockWhenEverythingIsScarce() {
    try (ApproximateIndex index =
        ApproximateIndex.builder()
            .blockCapacity(120)
            .rankCapacity(70)
            .edgeCapacity(8)
            .holderBytes(600)
            .timerCapacity(400)
            .ttlNs(3 * SECOND)
            .build()) {
      final long[] now = {0};
      SeededRun.run(
          31,
          SeededRun.operations(),
          run -> {
            now[0] += run.below(3) * 40L * MS;
            final long[] locals = prompt(run.below(30), 1 + run.below(60));
            final long worker = run.below(66);
            run.note("record worker family length now", worker, locals[0], locals.length, now[0]);
            assertEquals(ApplyResult.OK, record(index, worker, locals, now[0]));
            assertEquals(locals.length, prefix(index, worker, locals, now[0]));
            if (run.operation() % 64 == 0) {
              IndexInvariants.check(index.index());
            }
            assertTrue(index.heldBlocks() <= index.timers().size());
          });
      assertTrue(index.evictedBlocks() > 0);
      assertEquals(SeededRun.operations(), index.recordedDecisions());
      index.expire(now[0] + 4 * SECOND);
      assertEquals(0, index.heldBlocks());
      assertEquals(0, index.index().blockCount());
    }
  }

  @Test
  void shouldTakeEverythingFromARankWhenThereIsNoRoomToTakeAPart() {
    try (ApproximateIndex index =
        ApproximateIndex.builder().blockCapacity(4000).holderBytes(600).ttlNs(SECOND).build()) {
      for (int family = 0; family < 240; family += 3) {
        record(index, 1, prompt(family, 40), 0);
        record(index, 2, prompt(family, 40), 500 * MS);
        assertEquals(ApplyResult.OK, record(index, 1, prompt(family, 10), 500 * MS));
      }
      index.expire(SECOND);
      assertEquals(1, index.clearedRanks());
      assertEquals(0, index.heldBlocks(1, 0), "cleared");
      assertEquals(3200, index.heldBlocks(2, 0));
      index.expire(2 * SECOND);
      assertEquals(1, index.clearedRanks());
      assertEquals(0, index.heldBlocks());
      assertEquals(0, index.timers().size());
      IndexInvariants.check(index.index());
    }
  }

  private static int prefix(
      final ApproximateIndex index, final long worker, final long[] locals, final long now) {
    final MatchScores scores = new MatchScores();
    index.find(Arrays.copyOf(locals, locals.length), 0, locals.length, now, scores);
    return scores.device(scores.indexOf(worker, 0));
  }
}
