package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class LayoutPrinterTest {
  @Test
  void shouldPrintFieldsAndTheHolesBetweenThem() {
    assertEquals(
        """
        record (24 bytes)
             0    4  first                a number
             4    4  (unused)
             8    8  second               another
            16    8  (unused)
        """,
        new LayoutPrinter("record", 24)
            .field("first", 0, 4, "a number")
            .field("second", 8, 8, "another")
            .print());
  }

  @Test
  void shouldRefuseFieldsThatOverlapAreMisalignedOrExceedTheRecord() {
    assertBad(4, 4, "overlap");
    assertBad(12, 8, "misaligned");
    assertBad(10, 4, "misaligned");
    assertBad(16, 16, "too long");
    assertBad(24, 1, "behind the end");
    assertBad(0, 1, "out of order");
  }

  private static void assertBad(final int offset, final int width, final String why) {
    final LayoutPrinter printer = new LayoutPrinter("record", 24).field("first", 0, 8, "");
    final IllegalStateException failure =
        assertThrows(
            IllegalStateException.class, () -> printer.field("second", offset, width, ""), why);
    assertTrue(failure.getMessage().contains("offset=" + offset), failure.getMessage());
    assertTrue(failure.getMessage().contains("width=" + width), failure.getMessage());
    assertTrue(failure.getMessage().contains("previousEnd=8"), failure.getMessage());
  }
}
