package io.kvroute.tools;

import io.kvroute.tools.generate.GeneratedTrace;
import io.kvroute.tools.trace.LimitedTrace;
import io.kvroute.tools.trace.MooncakeReader;
import io.kvroute.tools.trace.TraceFormat;
import io.kvroute.tools.trace.TraceSource;
import picocli.CommandLine.Option;

/** Which requests there are. */
final class TraceOptions {
  private static final long MAX_U32 = 0xFFFF_FFFFL;
  private static final long BUILT_IN_REQUESTS = 12_000;

  /** The seed where none is given. */
  static final long STANDARD_SEED = 42;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "a trace (JSONL, plain or gzip; see --trace-format) instead of the built-in one")
  private String trace;

  @Option(
      names = "--trace-format",
      paramLabel = "F",
      defaultValue = "auto",
      description =
          "form of FILE: mooncake, bailian (16 tokens per hash id whatever --trace-block-size says,"
              + " seconds), aiperf (sessions with delays) or auto: told from the first line"
              + " (default ${DEFAULT-VALUE})")
  private TraceFormat traceFormat;

  @Option(
      names = "--trace-block-size",
      paramLabel = "N",
      defaultValue = "512",
      description = "tokens that a hash id of the trace stands for (default ${DEFAULT-VALUE})")
  private long traceBlockSize;

  @Option(
      names = "--any-order",
      description =
          "take a mooncake trace whose timestamps go backwards, too; the other forms may always be"
              + " in any order. A simulation sorts the rows")
  private boolean anyOrder;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "end after this many requests (default: all of FILE, 12000 of the built-in)")
  private Long limit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "seed of the built-in trace and of all that is left to chance (default 42)")
  private Long seed;

  /** Fails if a value is out of range. */
  void check() {
    Options.require(
        "--trace-block-size",
        "from 1 to " + MAX_U32,
        traceBlockSize >= 1 && traceBlockSize <= MAX_U32,
        traceBlockSize);
    Options.require("--limit", "at least 1", limit == null || limit >= 1, limit);
  }

  boolean isBuiltIn() {
    return trace == null;
  }

  boolean hasSeed() {
    return seed != null;
  }

  long seed() {
    return seed == null ? STANDARD_SEED : seed;
  }

  /** How reports name the trace. */
  String name() {
    return trace == null ? "built-in trace" : trace;
  }

  TraceSource open() {
    if (trace == null) {
      return new GeneratedTrace(seed(), limit == null ? BUILT_IN_REQUESTS : limit, traceBlockSize);
    }
    final MooncakeReader reader = MooncakeReader.open(trace, traceBlockSize, traceFormat);
    if (anyOrder) {
      reader.inAnyOrder();
    }
    return limit == null ? reader : new LimitedTrace(reader, limit);
  }
}
