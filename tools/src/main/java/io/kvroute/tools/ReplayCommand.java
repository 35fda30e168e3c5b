package io.kvroute.tools;

import io.kvroute.index.RadixIndex;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.OutputFormat;
import io.kvroute.tools.replay.Replay;
import io.kvroute.tools.replay.ReplayReport;
import io.kvroute.tools.replay.ReplaySettings;
import io.kvroute.tools.report.SimulationFields;
import io.kvroute.tools.report.SimulationText;
import io.kvroute.tools.sim.PolicyKind;
import io.kvroute.tools.sim.SimTrace;
import io.kvroute.tools.sim.Simulation;
import io.kvroute.tools.sim.SimulationResult;
import io.kvroute.tools.sim.SimulationSettings;
import io.kvroute.tools.trace.TraceSource;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kvroute replay}: a trace routed over simulated workers. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    versionProvider = Kvroute.Version.class,
    sortOptions = false,
    description = {
      "Simulates a cluster of SGLang workers behind a router, in virtual time: when requests arrive"
          + " by the trace's timestamps, where they are routed, how long they wait and are"
          + " computed, and what the caches are worth.",
      "",
      "A worker works in steps. In a step every running request decodes one token, and up to"
          + " --chunk-tokens of waiting prompts are computed, as far as they are not cached. A step"
          + " takes as long as its prefill (--prefill-rate) and its decoding (--decode-step,"
          + " --decode-request). A request whose next token finds no page is retracted and computed"
          + " again later. What a worker caches or evicts reaches the router after --event-delay."
          + " The first token comes at the end of the prefill; what is decoded is new to every other"
          + " prompt.",
      "",
      "Without --trace a built-in, seeded trace is used: conversations of several turns, tool loops"
          + " and one-shots over shared system prompts. Rows in any order of time are sorted, if"
          + " their form allows it. A later turn of a session (aiperf) waits for the one before.",
      ""
    },
    footer = {
      "",
      "JSON keys (one object; all but timing is the same in every run and on every machine):",
      "  trace, seed, workers, pool_tokens, page_size, speed, prefill_rate, decode_step_us,",
      "  decode_request_us, max_batch, chunk_tokens, event_delay_us, policy",
      "                           what was simulated",
      "  offered_load             all prompt tokens over what all workers could have computed while",
      "                           requests arrived; caches let a cluster live with more than 1",
      "  requests, refused        in the trace; of these, longer than a pool, without a prompt, or",
      "                           rejected by the router's queue",
      "  input_tokens, output_tokens",
      "                           tokens of prompts and of answers",
      "  hit_tokens, hit_ratio    of the prompts, found in the worker's cache",
      "  best_possible_tokens, best_possible_ratio",
      "                           the same for one infinite cache over all workers, whole pages",
      "  time_to_first_token_ms, end_to_end_ms, router_wait_ms, worker_wait_ms",
      "                           p50, p90, p99, max in virtual milliseconds: from arrival to the",
      "                           first and to the last token, to routing, from there to prefill",
      "  router_waited, router_most_waiting",
      "                           requests that waited in the router; the most at once",
      "  duration_ms, requests_per_s, output_tokens_per_s",
      "                           virtual time from first arrival to last token; throughput",
      "  imbalance                busy time of the busiest worker over the mean, 1 at best",
      "  retractions, recomputed_tokens",
      "                           requests that lost their place; tokens computed again for it",
      "  computed_tokens, steps   prompt tokens that were computed, steps of all workers",
      "  stored_events, stored_blocks, removed_events, removed_blocks",
      "                           what the workers announced",
      "  evictions, evicted_tokens",
      "                           how often and how much was evicted to make room",
      "  index_blocks, index_refusals, index_bytes",
      "                           blocks in the policy's index, what it could not apply, its memory",
      "  manager_bytes            off-heap memory of all workers",
      "  per_worker               list of: worker, requests, request_share, input_tokens,",
      "                           hit_tokens, hit_ratio, busy_ratio, retractions",
      "  timing                   real time: decisions_per_s, decision_p50_ns, decision_p99_ns,",
      "                           decision_p99_9_ns, decision_max_ns (hash, look up, choose, book),",
      "                           wall_ms",
      "",
      "--sequential: one request after the other in file order, without time. Each goes to the",
      "worker with the highest overlap, among equals to the one with the lowest load (sum of block",
      "counts routed so far), among equals to the one with the lowest id, which runs its prompt and",
      "announces it before the next one. Its own JSON keys: mispredictions (requests whose cached",
      "prefix was not what the index had said), in per_worker refused and blocks, in timing",
      "garbage_bytes and garbage_bytes_per_request (heap bytes allocated while routing, in all and",
      "after a warm-up of a quarter to a half of the requests).",
      "",
      "Examples:",
      "  kvroute replay --seed 7 --workers 16 --pool-tokens 262144",
      "  kvroute replay --trace conversation_trace.jsonl --policy least-loaded --format json",
      "",
      "Public traces: github.com/kvcache-ai/Mooncake, folder FAST25-release/traces."
    })
