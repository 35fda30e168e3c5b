package io.kvroute.route.queue;

import io.kvroute.protocol.QueueLimitKind;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.protocol.UnsignedMath;

/**
 * Admits requests at once or parks them until a rank has room for their class.
 *
 * <p>A request is parked if its class has a threshold, and if other requests of the class are
 * parked already or all ranks that it may go to are busy. No rank at all is not busy: the request
 * goes on, and fails. When load has gone ({@link #drain}), heads whose ranks are not all busy go
 * on, class by class as {@link PolicyQueue} says, until nothing more can.
 *
 * <p>To go on means: select, book, deliver; what cannot be delivered is freed; what only asks is
 * not booked; what nobody waits for is not booked either. A request that has waited for long has
 * its overlap computed anew before.
 *
 * <p>Not thread-safe. Nothing allocates after warm-up but rejections. After {@link #shutDown} new
 * requests are answered as the parked ones were.
 *
 * @param <R> requests
 */
public final class SchedulerQueue<R extends QueuedRequest> {
  /** Requests that may be parked by default. */
  public static final int DEFAULT_CAPACITY = 65_536;

  /** Time in the queue after which overlap is computed anew, by default. */
  public static final long DEFAULT_OVERLAP_REFRESH_AFTER_NS = 10_000_000_000L;

  /** How often a queue is to be drained when nothing else gives a reason. */
  public static final long DRAIN_INTERVAL_NS = 60_000_000_000L;

  /** The same where a model lets load go with time, so that no event tells. */
  public static final long MODELLED_DRAIN_INTERVAL_NS = 100_000_000;

  private static final double NS_PER_SECOND = 1e9;

  /** What became of a request that was submitted. */
  public enum Outcome {
    /** It went on at once: selected and answered, be it with a rank or with an error. */
    DISPATCHED,
    /** It waits. */
    PARKED,
    /** It was answered with a rejection. */
    REJECTED,
    /** It was answered with an error: it cannot be served as it stands, or the queue is shut. */
    REFUSED
  }

  private final PolicyQueue<R> parked;
  private final QueuePolicy policy;
  private final QueueHost<R> host;
  private final long overlapRefreshAfterNs;
  private final long drainIntervalNs;
  private final long originNs;
  private final BusyCheck check = new BusyCheck();
  private final PolicyQueue.HeadTest<R> headTest = this::isHeadDispatchable;
  private long nowNs;
  private long drainedAtNs;
  private long refreshedOverlaps;
  private long undelivered;
  private long callersGone;
  private boolean shut;

  /**
   * Makes a queue.
   *
   * @param policy its classes
   * @param host the router
   * @param capacity the most requests that may be parked; see {@link #DEFAULT_CAPACITY}
   * @param overlapRefreshAfterNs see {@link #DEFAULT_OVERLAP_REFRESH_AFTER_NS}; 0: never
   * @param modelled true if prefill load goes with time, by a model
   * @param nowNs the instant; arrivals are counted from it
   */
  public SchedulerQueue(
      final QueuePolicy policy,
      final QueueHost<R> host,
      final int capacity,
      final long overlapRefreshAfterNs,
      final boolean modelled,
      final long nowNs) {
    if (overlapRefreshAfterNs < 0) {
      throw new IllegalArgumentException(
          "refresh time must not be negative: overlapRefreshAfterNs=" + overlapRefreshAfterNs);
    }
    this.policy = policy;
    this.host = host;
    this.overlapRefreshAfterNs = overlapRefreshAfterNs;
    parked = new PolicyQueue<>(policy, capacity);
    originNs = nowNs;
    drainedAtNs = nowNs;
    drainIntervalNs =
        modelled && policy.classes().stream().anyMatch(QueueClass::isQueueing)
            ? MODELLED_DRAIN_INTERVAL_NS
            : DRAIN_INTERVAL_NS;
  }

  // ------ coming

  /**
   * Takes a request.
   *
   * @param request that is not parked
   * @param now the instant
   */
  public Outcome submit(final R request, final long now) {
    if (shut) {
      host.shutDown(request);
      return Outcome.REFUSED;
    }
    if (!host.admit(request)) {
      return Outcome.REFUSED;
    }
    nowNs = now;
    final long islTokens = host.islTokens(request);
    final long cachedTokens = host.bestCachedTokens(request);
    final int at =
        policy.classOf(host.policyClass(request), UnsignedMath.subtract(islTokens, cachedTokens));
    if (!shouldQueue(request, at)) {
      request.classIndex = at;
      dispatch(request);
      return Outcome.DISPATCHED;
    }
    final QueueRejection rejection = park(request, at, islTokens, cachedTokens);
    if (rejection != null) {
      host.reject(request, rejection);
      return Outcome.REJECTED;
    }
    return Outcome.PARKED;
  }

