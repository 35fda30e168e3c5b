package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.SeededRun;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class BlockTimersTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  private final Arena arena = Arena.tracking(1 << 24);
  private final BlockTimers timers = new BlockTimers(arena, 1000, 8, 500);
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final List<String> drained = new ArrayList<>();

  @AfterEach
  void shouldGiveAllMemoryBack() {
    timers.close();
    timers.close();
    arena.assertNothingLive();
    arena.close();
  }

  private boolean insert(
      final long worker, final int rank, final long now, final long ttl, final long... hashes) {
    return timers.insert(worker, rank, now, ttl, hashes, 0, hashes.length, 0);
  }

  private void onExpired(final DirectBuffer buffer, final int offset, final int length) {
    decoder.wrap(buffer, offset, length);
    final StringBuilder text = new StringBuilder();
    text.append(Long.toUnsignedString(decoder.workerId())).append(':').append(decoder.dpRank());
    for (int i = 0; i < decoder.blockCount(); i++) {
      text.append(' ').append(Long.toUnsignedString(decoder.blockHash(i)));
    }
    drained.add(text.toString());
  }

  private List<String> drain(final long now) {
    drained.clear();
    timers.drain(now, this::onExpired);
    return List.copyOf(drained);
  }

  @Test
  void shouldRoundAnEndUpToABucketCountedFromTheFirstInsertionOfTheRank() {
    final long origin = -12_345;
    insert(7, 0, origin, 50 * MS, 1);
    insert(7, 0, origin + 50 * MS, 50 * MS, 2);
    insert(7, 0, origin + 50 * MS + 1, 50 * MS, 3);
    assertEquals(origin + 100 * MS, timers.expiryNs(7, 0, 1, 0));
    assertEquals(origin + 100 * MS, timers.expiryNs(7, 0, 2, 0));
    assertEquals(origin + 200 * MS, timers.expiryNs(7, 0, 3, 0));
    assertEquals(2, timers.bucketCount());
    insert(7, 1, origin + 30 * MS, 50 * MS, 1);
    assertEquals(origin + 130 * MS, timers.expiryNs(7, 1, 1, 0));
  }

  @Test
  void shouldKeepABlockUntilTheVeryInstantOfItsEnd() {
    insert(1, 0, 0, 250 * MS, 1);
    assertEquals(List.of(), drain(300 * MS - 1));
    assertEquals(300 * MS, timers.nextExpiryNs());
    assertEquals(List.of("1:0 1"), drain(300 * MS));
    assertEquals(BlockTimers.NEVER, timers.nextExpiryNs());
    assertEquals(0, timers.size());
  }

  @Test
  void shouldSetAnEndAnewWhenABlockIsInsertedAgain() {
    insert(1, 0, 0, SECOND, 1, 2);
    timers.insert(1, 0, 500 * MS, SECOND, new long[] {2}, 0, 1, 1);
    assertEquals(2, timers.size());
    assertEquals(List.of("1:0 1"), drain(SECOND));
    assertEquals(List.of("1:0 2"), drain(1500 * MS));
  }

  @Test
  void shouldLetTheLastInsertionWinWhenItsTimeToLiveIsShorter() {
    insert(1, 0, 0, 10 * SECOND, 1);
    insert(1, 0, SECOND, 2 * SECOND, 1);
    assertEquals(3 * SECOND, timers.nextExpiryNs());
    assertEquals(1, timers.bucketCount());
  }

  @Test
  void shouldKeepABlockThatIsRefreshedBeforeItsExpiryIsHandled() {
    insert(1, 0, 0, 3 * SECOND, 5);
    insert(1, 0, 3 * SECOND, 3 * SECOND, 5);
    assertEquals(List.of(), drain(3 * SECOND));
    assertEquals(List.of(), drain(6 * SECOND - 1));
    assertEquals(List.of("1:0 5"), drain(6 * SECOND));
  }

  @Test
  void shouldEndAtOnceAndUnroundedWhenTheTimeToLiveIsZero() {
    insert(1, 0, 0, SECOND, 1);
    insert(1, 0, 33, 0, 2);
    assertEquals(33, timers.expiryNs(1, 0, 2, 0));
    assertEquals(List.of("1:0 2"), drain(33));
  }

  @Test
  void shouldStayAsSmallAsItsLiveBlocksWhenOneIsRefreshedAMillionTimes() {
    final long[] hash = {9};
    for (int i = 0; i < 1_000_000; i++) {
      assertTrue(timers.insert(1, 0, i * MS, 120 * SECOND, hash, 0, 1, 0));
    }
    assertEquals(1, timers.size());
    assertEquals(1, timers.bucketCount());
  }

  @Test
  void shouldStartARankAnewWhenItWasRemoved() {
    insert(1, 0, 0, 150 * MS, 1);
    assertTrue(timers.removeRank(1, 0));
    assertFalse(timers.removeRank(1, 0));
    assertEquals(0, timers.size());
    insert(1, 0, 70 * MS, 150 * MS, 1);
    assertEquals(270 * MS, timers.nextExpiryNs());
  }

  @Test
  void shouldKeepTheOriginOfARankWhoseBlocksHaveAllEnded() {
    insert(1, 0, 0, 0, 1);
    drain(0);
    assertEquals(1, timers.rankCount());
    insert(1, 0, 30 * MS, 100 * MS, 1);
    assertEquals(200 * MS, timers.nextExpiryNs());
  }

  @Test
  void shouldForgetAllRanksOfAWorker() {
    insert(1, 0, 0, SECOND, 1, 2);
    insert(1, 1, 0, SECOND, 1);
    insert(2, 0, 0, SECOND, 1);
    assertTrue(timers.removeWorker(1));
    assertFalse(timers.removeWorker(1));
    assertEquals(List.of("2:0 1"), drain(SECOND));
  }

  @Test
  void shouldHandOutOneEventPerRankInUnsignedOrder() {
    insert(-1, 0, 0, SECOND, 3, -3, 1);
    insert(2, -1, 0, SECOND, 8);
    insert(2, 1, 0, SECOND, 7, -7);
    insert(-1, 0, 150 * MS, SECOND, 2);
    final long max = -1;
    assertEquals(
        List.of(
            "2:1 7 18446744073709551609",
            "2:-1 8",
            Long.toUnsignedString(max) + ":0 1 2 3 18446744073709551613"),
        drain(2 * SECOND));
  }

  @Test
  void shouldMergeTheSameHashAtTwoPositionsIntoOneRemoval() {
    insert(1, 0, 0, SECOND, 5, 6, 5);
    assertEquals(3, timers.size());
    assertEquals(List.of("1:0 5 6"), drain(SECOND));
  }

  @Test
  void shouldSortManyHashesWithLongCommonPrefixes() {
    final long[] hashes = new long[900];
    final TreeSet<Long> sorted = new TreeSet<>(Long::compareUnsigned);
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = i % 3 == 0 ? i * 0x9E3779B97F4A7C15L : i % 7;
      sorted.add(hashes[i]);
    }
    insert(1, 0, 0, SECOND, hashes);
    final StringBuilder expected = new StringBuilder("1:0");
    sorted.forEach(hash -> expected.append(' ').append(Long.toUnsignedString(hash)));
    assertEquals(List.of(expected.toString()), drain(SECOND));
  }

  @Test
  void shouldEndTheEarliestBucketBeforeItsTime() {
    insert(1, 0, 0, SECOND, 1, 2);
    insert(2, 0, 0, 3 * SECOND, 3);
    drained.clear();
    assertEquals(2, timers.drainEarliest(this::onExpired));
    assertEquals(List.of("1:0 1 2"), drained);
    assertEquals(1, timers.drainEarliest(this::onExpired));
    assertEquals(0, timers.drainEarliest(this::onExpired));
  }

  @Test
  void shouldRefuseAndChangeNothingWhenItIsFull() {
    try (BlockTimers small = new BlockTimers(arena, 4, 2, 2)) {
      assertTrue(small.insert(1, 0, 0, SECOND, new long[] {1, 2, 3}, 0, 3, 0));
      assertFalse(small.insert(1, 0, 0, SECOND, new long[] {4, 5}, 0, 2, 3));
      assertFalse(small.insert(2, 0, 0, SECOND, new long[] {4, 5}, 0, 2, 3));
      assertEquals(3, small.size());
      assertEquals(1, small.rankCount());
      assertTrue(small.insert(1, 0, SECOND, SECOND, new long[] {1, 2, 3, 4}, 0, 4, 0));
      assertEquals(4, small.size());
      assertTrue(small.insert(1, 0, SECOND, 2 * SECOND, new long[] {1}, 0, 1, 0));
      assertFalse(small.insert(1, 0, SECOND, 3 * SECOND, new long[] {1}, 0, 1, 0));
      assertEquals(3 * SECOND, small.expiryNs(1, 0, 1, 0));
      assertFalse(small.insert(2, 0, 0, SECOND, new long[] {1}, 0, 1, 0));
      assertTrue(small.remove(1, 0, 1, 0));
      assertFalse(small.remove(1, 0, 1, 0));
      assertTrue(small.addRank(2, 0, 0));
      assertFalse(small.addRank(2, 0, 0));
      assertFalse(small.addRank(3, 0, 0));
      assertFalse(small.insert(3, 0, 0, SECOND, new long[] {1}, 0, 1, 0));
    }
  }

  @Test
  void shouldSaturateWhenAnEndLiesBeyondAllTime() {
    insert(1, 0, 0, Long.MAX_VALUE, 1);
    assertEquals(BlockTimers.NEVER - 1, timers.nextExpiryNs());
    insert(2, 0, Long.MAX_VALUE - 10, 5, 1);
    assertEquals(BlockTimers.NEVER - 1, timers.expiryNs(2, 0, 1, 0));
    assertEquals(List.of("1:0 1", "2:0 1"), drain(Long.MAX_VALUE));
  }

  @Test
  void shouldHandOutTheOtherRanksWhenAListenerThrows() {
    insert(1, 0, 0, SECOND, 1);
    insert(2, 0, 0, SECOND, 2);
    final RuntimeException failure = new IllegalStateException("no");
    final List<Integer> lengths = new ArrayList<>();
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                timers.drain(
                    SECOND,
                    (buffer, offset, length) -> {
                      lengths.add(length);
                      throw failure;
                    })));
    assertEquals(List.of(56, 56), lengths);
    assertEquals(0, timers.size());
    assertEquals(List.of(), drain(SECOND));
  }

  @Test
  void shouldRejectWhatMakesNoSense() {
    assertThrows(IllegalArgumentException.class, () -> insert(1, 0, 0, -1, 1));
    assertThrows(
        IndexOutOfBoundsException.class, () -> timers.insert(1, 0, 0, 1, new long[2], 1, 2, 0));
    assertEquals(0, timers.rankCount());
    assertThrows(CapacityExceededException.class, () -> new BlockTimers(arena, 0, 1, 1));
    assertThrows(CapacityExceededException.class, () -> new BlockTimers(arena, 1, 1 << 17, 1));
    assertThrows(CapacityExceededException.class, () -> new BlockTimers(arena, 1 << 24, 1, 1));
    timers.close();
    assertThrows(IllegalStateException.class, () -> insert(1, 0, 0, 1, 1));
  }

  @Test
  void shouldAllocateNothing() {
    final long[] hashes = new long[64];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = i * 0x9E3779B97F4A7C15L;
    }
    final long[] now = {0};
    final long[] ended = {0};
    final KvEventListener listener = (buffer, offset, length) -> ended[0] += length;
    final Runnable body =
        () -> {
          for (int i = 0; i < 200; i++) {
            now[0] += 10 * MS;
            timers.drain(now[0], listener);
            timers.insert(i & 7, 0, now[0], 250 * MS, hashes, i & 31, 32, 0);
          }
          timers.removeRank(3, 0);
        };
    assertEquals(0, AllocationMeter.bytes(50, body));
    assertTrue(ended[0] > 0);
  }

  // ------ a naive twin

  private record Key(long worker, int rank, long hash, int position) {}

  private static final class Naive {
    final Map<String, Long> origins = new HashMap<>();
    final Map<Key, Long> ends = new HashMap<>();

    void insert(final Key key, final long now, final long ttl) {
      final long origin = origins.computeIfAbsent(key.worker + ":" + key.rank, each -> now);
      long end = origin;
      while (end < now + ttl) {
        end += 100 * MS;
      }
      ends.put(key, ttl == 0 ? now : end);
    }

    void removeRank(final long worker, final int rank) {
      origins.remove(worker + ":" + rank);
      ends.keySet().removeIf(key -> key.worker == worker && key.rank == rank);
    }

    List<String> drain(final long now) {
      final TreeMap<String, TreeSet<Long>> byRank = new TreeMap<>();
      ends.forEach(
          (key, end) -> {
            if (end <= now) {
              byRank
                  .computeIfAbsent(key.worker + ":" + key.rank, each -> new TreeSet<>())
                  .add(key.hash);
            }
          });
      ends.values().removeIf(end -> end <= now);
      final List<String> lines = new ArrayList<>();
      byRank.forEach(
          (rank, hashes) -> {
            final StringBuilder text = new StringBuilder(rank);
            hashes.forEach(hash -> text.append(' ').append(hash));
            lines.add(text.toString());
          });
      return lines;
    }
  }

  private void compareWithNaive(final long seed, final int operations) {
    final Naive naive = new Naive();
    final long[] now = {0};
    SeededRun.run(
        seed,
        operations,
        run -> {
          final int worker = run.below(3);
          final int rank = run.below(2);
          final int what = run.below(20);
          now[0] += run.below(3) == 0 ? run.below(80) * MS + run.below(3) : 0;
          run.note("operation worker rank now", what, worker, rank, now[0]);
          if (what < 10) {
            final long ttl = run.below(8) * 70L * MS;
            final int position = run.below(3);
            final long[] hashes = run.random().longs(1 + run.below(20), 0, 40).toArray();
            assertTrue(
                timers.insert(worker, rank, now[0], ttl, hashes, 0, hashes.length, position));
            for (int i = 0; i < hashes.length; i++) {
              naive.insert(new Key(worker, rank, hashes[i], position + i), now[0], ttl);
            }
          } else if (what < 13) {
            final Key key = new Key(worker, rank, run.below(40), run.below(20));
            assertEquals(
                naive.ends.remove(key) != null,
                timers.remove(worker, rank, key.hash, key.position));
          } else if (what == 13) {
            timers.removeRank(worker, rank);
            naive.removeRank(worker, rank);
          } else if (what == 14 && run.below(3) == 0) {
            timers.removeWorker(worker);
            naive.removeRank(worker, 0);
            naive.removeRank(worker, 1);
          } else {
            assertEquals(naive.drain(now[0]), drain(now[0]));
          }
          assertEquals(naive.ends.size(), timers.size());
          assertEquals(
              naive.ends.values().stream()
                  .mapToLong(Long::longValue)
                  .min()
                  .orElse(BlockTimers.NEVER),
              timers.nextExpiryNs());
          assertEquals(
              naive.ends.entrySet().stream()
                  .map(each -> each.getKey().worker + ":" + each.getKey().rank + each.getValue())
                  .distinct()
                  .count(),
              timers.bucketCount());
        });
  }

  @Test
  void shouldAgreeWithANaiveTwin() {
    compareWithNaive(11, SeededRun.operations() / 4);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithANaiveTwinForLong() {
    compareWithNaive(12, 100_000);
  }
}
