package io.kvroute.tools.conformance;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Checks the queue against {@code golden-queue.jsonl}: when a rank is busy, policies in YAML, the
 * order in which parked requests come out, and the scheduler with a router around it that is just
 * good enough. A case is a row, a policy or an operation with what is to be seen after it.
 */
public final class QueueConformance implements GoldenChecker {
  static final String CAPPED = "cached tokens are capped at the prompt's length";

  private static final String KIND = "queue";

  /** Makes a checker. */
  public QueueConformance() {}

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
          switch (line.at("kind").text()) {
            case "busy" -> QueuePolicyCases.checkBusy(line, tally);
            case "policy_config" -> QueuePolicyCases.checkConfig(line, tally);
            case "policy_queue" -> new PolicyQueueReplay(line, tally).run();
            case "scheduler" -> new SchedulerReplay(line, tally).run();
            default -> throw new IllegalArgumentException("kind is not known: " + line.at("kind"));
          }
        });
    return tally.result(KIND);
  }
}
