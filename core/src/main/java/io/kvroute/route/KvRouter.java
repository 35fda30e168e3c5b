package io.kvroute.route;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.index.ApproximateIndex;
import io.kvroute.index.RadixIndex;
import io.kvroute.load.ActiveSequences;
import io.kvroute.load.LoadProjections;
import io.kvroute.load.ReplicaOutcome;
import io.kvroute.load.SequenceResult;
import io.kvroute.load.TokenCounts;
import io.kvroute.load.WorkerRange;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.PotentialLoad;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RouterResponse;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.UnsignedMath;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.route.queue.SchedulerQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.agrona.concurrent.NanoClock;

/**
 * The router: knows the workers, what each has cached and what each is busy with, and says where a
 * prompt should go. A decision hashes the prompt once, finds who has its beginning, projects what
 * it would add to every rank, selects the rank of the lowest cost and books the request there.
 *
 * <p>One thread owns a router and calls it; other threads send events through a {@link WorkerFeed}.
 * They are applied when the owner routes a request, up to {@link #EVENTS_PER_REQUEST}, and when it
 * calls {@link #poll}, which it should do whenever it has nothing better to do.
 *
 * <p>{@link #route} with a {@link RouteRequest} of the caller's, marking and freeing by key, and
 * polling allocate nothing after warm-up. {@link #handle} is the same for the objects that travel
 * as JSON.
 */
public final class KvRouter implements AutoCloseable {
  /** How many waiting events are applied before a request is routed. */
  public static final int EVENTS_PER_REQUEST = 256;

  private final NanoClock clock;
  private final KvRouterConfig config;
  private final WorkerRegistry registry;
  private final WorkerSelector selector;
  private final RandomSource random;
  private final PromptHasher hasher;
  private final FeedRing ring;
  private final OverlapIndex index;
  private final ActiveSequences sequences;
  private final RouterCounters counters;
  private final FeedReader reader;
  private final RouterHost host;
  private final SchedulerQueue<RouteRequest> queue;
  private long sweptAtNs;
  private boolean closed;

  KvRouter(final KvRouterBuilder builder) {
    clock = builder.clock();
    config = builder.config();
    registry = new WorkerRegistry(builder.blockSize(), builder.rankCapacity());
    registry.overload().thresholds(builder.overloadThresholds());
    random = RandomSource.seeded(builder.seed());
    selector =
        new WorkerSelector(registry, config, random, builder.costFunction(), builder.picker());
    hasher = new PromptHasher(builder.blockSize(), builder.eagle());
    final RouterMemory memory = new RouterMemory(builder, registry.overload());
    ring = memory.ring;
    index = memory.index;
    sequences = memory.sequences;
    counters = new RouterCounters(ring);
    reader = new FeedReader(registry, index, counters);
    host = new RouterHost(builder, selector, sequences, index, counters);
    final long nowNs = clock.nanoTime();
    sweptAtNs = nowNs;
    queue =
        new SchedulerQueue<>(
            builder.queuePolicy(),
            host,
            builder.queueCapacity(),
            builder.overlapRefreshAfterNs(),
            builder.prefillLoadModel() != null,
            nowNs);
  }

  /**
   * Starts the making of a router.
   *
   * @param blockSize tokens of a block, which has to be the engines' page size; 1 to 2^32-1
   */
  public static KvRouterBuilder builder(final long blockSize) {
    return new KvRouterBuilder(blockSize);
  }

  // ------ workers

  /**
   * Registers a worker; requests that wait may go on to it at once.
   *
   * @param workerId unsigned
   * @param worker is copied
   * @param engineBlockSize tokens of a page of its engine; 0 if it does not say
   * @return where its events go, for this registration
   * @throws WorkerRegistrationException if it cannot be, or there is no room for its ranks; counted
   *     by the registry
   */
  public WorkerFeed register(
      final long workerId, final WorkerConfig worker, final long engineBlockSize) {
    final long nowNs = now();
    final long generation = registry.register(workerId, worker, engineBlockSize);
    try {
      upsert(workerId, worker, nowNs);
    } catch (final RuntimeException failure) {
      registry.remove(workerId);
      throw failure;
    }
    loadsChanged(nowNs);
    return new WorkerFeed(ring, workerId, generation);
  }

