package io.kvroute.tools.sim;

import io.kvroute.index.RadixIndex;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongConsumer;

/**
 * A trace replayed on a cluster in virtual time: a discrete-event simulation. Things happen when a
 * request arrives and when a worker ends a step; of those at one instant, first all steps end,
 * lowest worker first, then requests arrive in their order, then idle workers start a step. All
 * times are whole nanoseconds, so the same inputs give the same results on every machine. One
 * thread.
 */
public final class Simulation implements AutoCloseable, WorkerListener {
  private static final int STEP_ENDS = 0;
  private static final int ARRIVES = 1;

  /** What an array of tokens holds, with some to spare. */
  private static final long LONGEST_SEQUENCE = 1 << 30;

  private final SimulationSettings settings;
  private final PolicyKind kind;
  private final SimTrace trace;
  private final List<SimRequest> requests;
  private final List<SimWorker> workers = new ArrayList<>();
  private final SimRouter router;
  private final Timeline loads;
  private final Timeline hits = new Timeline(2);
  private final PriorityQueue<Occurrence> occurrences = new PriorityQueue<>();
  private final BitSet ready = new BitSet();
  private LongConsumer progress;
  private long nowNs;
  private long over;
  private long refused;
  private long wallNanos;

  /** What happens at an instant: a step of worker {@code subject} ends, or a request arrives. */
  private record Occurrence(long atNs, int kind, int subject) implements Comparable<Occurrence> {
    @Override
    public int compareTo(final Occurrence other) {
      int order = Long.compare(atNs, other.atNs);
      if (order == 0) {
        order = Integer.compare(kind, other.kind);
      }
      return order == 0 ? Integer.compare(subject, other.subject) : order;
    }
  }

  /**
   * Makes the cluster.
   *
   * @throws io.kvroute.memory.CapacityExceededException if there is not enough memory for it
   */
  public Simulation(
      final SimulationSettings settings, final PolicyKind kind, final SimTrace trace) {
    this.settings = settings;
    this.kind = kind;
    this.trace = trace;
    requests = trace.requests(settings.speed());
    loads = new Timeline(settings.workers());
    final PromptTokens tokens = new PromptTokens(trace.blockSize());
    router = new SimRouter(settings, kind, trace, requests, workers, tokens, loads);
    try {
      for (int id = 0; id < settings.workers(); id++) {
        workers.add(new SimWorker(id, settings, tokens, this));
      }
    } catch (final RuntimeException failure) {
      close();
      throw failure;
    }
  }

  /** The router's index of what workers announced; null if its policy needs none. */
  public RadixIndex index() {
    return router.index();
  }

  /**
   * Runs until every request is over.
   *
   * @param listener is told the number of requests that are over, after each
   */
  public SimulationResult run(final LongConsumer listener) {
    final long start = System.nanoTime();
    progress = listener;
    for (final SimRequest request : requests) {
      if (!request.isFollower) {
        occurrences.add(new Occurrence(request.earliestNs, ARRIVES, request.number));
      }
    }
    while (!occurrences.isEmpty()) {
      advance();
    }
    if (over != requests.size()) {
      throw new IllegalStateException(
          "requests were lost: over=" + over + " requests=" + requests.size());
    }
    for (int id = 0; id < workers.size(); id++) {
      router.count(id);
    }
    router.deliverAll();
    wallNanos = System.nanoTime() - start;
    return new SimulationResult(this);
  }

  /** Lets everything of the next instant happen. */
  private void advance() {
    final long instantNs = occurrences.peek().atNs();
    if (instantNs < nowNs) {
      throw new IllegalStateException(
          "time must not go back: nowNs=" + nowNs + " nextNs=" + instantNs);
    }
    nowNs = instantNs;
    while (!occurrences.isEmpty() && occurrences.peek().atNs() == nowNs) {
      final Occurrence occurrence = occurrences.poll();
      router.advance(nowNs);
      if (occurrence.kind() == STEP_ENDS) {
        workers.get(occurrence.subject()).endStep(nowNs);
      } else {
        arrive(requests.get(occurrence.subject()));
      }
    }
    for (int id = ready.nextSetBit(0); id >= 0; id = ready.nextSetBit(id + 1)) {
      final SimWorker worker = workers.get(id);
      if (!worker.isWorking() && worker.requests() > 0) {
        final long endNs = nowNs + worker.startStep(nowNs);
        occurrences.add(new Occurrence(endNs, STEP_ENDS, id));
      }
    }
    ready.clear();
  }

  @Override
  public void ready(final int worker) {
    ready.set(worker);
  }

  private void arrive(final SimRequest request) {
    request.arrivalNs = nowNs;
    if (!canBeServed(request) || !router.arrive(request)) {
      request.refused = true;
      refused++;
      end(request);
    }
  }

  private boolean canBeServed(final SimRequest request) {
    final long tokens = request.longest();
    final long pages = (tokens + settings.pageSize() - 1) / settings.pageSize();
    return request.inputLength() > 0 && pages <= settings.pages() && tokens <= LONGEST_SEQUENCE;
  }

  @Override
  public void admitted(final SimRequest request, final long atNs) {
    hits.add(0, atNs, request.hitTokens);
    hits.add(1, atNs, request.inputLength());
  }

  @Override
  public void prefilled(final SimRequest request, final long atNs) {
    router.prefilled(request);
  }

  @Override
  public void ended(final SimRequest request, final long atNs) {
    router.ended(request);
    end(request);
  }

  private void end(final SimRequest request) {
    over++;
    progress.accept(over);
    final SimRequest next = request.next;
    if (next != null) {
      final long atNs = Math.max(next.earliestNs, nowNs + next.delayNs);
      occurrences.add(new Occurrence(atNs, ARRIVES, next.number));
    }
  }

  SimulationSettings settings() {
    return settings;
  }

  PolicyKind kind() {
    return kind;
  }

  SimTrace trace() {
    return trace;
  }

  List<SimRequest> requests() {
    return requests;
  }

  List<SimWorker> workers() {
    return workers;
  }

  SimRouter router() {
    return router;
  }

  Timeline loads() {
    return loads;
  }

  Timeline hits() {
    return hits;
  }

  long nowNs() {
    return nowNs;
  }

  long refused() {
    return refused;
  }

  long wallNanos() {
    return wallNanos;
  }

  /** Gives all memory back. */
  @Override
  public void close() {
    for (final SimWorker worker : workers) {
      worker.close();
    }
    router.close();
  }
}
