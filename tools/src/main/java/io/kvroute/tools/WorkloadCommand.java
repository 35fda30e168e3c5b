package io.kvroute.tools;

import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.OutputFormat;
import io.kvroute.tools.workload.WorkloadRunner;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
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
    versionProvider = Kvroute.Version.class,
    description = {
      "Runs a reference workload: exactly defined work, its outputs and times.",
      "",
      "First the work runs for some seconds on structures that are thrown away, until the"
          + " just-in-time compiler has settled (--warm-up); then it is measured on fresh ones."
          + " Tokens, queries and events are made while the clock is stopped.",
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
      "Outputs are the same on every machine. Counts are whole numbers, folds and hashes are 16"
          + " hexadecimal digits. Their JSON keys:",
      "  W1       xxh3_L (hash of L bytes; L: 16, 64, 128, 256, 4096),",
      "           local_fold_B, chain_fold_B (blocks of B tokens; B: 16, 32, 64)",
      "  W2-W4d   requests or steps, sink, input_tokens, hit_tokens, refused (requests), nodes,",
      "           available, evictable, protected (tokens), stored_events, stored_blocks,",
      "           removed_events, removed_blocks, hit_fold, event_fold",
      "  W5       workers, blocks (asked for), stored_blocks, events, sequences,",
      "           hH_scores, hH_weighted_scores (hit depth H: 0, 16, 128, 512),",
      "           content_bytes, content_bytes_per_block (off-heap)",
      "  W6       fine, policy, workers, requests, hit_blocks, prompt_blocks, store_events,",
      "           stored_blocks, fold, index_blocks, content_bytes",
      "",
      "Times are nanoseconds per operation, in the object 'timing' of the last line: unit, rounds,"
          + " and for each operation min, median and max of the rounds. The operations:",
      "  W1       xxh3_L_throughput (independent calls), xxh3_L_latency (each call needs the last",
      "           one's result); per block: local_B, chain_B, local_and_chain_B (in one pass)",
      "  W2       allocate_and_finish, match",
      "  W3       request (with --requests only from 6000 on)",
      "  W3c      step",
      "  W4, W4d  request (mean of a round), request_p99 (99th percentile of a round)",
      "  W5       build_block, find_H, store16, remove16 (per event of 16 blocks)",
      "  W6       request (find and store), find, store",
      "",
      "Examples:",
      "  kvroute workload W3 --sink none",
      "  kvroute workload W4 --trace conversation_trace.jsonl --requests 100,1000 --format json",
      "  kvroute workload W5 --blocks 100000 --rounds 1 --warm-up 0 --snapshot index.snapshot"
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
      description = "measure this many rounds (default: W4 5; W4d, W5, W6 --fine 3; else 7)")
  private Integer rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "4",
      description =
          "seconds to run before anything is measured, 0 for none (default ${DEFAULT-VALUE})")
  private int warmUp;

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
          "W2, W3, W3c, W4, W4d: none (no events are made), count (they are made and counted) or"
              + " check (default: each is decoded into event_fold too, inside the clock)")
  private String sink;

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description = "W5: write the index that was built as a snapshot; 'kvroute inspect' reads it")
  private String snapshot;

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
    if (snapshot != null) {
      Options.requireWritable(snapshot);
    }
    final WorkloadRunner runner =
        new WorkloadRunner(name)
            .trace(trace)
            .workers(workers)
            .blocks(blocks)
            .points(requests)
            .rounds(rounds)
            .warmUp(warmUp)
            .policy(policy)
            .fine(fine)
            .sink(sink)
            .snapshot(snapshot)
            .expect(expect);
    final List<Fields> outputs = run(runner);
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

  private List<Fields> run(final WorkloadRunner runner) {
    try {
      return runner.run();
    } catch (final UncheckedIOException e) {
      throw snapshot == null ? e : Options.unwritable(snapshot, e.getCause());
    }
  }
}