  /**
   * Replaces what is known of a worker. Ranks that it no longer has are forgotten with all their
   * blocks and requests; its feed stays good.
   *
   * @throws WorkerRegistrationException if it cannot be, there is no room for its ranks, or the
   *     worker is not registered
   */
  public void update(final long workerId, final WorkerConfig worker) {
    final long nowNs = now();
    final RegisteredWorker before = registry.get(workerId);
    registry.update(workerId, worker);
    try {
      upsert(workerId, worker, nowNs);
    } catch (final RuntimeException failure) {
      registry.restore(before);
      throw failure;
    }
    for (int r = 0; r < before.size; r++) {
      if (!registry.hasRank(workerId, before.startRank + r)) {
        index.removeRank(workerId, before.startRank + r);
      }
    }
    loadsChanged(nowNs);
  }

  /**
   * Removes a worker with all its blocks and requests. What is under way of it has no effect.
   *
   * @return false if it was not registered
   */
  public boolean remove(final long workerId) {
    final long nowNs = now();
    if (!registry.remove(workerId)) {
      return false;
    }
    index.removeWorker(workerId);
    sequences.unregister(workerId, nowNs);
    loadsChanged(nowNs);
    return true;
  }

  /** Ranks that only other routers speak of make room for those of workers that are there. */
  private void upsert(final long workerId, final WorkerConfig worker, final long nowNs) {
    try {
      sequences.upsert(
          new WorkerRange(workerId, worker.dataParallelStartRank(), worker.dataParallelSize()),
          nowNs);
    } catch (final CapacityExceededException full) {
      final List<WorkerRange> known = new ArrayList<>();
      for (int w = 0; w < registry.workerCount(); w++) {
        known.add(new WorkerRange(registry.workerId(w), registry.startRank(w), registry.ranks(w)));
      }
      sequences.reconcile(known, nowNs);
    }
  }

  // ------ requests

  /**
   * Routes a request, or lets it wait, or tells why not. If it waits, the listener is told when it
   * goes on, and until then the request object is the router's.
   *
   * @throws IllegalStateException if the request object is waiting
   * @throws IllegalArgumentException if it has no name and is not a query: nobody could free it
   */
  public RouteOutcome route(final RouteRequest request) {
    final long nowNs = now();
    if (!request.isNamed() && !request.isQueryOnly()) {
      throw new IllegalArgumentException(
          "a request that is to be booked needs a key or an id: promptTokens="
              + request.prompt().count());
    }
    prepare(request, nowNs);
    if (queue.submit(request, nowNs) == SchedulerQueue.Outcome.PARKED) {
      request.outcome = RouteOutcome.PARKED;
      counters.countParked();
    }
    return request.outcome;
  }

  /** Hashes the prompt and finds who has its beginning. */
  private void prepare(final RouteRequest request, final long nowNs) {
    request.requireFree();
    ring.read(reader, EVENTS_PER_REQUEST);
    host.forgetProjections();
    request.outcome = RouteOutcome.UNROUTED;
    request.rejection = null;
    request.failure = null;
    final int tokens = request.prompt().count();
    request.wishes.promptTokens(tokens);
    hasher.hash(request);
    request.trackedBlocks =
        TrackingHashes.fill(
            config,
            request.wishes.override(),
            random,
            (int) (tokens / registry.blockSize()),
            request.sequenceHashes,
            request.blocks,
            request.trackedHashes);
    index.find(request, config, registry.blockSize(), nowNs);
  }

  /**
   * Takes a waiting request back, unanswered.
   *
   * @return false if it is not waiting
   */
  public boolean cancel(final RouteRequest request) {
    checkOpen();
    if (!queue.cancel(request)) {
      return false;
    }
    request.outcome = RouteOutcome.UNROUTED;
    counters.countCancelled();
    return true;
  }

  /**
   * Tells what a request would cost on every rank that may serve it, term by term. Books nothing,
   * and allocates.
   */
  public Explanation explain(final RouteRequest request) {
    final long nowNs = now();
    prepare(request, nowNs);
    return selector.explain(request.wishes, request.overlaps, host.project(request, nowNs));
  }

  /** Tells who has how much of a request's prompt. Books nothing, and allocates. */
  public OverlapReport overlapReport(final RouteRequest request) {
    final long nowNs = now();
    prepare(request, nowNs);
    return OverlapReport.of(registry, config, request.wishes, request.overlaps);
  }

  /**
   * The prefill of a request is done.
   *
   * @return false if no such request is active; counted
   */
  public boolean markPrefill(final long key) {
    final long nowNs = now();
    return relieved(sequences.markPrefillCompleted(key, nowNs), nowNs);
  }

  /** As with a key. */
  public boolean markPrefill(final String id) {
    final long nowNs = now();
    return relieved(sequences.markPrefillCompleted(id, nowNs), nowNs);
  }

