package io.kvroute.tools.io;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Data beside the repository; a test that needs what is not there is skipped. */
public final class SharedFiles {

  private SharedFiles() {}

  /** The conversation trace of Mooncake's FAST'25 release. */
  public static String conversationTrace() {
    return require("traces/conversation_trace.jsonl");
  }

  /** A file of {@code ../shared}, seen from the root of the repository. */
  public static String require(final String name) {
    Path directory = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    while (directory != null && !Files.isDirectory(directory.resolve(".mvn"))) {
      directory = directory.getParent();
    }
    assumeTrue(directory != null, "the root of the repository was not found");
    final Path file = directory.resolveSibling("shared").resolve(name);
    assumeTrue(Files.isReadable(file), "not present: ../shared/" + name);
    return file.toString();
  }
}
