package io.kvroute.tools.report;

import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.io.Fields;
import io.kvroute.tools.sim.Distribution;
import io.kvroute.tools.sim.SimulationResult;
import io.kvroute.tools.sim.SimulationResult.WorkerResult;
import io.kvroute.tools.sim.SimulationSettings;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Simulations as JSON. What differs from run to run is in {@code timing}, at the end. */
public final class SimulationFields {
  private static final int RATIO_DIGITS = 6;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private SimulationFields() {}

  /** One simulation: the cluster, the figures, {@code per_worker}, {@code timing}. */
  public static Fields ofOne(final String traceName, final SimulationResult result) {
    final Fields fields = cluster(traceName, result);
    fields.put("policy", result.kind().label());
    addFigures(fields, result);
    return fields.put("per_worker", perWorker(result)).put("timing", timing(result));
  }

  /** Several policies on one trace: the cluster, {@code policies}, {@code timing}. */
  public static Fields ofSeveral(final String traceName, final List<SimulationResult> results) {
    final Fields fields = cluster(traceName, results.get(0));
    final List<Fields> policies = new ArrayList<>();
    final Fields timing = new Fields();
    for (final SimulationResult result : results) {
      final Fields policy = new Fields().put("policy", result.kind().label());
      addFigures(policy, result);
      policies.add(policy.put("per_worker", perWorker(result)));
      timing.put(result.kind().label(), timing(result));
    }
    return fields.put("policies", policies).put("timing", timing);
  }

  private static Fields cluster(final String traceName, final SimulationResult result) {
    final SimulationSettings settings = result.settings();
    final Fields fields = new Fields().put("trace", traceName).put("seed", settings.seed());
    fields.put("workers", settings.workers()).put("pool_tokens", settings.poolTokens());
    fields.put("page_size", settings.pageSize());
    fields.putDecimal("speed", settings.speed().toPlainString());
    fields.put("prefill_rate", settings.prefillRate());
    fields.put("decode_step_us", settings.decodeStepNs() / NANOS_PER_MICRO);
    fields.put("decode_request_us", settings.decodeRequestNs() / NANOS_PER_MICRO);
    fields.put("max_batch", settings.maxBatch()).put("chunk_tokens", settings.chunkTokens());
    fields.put("event_delay_us", settings.eventDelayNs() / NANOS_PER_MICRO);
    fields.putDecimal(
        "offered_load",
        Decimals.ratio(result.trace().inputTokens(), result.prefillCapacity(), RATIO_DIGITS));
    return fields;
  }

  private static void addFigures(final Fields fields, final SimulationResult result) {
    final long inputTokens = result.sum(WorkerResult::inputTokens);
    final long hitTokens = result.sum(WorkerResult::hitTokens);
    fields.put("requests", result.trace().size()).put("refused", result.refused());
    fields.put("input_tokens", inputTokens).put("hit_tokens", hitTokens);
    fields.putDecimal("hit_ratio", Decimals.ratio(hitTokens, inputTokens, RATIO_DIGITS));
    fields.put("best_possible_tokens", result.trace().bestPossibleTokens());
    fields.putDecimal(
        "best_possible_ratio",
        Decimals.ratio(
            result.trace().bestPossibleTokens(), result.trace().inputTokens(), RATIO_DIGITS));
    fields.put("output_tokens", result.answeredTokens());
    fields.put("time_to_first_token_ms", percentiles(result.timeToFirstToken()));
    fields.put("end_to_end_ms", percentiles(result.endToEnd()));
    fields.put("router_wait_ms", percentiles(result.routerWait()));
    fields.put("router_waited", result.parked()).put("router_most_waiting", result.mostParked());
    fields.put("worker_wait_ms", percentiles(result.workerWait()));
    fields.putDecimal("duration_ms", millis(result.durationNs()));
    fields.putDecimal("requests_per_s", perSecond(result.endToEnd().count(), result, 3));
    fields.putDecimal("output_tokens_per_s", perSecond(result.answeredTokens(), result, 3));
    fields.putDecimal("imbalance", Decimals.ratio(mostBusyTimesWorkers(result), busy(result), 4));
    fields.put("retractions", result.sum(WorkerResult::retractions));
    fields.put("recomputed_tokens", result.sum(WorkerResult::recomputedTokens));
    fields.put("computed_tokens", result.sum(WorkerResult::computedTokens));
    fields.put("steps", result.sum(WorkerResult::steps));
    fields.put("stored_events", result.sum(WorkerResult::storedEvents));
    fields.put("stored_blocks", result.sum(WorkerResult::storedBlocks));
    fields.put("removed_events", result.sum(WorkerResult::removedEvents));
    fields.put("removed_blocks", result.sum(WorkerResult::removedBlocks));
    fields.put("evictions", result.sum(WorkerResult::evictions));
    fields.put("evicted_tokens", result.sum(WorkerResult::evictedTokens));
    fields.put("index_blocks", result.indexBlocks());
    fields.put("index_refusals", result.indexRefusals());
    fields.put("index_bytes", result.indexBytes());
    fields.put("manager_bytes", result.sum(WorkerResult::managerBytes));
  }

