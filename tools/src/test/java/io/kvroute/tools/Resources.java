package io.kvroute.tools;

import java.net.URISyntaxException;
import java.nio.file.Path;

/** Files among the test resources. */
final class Resources {

  private Resources() {}

  /** Path of the expected outputs of a workload. */
  static String expected(final String workload) {
    try {
      return Path.of(Resources.class.getResource("/expect/" + workload + ".jsonl").toURI())
          .toString();
    } catch (final URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
