package io.kvroute.tools.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WarmUpTest {
  private long passes;

  @Test
  void shouldRunNothingWhenThereIsNoTime() {
    new WarmUp(0).run(() -> passes++);
    assertEquals(0, passes);
  }

  @Test
  void shouldRunPassesUntilItsTimeIsOver() {
    final long start = System.nanoTime();
    new WarmUp(20_000_000).share(2).run(() -> passes++);
    assertTrue(System.nanoTime() - start >= 10_000_000);
    assertTrue(passes > 1, "passes=" + passes);
  }
}
