package io.kvroute.tools;

import io.kvroute.tools.generate.GeneratedTrace;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.OutputFormat;
import io.kvroute.tools.replay.Replay;
import io.kvroute.tools.replay.ReplayReport;
import io.kvroute.tools.replay.ReplaySettings;
import io.kvroute.tools.trace.LimitedTrace;
import io.kvroute.tools.trace.MooncakeReader;
import io.kvroute.tools.trace.TraceFormat;
import io.kvroute.tools.trace.TraceSource;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kvroute replay}: a trace routed over simulated workers by prefix overlap. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    sortOptions = false,
    description = {
      "Routes a trace of requests over simulated SGLang workers by prefix overlap.",
      "",
      "Each request goes to the worker with the highest overlap, among equals to the one with the"
          + " lowest load (sum of block counts routed so far), among equals to the one with the"
          + " lowest id. Each worker is an SGLang KV manager that runs the prompt only; its event"
          + " bytes feed the index. Without --trace a built-in, seeded trace is used: conversations"
          + " of several turns, tool loops and one-shots over shared system prompts.",
      ""
    },
    footer = {
      "",
      "JSON keys (one object; all but timing is the same in every run and on every machine):",
      "  trace, seed, workers, pool_tokens, page_size",
      "                           what was replayed (seed: built-in trace only)",
      "  requests, refused        requests routed; of these, found no room on their worker",
      "  input_tokens             prompt tokens",
      "  hit_tokens, hit_ratio    of these, found in the worker's cache",
      "  best_possible_tokens, best_possible_ratio",
      "                           the same for one infinite cache over all workers, whole pages",
      "  mispredictions           requests whose cached prefix was not what the index had said",
      "  stored_events, stored_blocks, removed_events, removed_blocks",
      "                           what the workers announced",
      "  evictions, evicted_tokens",
      "                           how often and how much was evicted to make room",
      "  index_blocks             distinct blocks in the index at the end",
      "  index_refusals           events that the index could not apply as they were",
      "  index_bytes, manager_bytes",
      "                           off-heap memory of the index, of all workers",
      "  per_worker               list of: worker, requests, refused, request_share, blocks,",
      "                           input_tokens, hit_tokens, hit_ratio",
      "  timing                   decision_p50_ns, decision_p99_ns, decision_p99_9_ns,",
      "                           decision_max_ns (hash, look up, choose; nanoseconds),",
      "                           garbage_bytes (heap bytes allocated while routing),",
      "                           garbage_bytes_per_request (of the requests after a warm-up of a",
      "                           quarter to a half of them), wall_ms",
      "",
      "Examples:",
      "  kvroute replay --seed 7 --workers 16 --pool-tokens 262144",
      "  kvroute replay --trace conversation_trace.jsonl --limit 1000 --format json",
      "",
      "Public traces: github.com/kvcache-ai/Mooncake, folder FAST25-release/traces."
    })
final class ReplayCommand implements Callable<Integer> {
  private static final int MAX_WORKERS = 65_536;
  private static final long MAX_U32 = 0xFFFF_FFFFL;
  private static final long BUILT_IN_REQUESTS = 12_000;
  private static final long BUILT_IN_SEED = 42;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "a trace (JSONL, plain or gzip; see --trace-format) instead of the built-in one")
  private String trace;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "8",
      description = "number of workers (default ${DEFAULT-VALUE})")
  private int workers;

  @Option(
      names = "--pool-tokens",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "tokens that fit into each worker's cache (default ${DEFAULT-VALUE})")
  private long poolTokens;

  @Option(
      names = "--page-size",
      paramLabel = "N",
      defaultValue = "16",
      description = "tokens per page of the cache and per block (default ${DEFAULT-VALUE})")
  private long pageSize;

  @Option(
      names = "--trace-block-size",
      paramLabel = "N",
      defaultValue = "512",
      description = "tokens that a hash id of the trace stands for (default ${DEFAULT-VALUE})")
  private long traceBlockSize;

  @Option(
      names = "--trace-format",
      paramLabel = "F",
      defaultValue = "auto",
      description =
          "form of FILE: mooncake, bailian (16 tokens per hash id whatever --trace-block-size says,"
              + " seconds), aiperf (sessions with delays) or auto: told from the first line"
              + " (default ${DEFAULT-VALUE}); rows are routed in file order")
  private TraceFormat traceFormat;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "end after this many requests (default: all of FILE, 12000 of the built-in)")
  private Long limit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of the built-in trace, not to be used with --trace (default 42)")
  private Long seed;

  @Option(
      names = "--format",
      paramLabel = "F",
      defaultValue = "text",
      description = "text (default) or json")
  private OutputFormat format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    checkOptions();
    final ReplaySettings settings =
        new ReplaySettings(
            trace == null ? "built-in trace" : trace,
            trace == null ? seedOrStandard() : null,
            workers,
            poolTokens,
            pageSize);
    try (TraceSource source = open();
        Replay replay = new Replay(settings)) {
      try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
        replay.run(source, progress);
      }
      if (replay.requests() == 0) {
        throw new InputException(settings.traceName() + " holds no request");
      }
      print(new ReplayReport(replay));
    }
    return ExitCode.OK;
  }

  private void checkOptions() {
    if (trace != null && seed != null) {
      throw new InputException(
          "--seed is the seed of the built-in trace and cannot be used with --trace");
    }
    require(
        "--workers", "from 1 to " + MAX_WORKERS, workers >= 1 && workers <= MAX_WORKERS, workers);
    require("--page-size", "from 1 to " + MAX_U32, pageSize >= 1 && pageSize <= MAX_U32, pageSize);
    require(
        "--trace-block-size",
        "from 1 to " + MAX_U32,
        traceBlockSize >= 1 && traceBlockSize <= MAX_U32,
        traceBlockSize);
    require("--limit", "at least 1", limit == null || limit >= 1, limit);
    if (poolTokens < pageSize) {
      throw new InputException(
          "--pool-tokens must hold at least one page: pool-tokens="
              + poolTokens
              + " page-size="
              + pageSize);
    }
    final long blocks = poolTokens / pageSize;
    if (blocks > Integer.MAX_VALUE / workers) {
      throw new InputException(
          "the pools of all workers must not hold more than 2^31-1 pages: pages="
              + blocks
              + " workers="
              + workers);
    }
  }

  private static void require(
      final String option, final String range, final boolean isInRange, final Object value) {
    if (!isInRange) {
      throw new InputException(option + " must be " + range + ": " + value);
    }
  }

  private long seedOrStandard() {
    return seed == null ? BUILT_IN_SEED : seed;
  }

  private TraceSource open() {
    if (trace == null) {
      return new GeneratedTrace(
          seedOrStandard(), limit == null ? BUILT_IN_REQUESTS : limit, traceBlockSize);
    }
    final MooncakeReader reader = MooncakeReader.open(trace, traceBlockSize, traceFormat);
    return limit == null ? reader : new LimitedTrace(reader, limit);
  }

  private void print(final ReplayReport report) {
    final PrintWriter out = spec.commandLine().getOut();
    if (format == OutputFormat.JSON) {
      out.print(report.toFields().toJson());
      out.print('\n');
    } else {
      out.print(report.toText());
    }
  }
}
