package io.kvroute.tools.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void shouldSplitAStretchOverItsIntervals() {
    final Timeline timeline = new Timeline(2);
    timeline.addOver(1, SECOND / 2, 2 * SECOND + 1, 3);
    assertEquals(3, timeline.intervals());
    assertEquals(3 * SECOND / 2, timeline.sum(1, 0));
    assertEquals(3 * SECOND, timeline.sum(1, 1));
    assertEquals(3, timeline.sum(1, 2));
    assertEquals(0, timeline.sum(0, 0));
  }

  @Test
  void shouldCountNothingWhenAStretchIsEmpty() {
    final Timeline timeline = new Timeline(1);
    timeline.addOver(0, 5, 5, 9);
    assertEquals(0, timeline.intervals());
  }

  @Test
  void shouldKeepItsSumsWhenIntervalsDouble() {
    final Timeline timeline = new Timeline(1);
    for (int second = 0; second < 1_000; second++) {
      timeline.add(0, second * SECOND, 1 + second % 7);
    }
    assertEquals(8 * SECOND, timeline.lengthNs());
    assertEquals(125, timeline.intervals());
    long sum = 0;
    long expected = 0;
    for (int i = 0; i < timeline.intervals(); i++) {
      sum += timeline.sum(0, i);
    }
    for (int second = 0; second < 1_000; second++) {
      expected += 1 + second % 7;
    }
    assertEquals(expected, sum);
  }

  @Test
  void shouldReachFarInOneStep() {
    final Timeline timeline = new Timeline(1);
    timeline.add(0, 0, 1);
    timeline.addOver(0, 3_000_000 * SECOND, 3_000_001 * SECOND, 2);
    assertTrue(timeline.intervals() <= Timeline.MAX_INTERVALS);
    assertEquals(1, timeline.sum(0, 0));
    assertEquals(2 * SECOND, timeline.sum(0, timeline.intervals() - 1));
  }
}
