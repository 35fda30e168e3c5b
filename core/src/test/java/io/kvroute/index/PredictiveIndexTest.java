package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.BlockHashes;
import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.memory.AllocationMeter;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PredictiveIndexTest {
  private static final long SECOND = 1_000_000_000;
  private static final long[] PROMPT = new Random(5).longs(64).toArray();
  private static final long[] SEQUENCE = BlockHashes.computeSeqHashForBlock(PROMPT);

  private final RadixIndex confirmed = RadixIndex.builder().blockCapacity(1000).build();
  private final ApproximateIndex predicted =
      ApproximateIndex.builder().blockCapacity(1000).ttlNs(2 * SECOND).build();
  private final PredictiveIndex index = new PredictiveIndex(confirmed, predicted);
  private final IndexDriver driver = new IndexDriver(confirmed);
  private final MatchScores scores = new MatchScores();

  @AfterEach
  void close() {
    predicted.close();
    confirmed.close();
  }

  private void stored(final long worker, final int tier, final int from, final int end) {
    final List<Block> blocks = new ArrayList<>();
    for (int i = from; i < end; i++) {
      blocks.add(new Block(SEQUENCE[i], PROMPT[i]));
    }
    assertEquals(
        ApplyResult.OK,
        driver.stored(
            new Rank(worker, 0), tier, from == 0 ? null : (Long) SEQUENCE[from - 1], blocks));
  }

  private void predict(final long worker, final int count, final long now) {
    predicted.record(worker, 0, PROMPT, 0, SEQUENCE, 0, count, now);
  }

  private String find(final long now) {
    index.find(PROMPT, 0, PROMPT.length, now, scores);
    final StringBuilder text = new StringBuilder();
    for (int i = 0; i < scores.count(); i++) {
      assertEquals(i, scores.indexOf(scores.workerId(i), 0));
      text.append(Long.toUnsignedString(scores.workerId(i))).append('=').append(scores.device(i));
      for (int t = 1; t < 4; t++) {
        text.append('+').append(scores.extension(i, StorageTier.ofOrdinal(t)));
      }
      text.append(' ');
    }
    return text.toString().trim();
  }

  @Test
  void shouldShowSiblingsTheChosenWorkerBeforeAnyEventArrives() {
    assertEquals("", find(0));
    predict(2, 64, 0);
    assertEquals("2=64+0+0+0", find(1));
    assertEquals(0, confirmed.blockCount());
    assertEquals(0, confirmed.rankCount());
    assertEquals("", find(3 * SECOND));
    stored(2, 0, 0, 64);
    assertEquals("2=64+0+0+0", find(3 * SECOND));
  }

  @Test
  void shouldTakeTheMaximumAndNeverTheSum() {
    stored(2, 0, 0, 64);
    predict(2, 64, 0);
    predict(1, 30, 0);
    stored(3, 0, 0, 20);
    predict(3, 10, 0);
    stored(-1, 0, 0, 5);
    predict(-1, 9, 0);
    assertEquals("1=30+0+0+0 2=64+0+0+0 3=20+0+0+0 18446744073709551615=9+0+0+0", find(0));
    assertEquals("2=64+0+0+0 3=20+0+0+0 18446744073709551615=5+0+0+0", find(2 * SECOND));
  }

  @Test
  void shouldCountLowerTiersFromTheEndOfTheLongerPrediction() {
    stored(1, 0, 0, 4);
    stored(1, 1, 4, 10);
    stored(1, 2, 10, 16);
    assertEquals("1=4+6+6+0", find(0));
    predict(1, 7, 0);
    assertEquals("1=7+3+6+0", find(0));
    predict(1, 12, 0);
    assertEquals("1=12+0+4+0", find(0));
    predict(1, 20, 0);
    assertEquals("1=20+0+0+0", find(0));
    assertEquals(20, scores.total(0));
  }

  @Test
  void shouldForgetAWorkerInBoth() {
    stored(1, 0, 0, 4);
    predict(1, 9, 0);
    predict(2, 9, 0);
    assertTrue(index.removeWorker(1));
    assertTrue(index.removeWorkerDpRank(2, 0));
    assertFalse(index.removeWorkerDpRank(2, 0));
    assertFalse(index.removeWorker(1));
    assertEquals("", find(0));
    assertEquals(confirmed, index.confirmed());
    assertEquals(predicted, index.predicted());
  }

  @Test
  void shouldServeAPlainLookUpAfterwards() {
    stored(1, 0, 0, 4);
    predict(2, 9, 0);
    find(0);
    confirmed.find(PROMPT, 0, 64, scores);
    assertEquals("{Rank[workerId=1, dpRank=0]=4}", ApproximateIndexTest.text(scores));
  }

  @Test
  void shouldAllocateNothing() {
    stored(1, 0, 0, 40);
    for (int worker = 0; worker < 60; worker++) {
      predict(worker, worker + 1, 0);
    }
    final Runnable body =
        () -> {
          for (int i = 0; i < 500; i++) {
            index.find(PROMPT, 0, 64, 1, scores);
          }
        };
    assertEquals(0, AllocationMeter.bytes(30, body));
    assertEquals(60, scores.count());
  }
}
