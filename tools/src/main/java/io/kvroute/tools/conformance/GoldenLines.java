package io.kvroute.tools.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Golden data in JSON lines: the first is a header that names the file's kind, each other one is a
 * case or a sequence of cases.
 */
final class GoldenLines {
  private static final String KIND = "kind";
  private static final String HEADER = "header";

  private GoldenLines() {}

  /** Tells whether a file begins with the header of a kind. */
  static boolean areOf(final String kind, final Path file) throws IOException {
    final JsonTree first = JsonTree.firstOf(file);
    return first != null
        && first.isObject()
        && first.has(KIND)
        && first.has("file")
        && HEADER.equals(first.at(KIND).textOrNull())
        && kind.equals(first.at("file").textOrNull());
  }

  /**
   * Hands out the lines but for the header.
   *
   * @throws IOException if one is not what {@code lines} takes; the message says which
   */
  static void forEach(final Path file, final Consumer<JsonTree> lines) throws IOException {
    JsonTree.forEach(
        file,
        line -> {
          if (!HEADER.equals(line.at(KIND).text())) {
            lines.accept(line);
          }
        });
  }
}
