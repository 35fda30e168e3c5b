package io.kvroute.tools.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DistributionTest {

  @Test
  void shouldGiveTheValueOfTheNearestRank() {
    final long[] values = new long[200];
    for (int i = 0; i < 100; i++) {
      values[i] = 100L - i;
    }
    final Distribution hundred = Distribution.of(values, 100);
    assertEquals(100, hundred.count());
    assertEquals(1, hundred.perMille(0));
    assertEquals(1, hundred.perMille(10));
    assertEquals(50, hundred.perMille(500));
    assertEquals(51, hundred.perMille(501));
    assertEquals(99, hundred.perMille(990));
    assertEquals(100, hundred.perMillion(990_001));
    assertEquals(100, hundred.max());
  }

  @Test
  void shouldBeZeroWhenThereIsNoValue() {
    assertEquals(0, Distribution.of(new long[3], 0).perMille(500));
  }
}
