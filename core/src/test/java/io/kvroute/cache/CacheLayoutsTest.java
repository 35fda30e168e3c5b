package io.kvroute.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class CacheLayoutsTest {
  @Test
  void shouldKeepTheCommittedLayoutOfAPage() throws IOException {
    assertEquals(committed("PageLayout"), PageLayout.table());
  }

  @Test
  void shouldKeepTheCommittedLayoutOfANode() throws IOException {
    assertEquals(committed("NodeLayout"), NodeLayout.table());
  }

  private static String committed(final String name) throws IOException {
    try (InputStream in = CacheLayoutsTest.class.getResourceAsStream("/layouts/" + name + ".txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void shouldKeepTheThreePartsOfALinkApart() {
    final int most = Integer.MAX_VALUE;
    for (final int previous : new int[] {0, 1, 12345, most}) {
      for (final int next : new int[] {0, 1, 54321, most}) {
        for (final boolean single : new boolean[] {false, true}) {
          final long link = PageLayout.link(single, previous, next);
          assertEquals(previous, PageLayout.previous(link));
          assertEquals(next, PageLayout.next(link));
          assertEquals(single, PageLayout.isSingle(link));
        }
      }
    }
    assertTrue(PageLayout.isSingle(PageLayout.link(true, 0, 0)));
    assertFalse(PageLayout.isSingle(PageLayout.link(false, most, most)));
  }

  @Test
  void shouldKeepAnExtentsColumnInOneSlab() {
    assertEquals(0, (1L << 30) % ((long) PageLayout.EXTENT_BOUNDARY * Long.BYTES));
  }
}
