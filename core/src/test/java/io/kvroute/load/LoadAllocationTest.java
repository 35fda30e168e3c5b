package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import org.junit.jupiter.api.Test;

/** The calls of every request allocate nothing. */
final class LoadAllocationTest {
  private static final int RANKS = 96;
  private static final int BLOCKS = 200;

  private final long[][] prompts = new long[40][BLOCKS];
  private final LoadProjections projections = new LoadProjections();
  private final Booking booking = new Booking();
  private long now;
  private long heard;

  private void life(final ActiveSequences sequences, final String[] ids) {
    for (int i = 0; i < ids.length; i++) {
      now += 1_000_000;
      final long[] prompt = prompts[i % prompts.length];
      final int length = 20 + i * 13 % (BLOCKS - 20);
      sequences.potentialLoads(prompt, 0, length, now, projections);
      booking.reset().rank(i % RANKS, 0).prompt(prompt, 0, length).expectedOutputTokens(100);
      booking.prefill(1000 + i, 50_000_000L);
      if (ids[i] == null) {
        sequences.add(booking.request(i), now);
        sequences.addOutputBlock(i, 0.5, now);
      } else {
        sequences.add(booking.request(ids[i]), now);
        sequences.addOutputBlock(ids[i], now);
      }
      final int old = i - 64;
      if (old >= 0 && ids[old] == null) {
        sequences.markPrefillCompleted(old, now);
        sequences.markPrefillCompleted(old, now);
        sequences.free(old, now);
        sequences.free(old, now);
      } else if (old >= 0) {
        sequences.markPrefillCompleted(ids[old], now);
        sequences.free(ids[old], now);
      }
    }
    for (int i = ids.length - 64; i < ids.length; i++) {
      final SequenceResult result =
          ids[i] == null ? sequences.free(i, now) : sequences.free(ids[i], now);
      assertEquals(SequenceResult.OK, result);
    }
    sequences.sweep(now);
  }

  @Test
  void shouldAllocateNothingInTheLifeOfARequest() {
    for (int i = 0; i < prompts.length; i++) {
      long hash = i / 8;
      for (int j = 0; j < BLOCKS; j++) {
        hash = (hash + (j == 50 ? i : 1)) * 0x9E3779B97F4A7C15L;
        prompts[i][j] = hash;
      }
    }
    final String[] ids = new String[400];
    for (int i = 0; i < ids.length; i += 3) {
      ids[i] = "request-" + i;
    }
    try (ActiveSequences sequences =
        ActiveSequences.builder()
            .requestCapacity(128)
            .rankCapacity(RANKS)
            .loadListener((worker, dp, blocks, tokens) -> heard += blocks)
            .build()) {
      assertEquals(0, AllocationMeter.bytes(30, () -> life(sequences, ids)));
      assertTrue(heard > 0);
      assertEquals(0, sequences.requestCount());
      assertEquals(
          0, sequences.counters().operations(SequenceOperation.ADD, SequenceResult.REQUESTS_FULL));
    }
  }

  @Test
  void shouldAllocateNothingWhenItRefuses() {
    final long[] prompt = {1, 2, 3};
    try (ActiveSequences sequences = ActiveSequences.builder().blockCapacity(2).build()) {
      final Runnable body =
          () -> {
            for (int i = 0; i < 100; i++) {
              sequences.add(booking.reset().request(i).prompt(prompt, 0, 3), 0);
            }
          };
      assertEquals(0, AllocationMeter.bytes(30, body));
      assertEquals(0, sequences.requestCount());
    }
  }
}
