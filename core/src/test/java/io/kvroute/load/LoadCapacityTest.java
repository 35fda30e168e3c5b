package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What there is no room for is refused as a whole, in numbers, and counted. */
final class LoadCapacityTest {
  private final Booking booking = new Booking();

  private SequenceResult add(
      final ActiveSequences sequences, final long key, final long worker, final long... hashes) {
    return sequences.add(
        booking.reset().request(key).rank(worker, 0).prompt(hashes, 0, hashes.length).prefill(5),
        0);
  }

  private static void assertRefused(
      final ActiveSequences sequences, final SequenceResult expected, final SequenceResult found) {
    assertEquals(expected, found);
    assertTrue(found.isRefusal());
    assertEquals(1, sequences.counters().operations(SequenceOperation.ADD, expected));
    LoadInvariants.check(sequences);
  }

  @Test
  void shouldRefuseARequestTooMany() {
    try (ActiveSequences sequences = ActiveSequences.builder().requestCapacity(2).build()) {
      add(sequences, 1, 1, 1, 2);
      add(sequences, 2, 1, 1, 3);
      assertRefused(sequences, SequenceResult.REQUESTS_FULL, add(sequences, 3, 2, 1, 2));
      assertEquals("no room for a request: missing=1 requests=2 capacity=2", sequences.refusal());
      assertEquals(1, sequences.rankCount());
      sequences.free(1, 0);
      assertEquals(SequenceResult.OK, add(sequences, 3, 2, 1, 2));
    }
  }

  @Test
  void shouldRefuseBlocksTooMany() {
    try (ActiveSequences sequences = ActiveSequences.builder().blockCapacity(20).build()) {
      assertEquals(SequenceResult.OK, add(sequences, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
      assertEquals(SequenceResult.OK, add(sequences, 2, 1, 1, 2, 3, 11, 12, 13, 14, 15, 16, 17));
      assertRefused(
          sequences, SequenceResult.BLOCKS_FULL, add(sequences, 3, 2, 1, 2, 3, 11, 21, 22, 23, 24));
      assertEquals("no room for a request: missing=4 blocks=17 capacity=20", sequences.refusal());
      assertEquals(SequenceResult.OK, add(sequences, 3, 2, 1, 2, 3, 11, 21, 22, 23));
      assertEquals(20, sequences.blockCount());
      assertEquals(SequenceResult.OK, add(sequences, 4, 3, 1, 2, 3, 11, 21, 22, 23));
    }
  }

  @Test
  void shouldRefuseARankTooMany() {
    try (ActiveSequences sequences = ActiveSequences.builder().rankCapacity(2).build()) {
      add(sequences, 1, 1);
      add(sequences, 2, 2);
      assertRefused(sequences, SequenceResult.RANKS_FULL, add(sequences, 3, 3));
      assertEquals("no room for a request: missing=1 ranks=2 capacity=2", sequences.refusal());
      final CapacityExceededException failure =
          assertThrows(
              CapacityExceededException.class,
              () ->
                  sequences.reconcile(
                      List.of(new WorkerRange(5, 0, 2), new WorkerRange(6, 0, 1)), 0));
      assertEquals("no room for ranks: wanted=3 rankCapacity=2", failure.getMessage());
      assertThrows(
          CapacityExceededException.class, () -> sequences.upsert(new WorkerRange(1, 0, -2), 0));
      assertEquals(2, sequences.requestCount());
      sequences.reconcile(List.of(new WorkerRange(5, 0, 2)), 0);
      assertEquals(2, sequences.rankCount());
    }
  }

  @Test
  void shouldRefuseRunsOfBlocksTooMany() {
    try (ActiveSequences sequences = ActiveSequences.builder().edgeCapacity(2).build()) {
      assertEquals(SequenceResult.OK, add(sequences, 1, 1, 1, 2, 3));
      assertRefused(sequences, SequenceResult.EDGES_FULL, add(sequences, 2, 1, 1, 2, 4));
      assertEquals("no room for a request: missing=2 edges=1 capacity=2", sequences.refusal());
      assertEquals(SequenceResult.OK, add(sequences, 2, 1, 1, 2));
    }
    try (ActiveSequences sequences = ActiveSequences.builder().holdCapacity(3).build()) {
      assertEquals(SequenceResult.OK, add(sequences, 1, 1, 1, 2, 3));
      assertEquals(SequenceResult.OK, add(sequences, 2, 2, 1, 2, 3));
      assertRefused(sequences, SequenceResult.HOLDS_FULL, add(sequences, 3, 1, 1, 2));
      assertEquals("no room for a request: missing=2 holds=2 capacity=3", sequences.refusal());
    }
  }

  @Test
  void shouldNeedAtMostTwoRunsPerRequestThatHasNoWeights() {
    final int requests = 40;
    try (ActiveSequences sequences =
        ActiveSequences.builder()
            .requestCapacity(requests)
            .edgeCapacity(2L * requests)
            .holdCapacity(100_000)
            .build()) {
      final Random random = new Random(3);
      for (int i = 0; i < 20_000; i++) {
        final long[] hashes = new long[random.nextInt(40)];
        for (int j = 0; j < hashes.length; j++) {
          hashes[j] = (j == 0 ? 7 : hashes[j - 1] * 31) + random.nextInt(random.nextInt(9) + 1) / 7;
        }
        if (sequences.requestCount() == requests || random.nextInt(3) == 0) {
          sequences.free(i - 1 - random.nextInt(60), 0);
        }
        if (sequences.requestCount() < requests) {
          assertEquals(SequenceResult.OK, add(sequences, i, random.nextInt(3), hashes));
        }
      }
    }
  }

  @Test
  void shouldTakeTheBytesThatItSaidAndGiveThemBack() {
    final ActiveSequencesBuilder builder = ActiveSequences.builder().rankCapacity(200);
    try (Arena arena = Arena.tracking(builder.requiredBytes())) {
      try (ActiveSequences sequences = builder.arena(arena).build()) {
        assertEquals(builder.requiredBytes(), arena.usedBytes());
        assertEquals(SequenceResult.OK, add(sequences, 1, 1, 1));
        assertThrows(CapacityExceededException.class, builder::build);
      }
      arena.assertNothingLive();
    }
    assertThrows(CapacityExceededException.class, () -> builder.requestCapacity(0));
    assertThrows(CapacityExceededException.class, () -> builder.requestCapacity((1 << 19) + 1));
    assertThrows(CapacityExceededException.class, () -> builder.rankCapacity(65_537));
    assertThrows(CapacityExceededException.class, () -> builder.blockCapacity((1L << 30) + 1));
    assertThrows(IllegalArgumentException.class, () -> builder.replicaAgeNs(-1));
  }
}
