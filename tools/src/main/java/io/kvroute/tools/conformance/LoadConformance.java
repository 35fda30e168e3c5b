package io.kvroute.tools.conformance;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks active sequences against {@code golden-load.jsonl}. A case is an operation with its
 * result, what it published, and what is to be seen of every rank after it.
 */
public final class LoadConformance implements GoldenChecker {
  static final String UNKNOWN_FREE = "freeing an unknown request is answered as that";
  static final String REPEATED = "a prompt that repeats a chain hash has as many blocks as hashes";

  private static final String KIND = "load";

  /** Makes a checker. */
  public LoadConformance() {}

  @Override
  public boolean recognises(final Path file) throws IOException {
    return GoldenLines.areOf(KIND, file);
  }

  @Override
  public GoldenResult check(final Path file) throws IOException {
    final Tally tally = new Tally();
    GoldenLines.forEach(
        file,
        line -> {
          try (LoadReplay replay = new LoadReplay(line, tally)) {
            replay.run();
          }
        });
    return tally.result(KIND);
  }
}
