package io.kvroute.tools;

import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.OutputFormat;
import io.kvroute.tools.workload.WorkloadRunner;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kvroute workload}: exactly defined work with known outputs, timed. */
@Command(
    name = "workload",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a reference workload: exactly defined work, its outputs and times.",
      "",
      "Outputs (counts, and folds as 16 hexadecimal digits) are the same on every machine. Times"
          + " are nanoseconds per operation, least, median and most of the rounds, in the object"
          + " 'timing'.",
      "",
      "  W1   hashing: XXH3-64 of buffers, local and chain hashes of prompts",
      "  W2   manager, cached prompts: allocate and finish",
      "  W3   manager, churn: shared prefixes, fresh tails, decoding, eviction",
      "  W3c  manager, eight leases at once: duplicates, shared locks, aborts",
      "  W4   manager, a trace in file order (--trace)",
      "  W4d  as W4, with every answer decoded",
      "  W5   index, synthetic: build, find at four depths, store and remove",
      "  W6   index, a trace in file order (--trace): find, choose a worker, store",
      ""
    },
    footer = {
      "",
      "Example: kvroute workload W4 --trace conversation_trace.jsonl --requests 100,1000 --sink"
          + " check --format json"
    })
final class WorkloadCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "W1, W2, W3, W3c, W4, W4d, W5 or W6")
  private String name;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "W4, W4d, W6: a Mooncake trace (JSONL, plain or gzip)")
  private String trace;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "W5, W6: number of workers (default 8)")
  private Integer workers;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "W5: store at least this many blocks (default 1000000)")
  private Long blocks;

  @Option(
      names = {"--requests", "--steps"},
      paramLabel = "N",
      split = ",",
      description =
          "W3, W3c, W4, W4d, W6: end after this many; with several, ascending and separated by"
              + " commas, a line of outputs after each")
  private List<Integer> requests;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "measure this often (default: the workload's own, 3 to 7)")
  private Integer rounds;

  @Option(
      names = "--policy",
      paramLabel = "P",
      description = "W6: overlap (default) or round-robin")
  private String policy;

  @Option(names = "--fine", description = "W6: blocks of 16 tokens instead of one per hash id")
  private boolean fine;

  @Option(
      names = "--sink",
      paramLabel = "S",
      description =
          "W2, W3, W3c, W4, W4d: none makes no events, count counts them, check (default) decodes"
              + " them all into event_fold")
  private String sink;

  @Option(
      names = "--format",
      paramLabel = "F",
      defaultValue = "text",
      description = "text (default) or json: one object a line")
  private OutputFormat format;

  @Option(
      names = "--expect",
      paramLabel = "FILE",
      description =
          "lines of JSON to compare with: of the lines about this run, every key present must be"
              + " equal; a difference ends with exit code 1")
  private String expect;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    final WorkloadRunner runner =
        new WorkloadRunner(name)
            .trace(trace)
            .workers(workers)
            .blocks(blocks)
            .points(requests)
            .rounds(rounds)
            .policy(policy)
            .fine(fine)
            .sink(sink)
            .expect(expect);
    final List<Fields> outputs = runner.run();
    final PrintWriter out = spec.commandLine().getOut();
    for (final Fields output : outputs) {
      out.print(format == OutputFormat.JSON ? output.toJson() + '\n' : output.toText());
    }
    out.flush();
    final String difference = runner.difference(outputs);
    if (difference == null) {
      return ExitCode.OK;
    }
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + difference);
    return ExitCode.DIFFERENCE;
  }
}
