package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import org.junit.jupiter.api.Test;

final class LoadProjectionsTest {
  private final LoadProjections projections = new LoadProjections();

  @Test
  void shouldFindEveryRankThatWasAddedAndNoOther() {
    for (int i = 0; i < 100; i++) {
      projections.add(i, i % 2 - 1, 10L * i, 20L * i, 3, i);
    }
    assertEquals(100, projections.count());
    for (int i = 0; i < 100; i++) {
      assertEquals(i, projections.indexOf(i, i % 2 - 1));
      assertEquals(-1, projections.indexOf(i, 7));
    }
    assertEquals(-1, projections.indexOf(-1, 0));
    assertEquals(42, projections.workerId(42));
    assertEquals(-1, projections.dpRank(42));
    assertEquals(420, projections.activePrefillTokens(42));
    assertEquals(840, projections.activeDecodeBlocks(42));
    assertEquals(3, projections.additionalActiveBlocks(42));
    assertEquals(843, projections.potentialDecodeBlocks(42));
    assertEquals(42, projections.activeRequests(42));
    projections.clear();
    assertEquals(-1, projections.indexOf(42, -1));
    assertThrows(IndexOutOfBoundsException.class, () -> projections.workerId(0));
  }

  @Test
  void shouldOrderWorkersAndRanksAsUnsigned() {
    projections.add(1, -1, 0, 0, 0, 0);
    projections.add(-1, 0, 0, 0, 0, 0);
    projections.add(-1, -1, 0, 0, 0, 0);
    assertEquals(2, projections.indexOf(-1, -1));
    final IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> projections.add(1, 0, 0, 0, 0, 0));
    assertTrue(
        failure.getMessage().contains("lastWorkerId=18446744073709551615"), failure.getMessage());
    assertThrows(IllegalArgumentException.class, () -> projections.add(-1, -1, 0, 0, 0, 0));
    assertEquals(3, projections.count());
  }

  @Test
  void shouldAllocateNothingOnceItHasGrown() {
    final Runnable body =
        () -> {
          projections.clear();
          for (int i = 0; i < 500; i++) {
            projections.add(i, 0, i, i, i, i);
          }
        };
    assertEquals(0, AllocationMeter.bytes(5, body));
  }
}
