package io.kvroute.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.Arena;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LayoutTablesTest {

  static List<String> layouts() throws Exception {
    return Repository.classNames(Arena.class).stream()
        .filter(name -> name.endsWith("Layout"))
        .toList();
  }

  @Test
  void shouldFindLayouts() throws Exception {
    assertTrue(layouts().contains("io.kvroute.protocol.KvEventLayout"));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void shouldBeAsCommitted(final String layout) throws Exception {
    final Method table = Class.forName(layout).getDeclaredMethod("table");
    table.setAccessible(true);
    assertEquals(committed(simpleName(layout)), table.invoke(null));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void shouldHaveALineInTheDocument(final String layout) throws Exception {
    final String[] packages = layout.split("\\.", -1);
    final String start =
        "| `" + simpleName(layout) + "` | `" + packages[packages.length - 2] + "` | ";
    assertFalse(
        Repository.read("docs/layouts.md").lines().noneMatch(line -> line.startsWith(start)),
        "docs/layouts.md has no line that starts with " + start);
  }

  private static String simpleName(final String layout) {
    return layout.substring(layout.lastIndexOf('.') + 1);
  }

  private static String committed(final String name) throws IOException {
    final String path = "/layouts/" + name + ".txt";
    try (InputStream in = LayoutTablesTest.class.getResourceAsStream(path)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