  /**
   * A request is over, however it ended.
   *
   * @return false if no such request is active; counted
   */
  public boolean free(final long key) {
    final long nowNs = now();
    return relieved(sequences.free(key, nowNs), nowNs);
  }

  /** As with a key. */
  public boolean free(final String id) {
    final long nowNs = now();
    return relieved(sequences.free(id, nowNs), nowNs);
  }

  /**
   * A request fills a further block with its output; to be said whenever {@link
   * TokenCounts#totalBlocks} grows. If the length of its output was foretold, its own blocks count
   * the less the more of that has come.
   *
   * @param outputTokens that have come so far, 0 or more
   * @return false if the configuration does not track output, or no such request is active; the
   *     latter is counted
   */
  public boolean addOutputBlock(final long key, final long outputTokens) {
    final long nowNs = now();
    if (!config.routerTrackOutputBlocks()) {
      return false;
    }
    final OptionalInt expected = sequences.expectedOutputTokens(key);
    return grown(
        expected.isPresent()
            ? sequences.addOutputBlock(
                key, TokenCounts.outputLeft(outputTokens, expected.getAsInt()), nowNs)
            : sequences.addOutputBlock(key, nowNs));
  }

  /** As with a key. */
  public boolean addOutputBlock(final String id, final long outputTokens) {
    final long nowNs = now();
    if (!config.routerTrackOutputBlocks()) {
      return false;
    }
    final OptionalInt expected = sequences.expectedOutputTokens(id);
    return grown(
        expected.isPresent()
            ? sequences.addOutputBlock(
                id, TokenCounts.outputLeft(outputTokens, expected.getAsInt()), nowNs)
            : sequences.addOutputBlock(id, nowNs));
  }

  private boolean grown(final SequenceResult result) {
    host.forgetProjections();
    if (result == SequenceResult.REQUEST_NOT_FOUND) {
      counters.countUnknownRequest();
    }
    return result == SequenceResult.OK;
  }

  private boolean relieved(final SequenceResult result, final long nowNs) {
    if (result != SequenceResult.OK) {
      counters.countUnknownRequest();
      return false;
    }
    loadsChanged(nowNs);
    return true;
  }

  private void loadsChanged(final long nowNs) {
    host.forgetProjections();
    if (queue.pendingCount() > 0) {
      queue.drain(nowNs);
      host.forgetProjections();
    }
  }

  // ------ requests as objects

  /** As {@link #handle(RouterRequest, String)} on a connection that says nothing of requests. */
  public RouterResponse handle(final RouterRequest request) {
    return handle(request, null);
  }

  /**
   * Answers a request. It never waits: where it would have to, it is rejected. Allocates.
   *
   * @param request what is asked
   * @param requestId what the connection calls the request, or null; without it, a new prompt is
   *     told where it would go, and not booked, since nobody could free it. A mark that has an id
   *     of its own uses that
   * @throws KvSchedulerException if a new prompt can go nowhere
   */
  public RouterResponse handle(final RouterRequest request, final String requestId) {
    if (request instanceof RouterRequest.New asked) {
      return handleNew(asked, requestId);
    }
    if (request instanceof RouterRequest.PotentialLoads asked) {
      return handlePotentialLoads(asked);
    }
    if (request instanceof RouterRequest.MarkPrefill mark) {
      final String id = mark.requestId() == null ? requestId : mark.requestId();
      return new RouterResponse.PrefillMarked(id == null ? unknown() : markPrefill(id));
    }
    final String own = ((RouterRequest.MarkFree) request).requestId();
    final String id = own == null ? requestId : own;
    return new RouterResponse.FreeMarked(id == null ? unknown() : free(id));
  }

  private boolean unknown() {
    checkOpen();
    counters.countUnknownRequest();
    return false;
  }

  private static RouteRequest describe(
      final UnsignedInts tokens, final List<BlockExtraInfo> infos, final String loraName) {
    final RouteRequest request = new RouteRequest().blockMmInfos(infos).loraName(loraName);
    tokens.view(request.tokens);
    return request;
  }

