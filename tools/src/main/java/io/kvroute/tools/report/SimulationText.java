package io.kvroute.tools.report;

import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.sim.Distribution;
import io.kvroute.tools.sim.SimulationResult;
import io.kvroute.tools.sim.SimulationResult.WorkerResult;
import io.kvroute.tools.sim.SimulationSettings;
import java.util.List;

/** Simulations as text for people; at most 100 columns. */
public final class SimulationText {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private SimulationText() {}

  /** One simulation. */
  public static String ofOne(final String traceName, final SimulationResult result) {
    final StringBuilder text = new StringBuilder("Simulated ");
    text.append(traceName).append(", policy ").append(result.kind().label()).append("\non ");
    appendCluster(text, result);
    text.append('\n');
    appendTraffic(text, result);
    text.append("\nseconds                       p50         p90         p99         max\n");
    times(text, "time to first token", result.timeToFirstToken());
    times(text, "end to end", result.endToEnd());
    times(text, "wait in the router", result.routerWait());
    times(text, "wait on the worker", result.workerWait());
    appendWorkers(text, result);
    appendTiming(text, result);
    return text.toString();
  }

  /** Several policies on one trace, a row each. */
  public static String ofSeveral(final String traceName, final List<SimulationResult> results) {
    final SimulationResult first = results.get(0);
    final StringBuilder text = new StringBuilder("Simulated ").append(traceName).append("\non ");
    appendCluster(text, first);
    text.append("offered load ").append(offeredLoad(first)).append(" of the prefill capacity, ");
    text.append(Decimals.percent(bestPossible(first), first.trace().inputTokens()));
    text.append(" of the input cached at best\n\n");
    text.append("                hit ratio   time to first token (s)      end to end (s)");
    text.append("   imba-  retrac-\npolicy             ");
    text.append("            p50     p90     p99     p50     p99   lance    tions\n");
    for (final SimulationResult result : results) {
      text.append(padded(result.kind().label(), 16));
      text.append(aligned(Decimals.percent(hitTokens(result), inputTokens(result)), 9));
      text.append(aligned(seconds(result.timeToFirstToken().perMille(500)), 8));
      text.append(aligned(seconds(result.timeToFirstToken().perMille(900)), 8));
      text.append(aligned(seconds(result.timeToFirstToken().perMille(990)), 8));
      text.append(aligned(seconds(result.endToEnd().perMille(500)), 8));
      text.append(aligned(seconds(result.endToEnd().perMille(990)), 8));
      text.append(aligned(imbalance(result), 8));
      text.append(aligned(Decimals.grouped(result.sum(WorkerResult::retractions)), 9));
      text.append('\n');
    }
    text.append("\nreal time       decisions per second   p50 us   p99 us\n");
    for (final SimulationResult result : results) {
      text.append(padded(result.kind().label(), 16));
      text.append(aligned(decisionsPerSecond(result), 20));
      text.append(aligned(micros(result.decisionNanos().getValueAtPercentile(50)), 9));
      text.append(aligned(micros(result.decisionNanos().getValueAtPercentile(99)), 9));
      text.append('\n');
    }
    return text.toString();
  }

  private static void appendCluster(final StringBuilder text, final SimulationResult result) {
    final SimulationSettings settings = result.settings();
    text.append(Decimals.grouped(settings.workers())).append(" workers of ");
    text.append(Decimals.grouped(settings.poolTokens())).append(" tokens in pages of ");
    text.append(Decimals.grouped(settings.pageSize())).append(", prefill ");
    text.append(Decimals.grouped(settings.prefillRate())).append(" tokens/s\n");
  }