final class ReplayCommand implements Callable<Integer> {
  @Mixin private TraceOptions trace;

  @Mixin private CacheOptions cache;

  @Option(
      names = "--policy",
      paramLabel = "P",
      description =
          "kv (default), round-robin, random, least-loaded or approximate; 'kvroute compare --help'"
              + " explains them")
  private PolicyKind policy;

  @Mixin private SimulationOptions simulation;

  @Option(
      names = "--sequential",
      description = "route by overlap alone, one request after the other, without time; see below")
  private boolean sequential;

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description =
          "write the router's index, as it is at the end, as a snapshot; 'kvroute inspect' reads it")
  private String snapshot;

  @Option(
      names = "--format",
      paramLabel = "F",
      defaultValue = "text",
      description = "text (default) or json")
  private OutputFormat format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (snapshot != null) {
      Options.requireWritable(snapshot);
    }
    if (sequential) {
      replaySequentially();
    } else {
      simulate();
    }
    return ExitCode.OK;
  }

  // ------ in virtual time

  private void simulate() {
    final SimulationSettings settings = simulation.settings(cache, trace);
    final SimTrace requests = SimulationOptions.read(trace, settings.pageSize());
    final PolicyKind kind = policy == null ? PolicyKind.KV : policy;
    final SimulationResult result;
    try (Simulation run = new Simulation(settings, kind, requests);
        ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
      if (snapshot != null && run.index() == null) {
        throw new InputException(
            "--snapshot needs a policy with an index of events, such as kv: " + kind.label());
      }
      result = run.run(progress);
      writeSnapshot(run.index());
    }
    final PrintWriter out = spec.commandLine().getOut();
    if (format == OutputFormat.JSON) {
      out.print(SimulationFields.ofOne(trace.name(), result).toJson());
      out.print('\n');
    } else {
      out.print(SimulationText.ofOne(trace.name(), result));
    }
  }

  // ------ one after the other

  private void replaySequentially() {
    SimulationOptions.requireNone(spec.commandLine().getParseResult());
    if (policy != null) {
      throw new InputException("--policy is an option of the simulation, not of --sequential");
    }
    if (!trace.isBuiltIn() && trace.hasSeed()) {
      throw new InputException(
          "--seed is the seed of the built-in trace and cannot be used with --trace");
    }
    cache.check();
    trace.check();
    final ReplaySettings settings =
        new ReplaySettings(
            trace.name(),
            trace.isBuiltIn() ? trace.seed() : null,
            cache.workers(),
            cache.poolTokens(),
            cache.pageSize());
    try (TraceSource source = trace.open();
        Replay replay = new Replay(settings)) {
      try (ProgressLine progress = new ProgressLine(spec.commandLine().getErr())) {
        replay.run(source, progress);
      }
      writeSnapshot(replay.index());
      if (replay.requests() == 0) {
        throw new InputException(settings.traceName() + " holds no request");
      }
      print(new ReplayReport(replay));
    }
  }

  private void writeSnapshot(final RadixIndex index) {
    if (snapshot != null) {
      Options.writeSnapshot(snapshot, index);
    }
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
