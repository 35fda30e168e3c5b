package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  @Test
  void shouldStaySilentInAPipe() {
    final StringWriter err = new StringWriter();
    try (ProgressLine progress = new ProgressLine(new PrintWriter(err), false, "requests")) {
      LockSupport.parkNanos(250_000_000);
      progress.accept(1);
    }
    assertEquals("", err.toString());
  }

  @Test
  void shouldShowAndWipeItsLineOnATerminal() {
    final StringWriter err = new StringWriter();
    try (ProgressLine progress = new ProgressLine(new PrintWriter(err), true, "requests")) {
      progress.accept(1);
      assertEquals("", err.toString());
      final long end = System.nanoTime() + 250_000_000;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      progress.accept(1_234);
      assertEquals("\r1,234 requests", err.toString());
    }
    assertTrue(err.toString().endsWith("\r              \r"), err.toString());
  }
}
