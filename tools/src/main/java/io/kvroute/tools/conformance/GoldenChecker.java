package io.kvroute.tools.conformance;

import java.io.IOException;
import java.nio.file.Path;

/** Checks this build against one kind of golden file. Thread-safe. */
public interface GoldenChecker {
  /**
   * Tells whether a file is of this kind. A file that is not JSON is of no kind.
   *
   * @throws io.kvroute.tools.io.InputException if the file cannot be opened
   * @throws IOException if it cannot be read to its end
   */
  boolean recognises(Path file) throws IOException;

  /**
   * Checks every case of a file that was recognised.
   *
   * @throws IOException if the file cannot be read, or a case in it is not one; the message says
   *     which
   */
  GoldenResult check(Path file) throws IOException;
}
