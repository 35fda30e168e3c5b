package io.kvroute.tools.sim;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * What a simulation found. All but the last three methods is the same in every run and on every
 * machine. Needs nothing of the simulation any more.
 */
public final class SimulationResult {
  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000L);

  private final SimulationSettings settings;
  private final SimTrace trace;
  private final PolicyKind kind;
  private final long refused;
  private final Distribution timeToFirstToken;
  private final Distribution endToEnd;
  private final Distribution workerWait;
  private final Distribution routerWait;
  private final long parked;
  private final int mostParked;
  private final long firstArrivalNs;
  private final long lastArrivalNs;
  private final long endNs;
  private final long answeredTokens;
  private final List<WorkerResult> workers = new ArrayList<>();
  private final Timeline loads;
  private final Timeline hits;
  private final long indexBlocks;
  private final long indexRefusals;
  private final long indexBytes;
  private final Histogram decisionNanos;
  private final long decidingNanos;
  private final long wallNanos;

  /**
   * What one worker did.
   *
   * @param worker its id
   * @param requests routed to it
   * @param inputTokens of prompts that it began
   * @param hitTokens of these, found in its cache
   * @param recomputedTokens computed again after retractions
   * @param computedTokens of prompts, computed in all
   * @param decodedTokens decoded after the first ones
   * @param retractions requests that lost their place
   * @param evictions how often something was evicted
   * @param evictedTokens how much
   * @param steps that it worked
   * @param busyNs virtual time in steps
   * @param storedEvents announced
   * @param storedBlocks announced
   * @param removedEvents announced
   * @param removedBlocks announced
   * @param managerBytes off-heap memory of its cache
   */
  public record WorkerResult(
      int worker,
      long requests,
      long inputTokens,
      long hitTokens,
      long recomputedTokens,
      long computedTokens,
      long decodedTokens,
      long retractions,
      long evictions,
      long evictedTokens,
      long steps,
      long busyNs,
      long storedEvents,
      long storedBlocks,
      long removedEvents,
      long removedBlocks,
      long managerBytes) {}

  SimulationResult(final Simulation simulation) {
    settings = simulation.settings();
    trace = simulation.trace();
    kind = simulation.kind();
    refused = simulation.refused();
    final List<SimRequest> requests = simulation.requests();
    timeToFirstToken = distribution(requests, request -> request.firstTokenNs - request.arrivalNs);
    endToEnd = distribution(requests, request -> request.endNs - request.arrivalNs);
    workerWait = distribution(requests, request -> request.admittedNs - request.routedNs);
    routerWait = distribution(requests, request -> request.routedNs - request.arrivalNs);
    parked = simulation.router().parked();
    mostParked = simulation.router().mostParked();
    long first = Long.MAX_VALUE;
    long last = 0;
    long answered = 0;
    for (final SimRequest request : requests) {
      first = Math.min(first, request.arrivalNs);
      last = Math.max(last, request.arrivalNs);
      answered += request.refused ? 0 : request.outputLength();
    }
    firstArrivalNs = requests.isEmpty() ? 0 : first;
    lastArrivalNs = last;
    endNs = simulation.nowNs();
    answeredTokens = answered;
    for (final SimWorker worker : simulation.workers()) {
      workers.add(result(worker));
    }
    loads = simulation.loads();
    hits = simulation.hits();
    indexBlocks = simulation.router().indexBlocks();
    indexRefusals = simulation.router().indexRefusals();
    indexBytes = simulation.router().indexBytes();
    decisionNanos = simulation.router().decisionNanos();
    decidingNanos = simulation.router().decidingNanos();
    wallNanos = simulation.wallNanos();
  }

  private static Distribution distribution(
      final List<SimRequest> requests, final ToLongFunction<SimRequest> duration) {
    final long[] values = new long[requests.size()];
    int count = 0;
    for (final SimRequest request : requests) {
      if (!request.refused) {
        values[count++] = duration.applyAsLong(request);
      }
    }
    return Distribution.of(values, count);
  }

  private static WorkerResult result(final SimWorker worker) {
    final WorkerFigures figures = worker.figures;
    return new WorkerResult(
        worker.id(),
        figures.requests,
        figures.inputTokens,
        figures.hitTokens,
        figures.recomputedTokens,
        figures.computedTokens,
        figures.decodedTokens,
        figures.retractions,
        figures.evictions,
        figures.evictedTokens,
        figures.steps,
        figures.busyNs,
        worker.manager().storedEvents(),
        worker.manager().storedBlocks(),
        worker.manager().removedEvents(),
        worker.manager().removedBlocks(),
        worker.manager().usedBytes());
  }

  /** The cluster. */
  public SimulationSettings settings() {
    return settings;
  }

  /** What was replayed. */
  public SimTrace trace() {
    return trace;
  }

  /** How requests were routed. */
  public PolicyKind kind() {
    return kind;
  }

  /** Requests that fit into no pool, or have no prompt. */
  public long refused() {
    return refused;
  }

  /** From arrival to the end of the prefill. */
  public Distribution timeToFirstToken() {
    return timeToFirstToken;
  }

  /** From arrival to the last token. */
  public Distribution endToEnd() {
    return endToEnd;
  }

  /** From routing to the first chunk of prefill. */
  public Distribution workerWait() {
    return workerWait;
  }

  /** From arrival to routing: 0 for requests that did not wait in the router. */
  public Distribution routerWait() {
    return routerWait;
  }

  /** Requests that waited in the router. */
  public long parked() {
    return parked;
  }

  /** The most requests that waited in the router at once. */
  public int mostParked() {
    return mostParked;
  }

  /** Virtual time from the first arrival to the last token. */
  public long durationNs() {
    return endNs - firstArrivalNs;
  }

  /** Virtual time from the first arrival to the last. */
  public long arrivalSpanNs() {
    return lastArrivalNs - firstArrivalNs;
  }

  /** Virtual time of the last token, counted from the start. */
  public long endNs() {
    return endNs;
  }

  /** Tokens of all answers that were given. */
  public long answeredTokens() {
    return answeredTokens;
  }

  /** The workers, in the order of their ids. */
  public List<WorkerResult> workers() {
    return workers;
  }

  /** A figure, summed over all workers. */
  public long sum(final ToLongFunction<WorkerResult> figure) {
    return workers.stream().mapToLong(figure).sum();
  }

  /** The highest of a figure over all workers. */
  public long max(final ToLongFunction<WorkerResult> figure) {
    return workers.stream().mapToLong(figure).max().orElse(0);
  }

  /**
   * Tokens that the cluster could have computed of prompts between the first arrival and the last;
   * at least one, to divide by.
   */
  public long prefillCapacity() {
    return BigInteger.valueOf(arrivalSpanNs())
        .multiply(BigInteger.valueOf(settings.prefillRate()))
        .multiply(BigInteger.valueOf(settings.workers()))
        .divide(NANOS_PER_SECOND)
        .max(BigInteger.ONE)
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValue();
  }

  /** Per worker and interval: requests that the worker had, times nanoseconds. */
  public Timeline loads() {
    return loads;
  }

  /** Per interval of admission: row 0 hit tokens, row 1 input tokens. */
  public Timeline hits() {
    return hits;
  }

  /** Distinct blocks that the policy knew at the end. */
  public long indexBlocks() {
    return indexBlocks;
  }

  /** Events or decisions that the policy's index could not take as they were. */
  public long indexRefusals() {
    return indexRefusals;
  }

  /** Off-heap bytes of the policy's index. */
  public long indexBytes() {
    return indexBytes;
  }

  /** Real time of the decisions, nanoseconds. */
  public Histogram decisionNanos() {
    return decisionNanos;
  }

  /** Real time of all decisions together, nanoseconds. */
  public long decidingNanos() {
    return decidingNanos;
  }

  /** Real time of the whole run, nanoseconds. */
  public long wallNanos() {
    return wallNanos;
  }
}
