package io.kvroute.tools.sim;

import io.kvroute.index.ApproximateIndex;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.route.FeedAnswer;
import io.kvroute.route.KvRouter;
import io.kvroute.route.KvRouterBuilder;
import io.kvroute.route.RouteOutcome;
import io.kvroute.route.RouteRequest;
import io.kvroute.route.WorkerFeed;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

/**
 * A router of the library in virtual time: requests go where its policy says, or wait in its queue
 * while all workers have too much prefill to do. What a request costs it is measured in real time;
 * nothing else here is.
 */
final class SimRouter implements AutoCloseable {
  private static final int BLOCKS_PER_EDGE = 4;
  private static final int MIN_RING_BYTES = 1 << 20;
  private static final int MAX_RING_BYTES = 1 << 30;

  /** A ring takes messages of an eighth of it. */
  private static final long RING_PER_MESSAGE = 16;

  private static final int NANOS_DIGITS = 3;
  private static final long MAX_NANOS = 60_000_000_000L;

  private final List<SimRequest> requests;
  private final List<SimWorker> workers;
  private final PromptTokens tokens;
  private final Timeline timeline;
  private final KvRouter router;
  private final WorkerFeed[] feeds;
  private final ArrayDeque<RouteRequest> idle = new ArrayDeque<>();
  private final long[] active;
  private final long[] changedNs;
  private final Histogram decisionNanos = new Histogram(1, MAX_NANOS, NANOS_DIGITS);
  private long nowNs;
  private long decidingNanos;
  private int mostParked;

  /** Events are delivered from, and requests given to, {@code workers}, which may grow later. */
  SimRouter(
      final SimulationSettings settings,
      final PolicyKind kind,
      final SimTrace trace,
      final List<SimRequest> requests,
      final List<SimWorker> workers,
      final PromptTokens tokens,
      final Timeline timeline) {
    this.requests = requests;
    this.workers = workers;
    this.tokens = tokens;
    this.timeline = timeline;
    active = new long[settings.workers()];
    changedNs = new long[settings.workers()];
    feeds = new WorkerFeed[settings.workers()];
    router = capacities(settings, trace, kind.builder(settings)).build();
    for (int id = 0; id < feeds.length; id++) {
      feeds[id] = router.register(id, new Config(settings), settings.pageSize());
    }
  }

  /** Room for everything that can be at once, so that nothing is ever refused. */
  private KvRouterBuilder capacities(
      final SimulationSettings settings, final SimTrace trace, final KvRouterBuilder builder) {
    final long cached = settings.workers() * settings.pages();
    final long largestEvent =
        KvEventEncoder.storedLength((int) Math.min(settings.pages(), MAX_RING_BYTES >> 5));
    return builder
        .activeBlockCapacity(1 + trace.inputTokens() / settings.pageSize())
        .seed(settings.seed())
        .clock(() -> nowNs)
        .blockCapacity(cached)
        .edgeCapacity(cached / BLOCKS_PER_EDGE + settings.workers())
        .rankCapacity(settings.workers())
        .requestCapacity(requests.size())
        .queueCapacity(requests.size())
        .queuePolicy(settings.queuePolicy())
        .feedRingBytes(
            (int)
                Math.min(
                    MAX_RING_BYTES,
                    BitUtil.findNextPositivePowerOfTwo(
                        Math.max(MIN_RING_BYTES, RING_PER_MESSAGE * largestEvent))))
        .listener(this::goesOn);
  }

  private record Config(SimulationSettings settings) implements WorkerConfig {
    @Override
    public int dataParallelStartRank() {
      return 0;
    }

    @Override
    public int dataParallelSize() {
      return 1;
    }

    @Override
    public OptionalLong maxNumBatchedTokens() {
      return OptionalLong.of(settings.chunkTokens());
    }

    @Override
    public OptionalLong totalKvBlocks() {
      return OptionalLong.of(settings.pages());
    }
  }

  // ------ what happens

  /** It is {@code atNs}: applies the events that are there by then. */
  void advance(final long atNs) {
    nowNs = atNs;
    deliver(atNs);
  }

