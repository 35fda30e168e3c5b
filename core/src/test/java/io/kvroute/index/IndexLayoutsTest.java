package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class IndexLayoutsTest {

  private static void assertCommitted(final String name, final String table) throws IOException {
    try (InputStream in = IndexLayoutsTest.class.getResourceAsStream("/layouts/" + name + ".txt")) {
      assertEquals(new String(in.readAllBytes(), StandardCharsets.UTF_8), table);
    }
  }

  @Test
  void shouldKeepTheLayoutOfEdges() throws IOException {
    assertCommitted("EdgeLayout", EdgeLayout.table());
  }

  @Test
  void shouldKeepTheLayoutOfHolders() throws IOException {
    assertCommitted("HolderLayout", HolderLayout.table());
  }

  @Test
  void shouldKeepTheLayoutOfGranules() throws IOException {
    assertCommitted("GranuleLayout", GranuleLayout.table());
  }

  @Test
  void shouldKeepTheLayoutOfRanks() throws IOException {
    assertCommitted("RankLayout", RankLayout.table());
  }

  @Test
  void shouldKeepTheLayoutOfOwnNames() throws IOException {
    assertCommitted("OwnNameLayout", OwnNameLayout.table());
  }

  @Test
  void shouldKeepTheLayoutOfSnapshots() throws IOException {
    assertCommitted("SnapshotLayout", SnapshotLayout.table());
  }
}