  private RouterResponse handleNew(final RouterRequest.New asked, final String requestId) {
    final RouteRequest request =
        describe(asked.tokens(), asked.blockMmInfos(), asked.loraName())
            .mayWait(false)
            .queryOnly(requestId == null)
            .priorityJump(asked.priorityJump())
            .strictPriority(asked.strictPriority());
    if (requestId != null) {
      request.request(requestId);
    }
    request.wishes().constraints(asked.routingConstraints());
    final RouteOutcome outcome = route(request);
    if (outcome == RouteOutcome.REJECTED) {
      return new RouterResponse.QueueRejected(request.rejection());
    }
    if (outcome == RouteOutcome.FAILED) {
      throw request.failure();
    }
    final Selection decision = request.decision();
    return new RouterResponse.New(
        decision.workerId(), decision.dpRank(), decision.result().overlapBlocks());
  }

  private RouterResponse handlePotentialLoads(final RouterRequest.PotentialLoads asked) {
    final long nowNs = now();
    final RouteRequest request = describe(asked.tokens(), asked.blockMmInfos(), asked.loraName());
    prepare(request, nowNs);
    final LoadProjections loads = host.project(request, nowNs);
    final List<PotentialLoad> potential = new ArrayList<>();
    for (int i = 0; i < loads.count(); i++) {
      potential.add(
          new PotentialLoad(
              loads.workerId(i),
              loads.dpRank(i),
              loads.activePrefillTokens(i) + uncached(request, loads.workerId(i), loads.dpRank(i)),
              loads.potentialDecodeBlocks(i),
              loads.activeRequests(i)));
    }
    return new RouterResponse.PotentialLoads(
        potential, queue.pendingCount(), queue.pendingIslTokens());
  }

  private long uncached(final RouteRequest request, final long workerId, final int dpRank) {
    if (!config.routerTrackPrefillTokens()) {
      return 0;
    }
    final long tokens = request.wishes.promptTokens();
    final int at = request.overlaps.indexOf(workerId, dpRank);
    return at < 0 ? tokens : tokens - UnsignedMath.min(tokens, request.overlaps.cachedTokens(at));
  }

  // ------ what else goes on

  /**
   * Applies what another router tells of its requests; ones that wait may go on.
   *
   * @param ageNs how long ago the event was sent, in nanoseconds
   */
  public ReplicaOutcome apply(final ActiveSequenceEvent event, final long ageNs) {
    final long nowNs = now();
    final ReplicaOutcome outcome = sequences.apply(event, ageNs, nowNs);
    loadsChanged(nowNs);
    return outcome;
  }

  /** Another router has left; its bookings end. See {@link ActiveSequences#removeReplica}. */
  public long removeReplica(final long routerId) {
    final long nowNs = now();
    final long ended = sequences.removeReplica(routerId, nowNs);
    loadsChanged(nowNs);
    return ended;
  }

  /**
   * Does what is due: applies the events that wait, gives up requests that are too old, forgets
   * decisions whose time is over, and lets waiting requests go on.
   *
   * @return how much was done; 0 if nothing
   */
  public int poll() {
    final long nowNs = now();
    host.forgetProjections();
    int work = ring.read(reader, Integer.MAX_VALUE);
    if (nowNs - sweptAtNs >= ActiveSequences.SWEEP_NS) {
      sweptAtNs = nowNs;
      work += (int) sequences.sweep(nowNs);
    }
    work += index.poll(nowNs);
    work += queue.poll(nowNs);
    host.forgetProjections();
    return work;
  }

  private long now() {
    checkOpen();
    return clock.nanoTime();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("router used after close");
    }
    if (host.isAnswering()) {
      throw new IllegalStateException("router called by its listener");
    }
  }

  // ------ parts and figures

  /** The workers; to be changed through the router only. Thresholds may be set here. */
  public WorkerRegistry registry() {
    return registry;
  }

  /** The active requests, for figures. To be changed through the router only. */
  public ActiveSequences activeSequences() {
    return sequences;
  }

  /** The index that events feed, for look-ups, dumps and figures; null if nothing feeds one. */
  public RadixIndex index() {
    return index.events();
  }

  /** The index of the router's own decisions, for figures; null if it does not need them. */
  public ApproximateIndex decisions() {
    return index.decisions();
  }

  /** What has happened. */
  public RouterCounters counters() {
    return counters;
  }

  /** Requests that wait. */
  public int pendingCount() {
    return queue.pendingCount();
  }

  /** Input tokens of the requests that wait, unsigned. */
  public long pendingIslTokens() {
    return queue.pendingIslTokens();
  }

  /**
   * Answers the requests that wait with {@link KvSchedulerError#SUBSCRIBER_SHUTDOWN} and gives the
   * memory back. No feed may be used any more. Idempotent.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    checkOpen();
    closed = true;
    queue.shutDown();
    sequences.close();
    index.close();
    ring.close();
  }
}
