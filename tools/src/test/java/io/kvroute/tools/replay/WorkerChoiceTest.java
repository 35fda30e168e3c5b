package io.kvroute.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.kvroute.index.MatchScores;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class WorkerChoiceTest {
  private static final long[] PROMPT = {11, 12, 13};

  /** What an index finds for PROMPT if worker w holds {@code held[w]} blocks of it. */
  private static MatchScores scores(final int... held) {
    final MatchScores scores = new MatchScores();
    try (RadixIndex index = RadixIndex.builder().blockCapacity(64).build()) {
      final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
      for (int worker = 0; worker < held.length; worker++) {
        final int count = held[worker];
        if (count > 0) {
          final int length =
              KvEventEncoder.stored(buffer, 0, worker, 0, StorageTier.DEVICE, 0, false, 0, count);
          for (int i = 0; i < count; i++) {
            KvEventEncoder.putBlockHash(buffer, 0, i, PROMPT[i] * 1000);
            KvEventEncoder.putTokensHash(buffer, 0, count, i, PROMPT[i]);
          }
          index.onEvent(buffer, 0, length);
        }
      }
      index.find(PROMPT, 0, PROMPT.length, scores);
    }
    return scores;
  }

  @Test
  void shouldChooseTheHighestOverlapWhateverTheLoad() {
    final WorkerChoice choice = new WorkerChoice(3);
    choice.book(1, 1_000);
    assertEquals(1, choice.choose(scores(1, 3, 2)));
    assertEquals(3, choice.overlap());
  }

  @Test
  void shouldChooseTheLowestLoadAmongEqualOverlaps() {
    final WorkerChoice choice = new WorkerChoice(3);
    choice.book(0, 5);
    choice.book(1, 4);
    assertEquals(1, choice.choose(scores(2, 2, 1)));
    choice.book(1, 1);
    assertEquals(0, choice.choose(scores(2, 2, 1)));
    assertEquals(5, choice.load(1));
  }

  @Test
  void shouldChooseTheLowestLoadThenTheLowestIdWhenNobodyHoldsAnything() {
    final WorkerChoice choice = new WorkerChoice(3);
    assertEquals(0, choice.choose(scores()));
    assertEquals(0, choice.overlap());
    choice.book(0, 1);
    choice.book(1, 1);
    assertEquals(2, choice.choose(scores()));
    choice.book(2, 1);
    assertEquals(0, choice.choose(scores()));
  }

  @Test
  void shouldRefuseToChooseAmongNobody() {
    assertThrows(IllegalArgumentException.class, () -> new WorkerChoice(0));
  }
}
