package io.kvroute.tools.sim;

import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.route.queue.BusyCheck;
import io.kvroute.route.queue.QueueDiscipline;
import io.kvroute.route.queue.QueueHost;
import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.route.queue.SchedulerQueue;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The router: requests wait here while all workers have too much prefill to do, then go where the
 * policy says. What a decision costs (choose and book) is measured in real time; nothing else here
 * is.
 */
final class SimRouter implements QueueHost<SimRequest>, AutoCloseable {
  private static final int NANOS_DIGITS = 3;
  private static final long MAX_NANOS = 60_000_000_000L;

  private final SimulationSettings settings;
  private final RouterLoads loads;
  private final RoutingPolicy policy;
  private final KvEventListener events;
  private final List<SimWorker> workers;
  private final PromptTokens tokens;
  private final SchedulerQueue<SimRequest> queue;
  private final Timeline timeline;
  private final long[] changedNs;
  private final Histogram decisionNanos = new Histogram(1, MAX_NANOS, NANOS_DIGITS);
  private long startNanos;
  private long decidingNanos;
  private long parked;
  private int mostParked;

  /** Events are delivered from, and requests given to, {@code workers}, which may grow later. */
  SimRouter(
      final SimulationSettings settings,
      final PolicyKind kind,
      final List<SimWorker> workers,
      final PromptTokens tokens,
      final Timeline timeline,
      final int requests) {
    this.settings = settings;
    this.workers = workers;
    this.tokens = tokens;
    this.timeline = timeline;
    loads = new RouterLoads(settings.workers());
    policy = kind.make(settings, loads);
    events = policy.events() == null ? (buffer, offset, length) -> {} : policy.events();
    queue =
        new SchedulerQueue<>(
            QueuePolicy.single(QueueDiscipline.FCFS, settings.queueThreshold()),
            this,
            Math.max(1, requests),
            0,
            false,
            0);
    changedNs = new long[settings.workers()];
  }

  /** Takes a request, which goes on at once or waits. */
  void arrive(final SimRequest request, final long nowNs) {
    if (queue.submit(request, nowNs) == SchedulerQueue.Outcome.PARKED) {
      parked++;
      mostParked = Math.max(mostParked, queue.pendingCount());
    }
  }

  /** Lets go on what waited for a worker with less to do. */
  void drain(final long nowNs) {
    queue.drain(nowNs);
  }

  void prefilled(final SimRequest request, final long nowNs) {
    loads.prefilled(request);
    policy.prefilled(request, nowNs);
  }

  void ended(final SimRequest request, final long nowNs) {
    policy.freed(request, nowNs);
    count(request.worker, nowNs);
    loads.free(request);
  }

  /** Books the requests that a worker had until now into the timeline. */
  void count(final int worker, final long nowNs) {
    timeline.addOver(worker, changedNs[worker], nowNs, loads.requests(worker));
    changedNs[worker] = nowNs;
  }

  /** Hands over all events, whatever their time. */
  void deliverAll() {
    for (final SimWorker worker : workers) {
      worker.outbox().deliver(Long.MAX_VALUE - 1, events);
    }
  }

  RoutingPolicy policy() {
    return policy;
  }

  /** Requests that waited here. */
  long parked() {
    return parked;
  }

  /** The most that waited here at once. */
  int mostParked() {
    return mostParked;
  }

  int pending() {
    return queue.pendingCount();
  }

  Histogram decisionNanos() {
    return decisionNanos;
  }

  /** Real time of all decisions. */
  long decidingNanos() {
    return decidingNanos;
  }

  // ------ what the queue asks

  @Override
  public boolean select(final SimRequest request, final long nowNs) {
    for (final SimWorker worker : workers) {
      worker.outbox().deliver(nowNs, events);
    }
    final TokenView prompt = tokens.prompt(request);
    startNanos = System.nanoTime();
    request.worker = policy.choose(request, prompt, nowNs);
    return true;
  }

  @Override
  public boolean book(final SimRequest request, final long nowNs) {
    policy.booked(request, nowNs);
    final long nanos = Math.max(1, System.nanoTime() - startNanos);
    decidingNanos += nanos;
    decisionNanos.recordValue(Math.min(MAX_NANOS, nanos));
    count(request.worker, nowNs);
    loads.book(request);
    request.routedNs = nowNs;
    return true;
  }

  @Override
  public boolean deliver(final SimRequest request) {
    workers.get(request.worker).enqueue(request);
    return true;
  }

  @Override
  public void visitEligibleRanks(
      final SimRequest request, final long nowNs, final BusyCheck check) {
    for (int worker = 0; worker < loads.workers(); worker++) {
      if (!check.rank(loads.prefillTokens(worker), settings.chunkTokens())) {
        return;
      }
    }
  }

  @Override
  public long islTokens(final SimRequest request) {
    return request.inputLength();
  }

  /** First come, first served, in one class: nothing depends on it. */
  @Override
  public long bestCachedTokens(final SimRequest request) {
    return 0;
  }

  @Override
  public boolean admit(final SimRequest request) {
    return true;
  }

  @Override
  public long discoveredWorkers() {
    return settings.workers();
  }

  @Override
  public String policyClass(final SimRequest request) {
    return null;
  }

  @Override
  public double priorityJump(final SimRequest request) {
    return 0;
  }

  @Override
  public int strictPriority(final SimRequest request) {
    return 0;
  }

  @Override
  public boolean isQueryOnly(final SimRequest request) {
    return false;
  }

  /** The overlap is looked up when a worker is chosen, so it is never old. */
  @Override
  public void refreshOverlap(final SimRequest request, final long nowNs) {}

  @Override
  public boolean isCallerGone(final SimRequest request) {
    return false;
  }

  @Override
  public void free(final SimRequest request, final long nowNs) {
    throw new IllegalStateException("every request is delivered: number=" + request.number);
  }

  @Override
  public void reject(final SimRequest request, final QueueRejection rejection) {
    throw new IllegalStateException("the queue has no limits: number=" + request.number);
  }

  @Override
  public void shutDown(final SimRequest request) {
    throw new IllegalStateException("the queue is never shut down: number=" + request.number);
  }

  @Override
  public void close() {
    policy.close();
  }
}