  private static void appendTraffic(final StringBuilder text, final SimulationResult result) {
    final long input = inputTokens(result);
    final long refused = result.refused();
    line(
        text,
        "requests",
        Decimals.grouped(result.trace().size()),
        refused == 0
            ? "none refused"
            : Decimals.grouped(refused) + " refused: too long, or the queue was full");
    line(
        text,
        "input tokens",
        Decimals.grouped(input),
        "offered load " + offeredLoad(result) + " of the prefill capacity");
    final long hits = hitTokens(result);
    line(
        text,
        "hit tokens",
        Decimals.grouped(hits),
        Decimals.percent(hits, input) + " of the input");
    line(
        text,
        "best possible",
        Decimals.grouped(bestPossible(result)),
        Decimals.percent(bestPossible(result), result.trace().inputTokens())
            + " (one infinite cache over all workers)");
    line(
        text,
        "output tokens",
        Decimals.grouped(result.answeredTokens()),
        SimulationFields.perSecond(result.answeredTokens(), result, 1) + " per second");
    line(
        text,
        "virtual time",
        Decimals.ratio(result.durationNs(), NANOS_PER_SECOND, 1) + " s",
        SimulationFields.perSecond(result.endToEnd().count(), result, 3) + " requests per second");
    line(
        text,
        "router queue",
        Decimals.grouped(result.parked()),
        "waited, at most " + Decimals.grouped(result.mostParked()) + " at once");
    line(
        text,
        "retractions",
        Decimals.grouped(result.sum(WorkerResult::retractions)),
        Decimals.grouped(result.sum(WorkerResult::recomputedTokens)) + " tokens computed again");
    line(text, "imbalance", imbalance(result), "busiest worker's busy time over the mean");
  }

  private static void line(
      final StringBuilder text, final String name, final String figure, final String rest) {
    text.append(padded(name, 16)).append(aligned(figure, 15)).append("   ").append(rest);
    text.append('\n');
  }

  private static void times(
      final StringBuilder text, final String name, final Distribution distribution) {
    text.append(padded(name, 21));
    for (final int perMille : new int[] {500, 900, 990, 1000}) {
      text.append(aligned(seconds(distribution.perMille(perMille)), 12));
    }
    text.append('\n');
  }

  private static void appendWorkers(final StringBuilder text, final SimulationResult result) {
    text.append(
        "\nworker   requests      share      hit tokens   hit ratio       busy  retracted\n");
    for (final WorkerResult worker : result.workers()) {
      text.append(aligned(Integer.toString(worker.worker()), 6));
      text.append(aligned(Decimals.grouped(worker.requests()), 11));
      text.append(
          aligned(Decimals.percent(worker.requests(), result.sum(WorkerResult::requests)), 11));
      text.append(aligned(Decimals.grouped(worker.hitTokens()), 16));
      text.append(aligned(Decimals.percent(worker.hitTokens(), worker.inputTokens()), 12));
      text.append(aligned(Decimals.percent(worker.busyNs(), result.durationNs()), 11));
      text.append(aligned(Decimals.grouped(worker.retractions()), 11));
      text.append('\n');
    }
  }

  private static void appendTiming(final StringBuilder text, final SimulationResult result) {
    text.append("\nreal time: ").append(decisionsPerSecond(result)).append(" decisions per second");
    text.append(", p50 ").append(micros(result.decisionNanos().getValueAtPercentile(50)));
    text.append(" us, p99 ").append(micros(result.decisionNanos().getValueAtPercentile(99)));
    text.append(" us; all of it ");
    text.append(Decimals.ratio(result.wallNanos(), NANOS_PER_SECOND, 2)).append(" s\n");
  }

  private static String decisionsPerSecond(final SimulationResult result) {
    return Decimals.grouped(Long.parseLong(SimulationFields.decisionsPerSecond(result)));
  }

  private static long inputTokens(final SimulationResult result) {
    return result.sum(WorkerResult::inputTokens);
  }

  private static long hitTokens(final SimulationResult result) {
    return result.sum(WorkerResult::hitTokens);
  }

  private static long bestPossible(final SimulationResult result) {
    return result.trace().bestPossibleTokens();
  }

  static String offeredLoad(final SimulationResult result) {
    return Decimals.percent(result.trace().inputTokens(), result.prefillCapacity());
  }

  static String imbalance(final SimulationResult result) {
    return Decimals.ratio(
        SimulationFields.mostBusyTimesWorkers(result), SimulationFields.busy(result), 2);
  }

  static String seconds(final long nanos) {
    return Decimals.ratio(nanos, NANOS_PER_SECOND, 3);
  }

  private static String micros(final long nanos) {
    return Decimals.ratio(nanos, 1_000, 1);
  }

  private static String padded(final String text, final int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  private static String aligned(final String text, final int width) {
    return " ".repeat(Math.max(1, width - text.length())) + text;
  }
}