  private static List<Fields> perWorker(final SimulationResult result) {
    final List<Fields> lines = new ArrayList<>();
    for (final WorkerResult worker : result.workers()) {
      final Fields line = new Fields().put("worker", worker.worker());
      line.put("requests", worker.requests());
      line.putDecimal(
          "request_share",
          Decimals.ratio(worker.requests(), result.sum(WorkerResult::requests), RATIO_DIGITS));
      line.put("input_tokens", worker.inputTokens()).put("hit_tokens", worker.hitTokens());
      line.putDecimal(
          "hit_ratio", Decimals.ratio(worker.hitTokens(), worker.inputTokens(), RATIO_DIGITS));
      line.putDecimal(
          "busy_ratio", Decimals.ratio(worker.busyNs(), result.durationNs(), RATIO_DIGITS));
      lines.add(line.put("retractions", worker.retractions()));
    }
    return lines;
  }

  private static Fields timing(final SimulationResult result) {
    final Histogram decisions = result.decisionNanos();
    final Fields timing = new Fields();
    timing.putDecimal("decisions_per_s", decisionsPerSecond(result));
    timing.put("decision_p50_ns", decisions.getValueAtPercentile(50));
    timing.put("decision_p99_ns", decisions.getValueAtPercentile(99));
    timing.put("decision_p99_9_ns", decisions.getValueAtPercentile(99.9));
    timing.put("decision_max_ns", decisions.getMaxValue());
    return timing.put("wall_ms", result.wallNanos() / NANOS_PER_MILLI);
  }

  private static Fields percentiles(final Distribution distribution) {
    final Fields fields = new Fields();
    fields.putDecimal("p50", millis(distribution.perMille(500)));
    fields.putDecimal("p90", millis(distribution.perMille(900)));
    fields.putDecimal("p99", millis(distribution.perMille(990)));
    return fields.putDecimal("max", millis(distribution.max()));
  }

  static String decisionsPerSecond(final SimulationResult result) {
    return perSecond(result.decisionNanos().getTotalCount(), result.decidingNanos(), 0);
  }

  /** Per second of virtual time. */
  static String perSecond(final long count, final SimulationResult result, final int digits) {
    return perSecond(count, result.durationNs(), digits);
  }

  /** Per second of {@code nanos}, in whole thousandths of it, so that the product has room. */
  private static String perSecond(final long count, final long nanos, final int digits) {
    return nanos < NANOS_PER_MICRO
        ? Decimals.ratio(0, 1, digits)
        : Decimals.ratio(Math.multiplyExact(count, 1_000_000L), nanos / NANOS_PER_MICRO, digits);
  }

  /**
   * The busiest worker's time, as often as there are workers: over {@link #busy} it is 1 at best.
   */
  static long mostBusyTimesWorkers(final SimulationResult result) {
    return Math.multiplyExact(
        result.max(WorkerResult::busyNs) / NANOS_PER_MICRO, result.workers().size());
  }

  static long busy(final SimulationResult result) {
    return result.sum(WorkerResult::busyNs) / NANOS_PER_MICRO;
  }

  static String millis(final long nanos) {
    return Decimals.ratio(nanos, NANOS_PER_MILLI, 3);
  }
}