  private QueueRejection park(
      final R request, final int at, final long islTokens, final long cachedTokens) {
    if (!host.mayBeParked(request)) {
      return new QueueRejection(
          policy.classAt(at).name(), QueueLimitKind.REQUESTS, parked.pendingCount(at), 0);
    }
    request.parkedAtNs = nowNs;
    return parked.enqueue(
        request,
        at,
        host.discoveredWorkers(),
        islTokens,
        cachedTokens,
        (nowNs - originNs) / NS_PER_SECOND,
        host.priorityJump(request),
        host.strictPriority(request));
  }

  private boolean shouldQueue(final R request, final int at) {
    return policy.classAt(at).isQueueing()
        && (parked.pendingCount(at) > 0 || areAllBusy(at, request));
  }

  private boolean areAllBusy(final int at, final R request) {
    check.begin(policy.classAt(at));
    host.visitEligibleRanks(request, nowNs, check);
    return check.areAllBusy();
  }

  private boolean isHeadDispatchable(final int at, final R head) {
    return !areAllBusy(at, head);
  }

  private void dispatch(final R request) {
    if (!host.select(request, nowNs)) {
      return;
    }
    if (host.isQueryOnly(request)) {
      host.deliver(request);
      return;
    }
    if (host.isCallerGone(request)) {
      callersGone++;
      return;
    }
    if (host.book(request, nowNs) && !host.deliver(request)) {
      undelivered++;
      host.free(request, nowNs);
    }
  }

  // ------ going

  /**
   * Lets go on what can. To be called when load has gone: a prefill was completed, a request was
   * freed, another router or the configuration of the workers has changed something.
   *
   * @param now the instant
   * @return how many requests went on
   */
  public int drain(final long now) {
    nowNs = now;
    drainedAtNs = now;
    int count = 0;
    R request;
    while ((request = parked.pop(headTest)) != null) {
      if (overlapRefreshAfterNs > 0 && now - request.parkedAtNs >= overlapRefreshAfterNs) {
        refreshedOverlaps++;
        host.refreshOverlap(request, now);
      }
      dispatch(request);
      count++;
    }
    return count;
  }

  /**
   * Drains if the interval has passed since the queue was last drained: 60 s, or 100 ms where load
   * goes with time.
   *
   * @return how many requests went on
   */
  public int poll(final long now) {
    return now - drainedAtNs >= drainIntervalNs ? drain(now) : 0;
  }

  /** How often {@link #poll} drains. */
  public long drainIntervalNs() {
    return drainIntervalNs;
  }

  /**
   * Takes a parked request out at once, unanswered.
   *
   * @return false if it is not parked here
   */
  public boolean cancel(final R request) {
    return parked.cancel(request);
  }

  /** Answers all parked requests, and from now on every new one, with the shutdown. Idempotent. */
  public void shutDown() {
    shut = true;
    parked.clear(host::shutDown);
  }

  // ------ figures

  /** Its classes. */
  public QueuePolicy policy() {
    return policy;
  }

  /** Parked requests. */
  public int pendingCount() {
    return parked.pendingCount();
  }

  /** Input tokens of all parked requests, cached or not, unsigned 64-bit. */
  public long pendingIslTokens() {
    return parked.pendingIslTokens();
  }

  /** Parked requests of a class. */
  public int pendingCount(final int classIndex) {
    return parked.pendingCount(classIndex);
  }

  /** Input tokens of the parked requests of a class, unsigned 64-bit. */
  public long pendingIslTokens(final int classIndex) {
    return parked.pendingIslTokens(classIndex);
  }

  /** Cached tokens of the parked requests of a class, unsigned 64-bit. */
  public long pendingCachedTokens(final int classIndex) {
    return parked.pendingCachedTokens(classIndex);
  }

  /** Requests whose overlap was computed anew. */
  public long refreshedOverlaps() {
    return refreshedOverlaps;
  }

  /** Requests that were booked and freed again, since the answer could not be delivered. */
  public long undelivered() {
    return undelivered;
  }

  /** Requests that were selected and not booked, since nobody waited any more. */
  public long callersGone() {
    return callersGone;
  }
}
