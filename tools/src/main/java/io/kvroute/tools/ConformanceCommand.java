package io.kvroute.tools;

import io.kvroute.tools.conformance.BlockHashConformance;
import io.kvroute.tools.conformance.CostConformance;
import io.kvroute.tools.conformance.GoldenChecker;
import io.kvroute.tools.conformance.GoldenResult;
import io.kvroute.tools.conformance.LoadConformance;
import io.kvroute.tools.conformance.PrefillConformance;
import io.kvroute.tools.conformance.ProtocolConformance;
import io.kvroute.tools.conformance.QueueConformance;
import io.kvroute.tools.conformance.TtlConformance;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.InputFiles;
import io.kvroute.tools.io.JsonInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvroute conformance}: this build against golden data. */
@Command(
    name = "conformance",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    description = {
      "Checks this build against golden data made by running the reference.",
      "",
      "The kind of each file, plain or gzip, is recognised by its content:",
      "  block-hash-vectors   an object with 'xxh3' and 'sequences'; checked by this build and by",
      "                       Zero-Allocation-Hashing, the reference implementation of the hash",
      "  protocol-json        an object with 'write', 'write_fails', 'read' and 'functions': the",
      "                       JSON and the functions of the vocabulary",
      "  cost, load, prefill, queue, ttl",
      "                       JSON lines that begin with a header whose 'file' names the kind:",
      "                       selection and its cost, active sequences, the decay of prefill, the",
      "                       router's queue, the approximate index",
      "",
      "Prints a line per file: how many cases agree, how many differ because this project has"
          + " decided so (the decisions are named), and how many disagree. The first disagreement"
          + " is named, and the exit code is then 1.",
      ""
    },
    footer = {"", "Example: kvroute conformance block-hash-vectors.json protocol-json.json"})
final class ConformanceCommand implements Callable<Integer> {
  private static final List<GoldenChecker> CHECKERS =
      List.of(
          new BlockHashConformance(),
          new ProtocolConformance(),
          new TtlConformance(),
          new QueueConformance(),
          new CostConformance(),
          new LoadConformance(),
          new PrefillConformance());

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "golden data, JSON")
  private List<String> files;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    final StringBuilder lines = new StringBuilder();
    String disagreement = null;
    for (final String file : files) {
      final GoldenResult result = check(file);
      append(file, result, lines);
      if (disagreement == null && result.disagree() > 0) {
        disagreement = file + ": first disagreement: " + result.firstDisagreement();
      }
    }
    spec.commandLine().getOut().print(lines);
    if (disagreement == null) {
      return ExitCode.OK;
    }
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + disagreement);
    return ExitCode.DIFFERENCE;
  }

  private static GoldenResult check(final String file) {
    requireJson(file);
    try {
      for (final GoldenChecker checker : CHECKERS) {
        if (checker.recognises(Path.of(file))) {
          return checker.check(Path.of(file));
        }
      }
    } catch (final IOException e) {
      throw InputFiles.unreadable(file, e);
    }
    throw new InputException(file + " is not golden data of a kind that this build knows");
  }

  /** Fails with the line if the file is not JSON: one value, or lines of them. */
  private static void requireJson(final String file) {
    try (JsonInput json = JsonInput.of(file, InputFiles.open(file))) {
      while (json.next() != null) {
        json.skipValue();
      }
    }
  }

  private static void append(
      final String file, final GoldenResult result, final StringBuilder lines) {
    final StringJoiner decisions = new StringJoiner(", ", " (", ")").setEmptyValue("");
    result.byDecision().forEach((name, count) -> decisions.add(name + ": " + count));
    lines.append(file).append(": ").append(result.kind());
    lines.append(": ").append(result.agree()).append(" agree, ");
    lines.append(result.decided()).append(" differ by decision").append(decisions);
    lines.append(", ").append(result.disagree()).append(" disagree\n");
  }
}