  /** Applies all events, whatever their time. */
  void deliverAll() {
    deliver(Long.MAX_VALUE - 1);
  }

  private void deliver(final long untilNs) {
    for (final SimWorker worker : workers) {
      worker
          .outbox()
          .deliver(untilNs, (buffer, offset, length) -> hear(worker, buffer, offset, length));
    }
    router.poll();
  }

  private void hear(
      final SimWorker worker, final DirectBuffer buffer, final int offset, final int length) {
    FeedAnswer answer = feeds[worker.id()].offer(buffer, offset, length);
    while (answer == FeedAnswer.RING_FULL) {
      router.poll();
      answer = feeds[worker.id()].offer(buffer, offset, length);
    }
    if (answer != FeedAnswer.ACCEPTED) {
      throw new IllegalStateException(
          "the router does not take an event: answer=" + answer + " length=" + length);
    }
  }

  /** Takes a request, which goes on at once or waits; false if the queue does not let it in. */
  boolean arrive(final SimRequest request) {
    final RouteRequest asked = idle.isEmpty() ? new RouteRequest() : idle.pop();
    tokens.show(request, asked.reset().request(request.number).prompt());
    final long startNanos = System.nanoTime();
    final RouteOutcome outcome = router.route(asked);
    final long nanos = Math.max(1, System.nanoTime() - startNanos);
    decidingNanos += nanos;
    decisionNanos.recordValue(Math.min(MAX_NANOS, nanos));
    if (outcome == RouteOutcome.PARKED) {
      mostParked = Math.max(mostParked, router.pendingCount());
    } else if (outcome == RouteOutcome.REJECTED) {
      idle.push(asked);
      return false;
    } else {
      goesOn(asked);
    }
    return true;
  }

  private void goesOn(final RouteRequest asked) {
    if (asked.outcome() != RouteOutcome.ROUTED) {
      throw new IllegalStateException(
          "a request can go nowhere: number=" + asked.key() + " outcome=" + asked.outcome(),
          asked.failure());
    }
    final SimRequest request = requests.get((int) asked.key());
    request.worker = (int) asked.decision().workerId();
    request.routedNs = nowNs;
    count(request.worker);
    active[request.worker]++;
    workers.get(request.worker).enqueue(request);
    idle.push(asked);
  }

  void prefilled(final SimRequest request) {
    router.markPrefill(request.number);
  }

  /** A router gives up requests after some minutes; then it does not know this one any more. */
  void ended(final SimRequest request) {
    count(request.worker);
    active[request.worker]--;
    router.free(request.number);
  }

  /** Books the requests that a worker had until now into the timeline. */
  void count(final int worker) {
    timeline.addOver(worker, changedNs[worker], nowNs, active[worker]);
    changedNs[worker] = nowNs;
  }

  // ------ figures

  /** Requests that waited here. */
  long parked() {
    return router.counters().parked();
  }

  /** The most that waited here at once. */
  int mostParked() {
    return mostParked;
  }

  int pending() {
    return router.pendingCount();
  }

  Histogram decisionNanos() {
    return decisionNanos;
  }

  /** Real time of all decisions. */
  long decidingNanos() {
    return decidingNanos;
  }

  /** Blocks that the router takes to be cached: distinct ones, or per worker if it guesses. */
  long indexBlocks() {
    final RadixIndex index = router.index();
    final ApproximateIndex decisions = router.decisions();
    return index != null ? index.blockCount() : decisions == null ? 0 : decisions.heldBlocks();
  }

  /** Events or decisions that an index could not apply as they were. */
  long indexRefusals() {
    final ApproximateIndex decisions = router.decisions();
    return router.counters().refusedEvents()
        + router.counters().malformedEvents()
        + (decisions == null ? 0 : decisions.refusedDecisions());
  }

  /** The index that events feed; null if the policy needs none. */
  RadixIndex index() {
    return router.index();
  }

  /** Off-heap bytes of the index that events feed. */
  long indexBytes() {
    return router.index() == null ? 0 : router.index().usedBytes();
  }

  @Override
  public void close() {
    router.close();
  }
}
