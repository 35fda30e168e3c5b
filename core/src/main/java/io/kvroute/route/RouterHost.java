package io.kvroute.route;

import io.kvroute.load.ActiveSequences;
import io.kvroute.load.Booking;
import io.kvroute.load.LoadProjections;
import io.kvroute.load.SequenceResult;
import io.kvroute.protocol.QueueRejection;
import io.kvroute.route.queue.BusyCheck;
import io.kvroute.route.queue.QueueHost;

/** What the queue asks of the router: projects, selects, books and answers. */
final class RouterHost implements QueueHost<RouteRequest> {
  private final KvRouterConfig config;
  private final WorkerRegistry registry;
  private final WorkerSelector selector;
  private final ActiveSequences sequences;
  private final OverlapIndex index;
  private final RouterCounters counters;
  private final RouteListener listener;
  private final PrefillLoadModel model;
  private final LoadProjections loads = new LoadProjections();
  private final Booking booking = new Booking();
  private RouteRequest projected;
  private boolean answering;

  RouterHost(
      final KvRouterBuilder builder,
      final WorkerSelector selector,
      final ActiveSequences sequences,
      final OverlapIndex index,
      final RouterCounters counters) {
    config = builder.config();
    listener = builder.listener();
    model = builder.prefillLoadModel();
    registry = selector.registry();
    this.selector = selector;
    this.sequences = sequences;
    this.index = index;
    this.counters = counters;
  }

  /** True while the listener is told of an answer, in the middle of something else. */
  boolean isAnswering() {
    return answering;
  }

  /** Loads have changed, or time has gone on. */
  void forgetProjections() {
    projected = null;
  }

  /** What ranks are busy with, and what a request would add. Projected once until forgotten. */
  LoadProjections project(final RouteRequest request, final long nowNs) {
    if (projected != request) {
      sequences.potentialLoads(
          request.trackedHashes, 0, Math.max(request.trackedBlocks, 0), nowNs, loads);
      projected = request;
    }
    return loads;
  }

  // ------ questions

  @Override
  public boolean admit(final RouteRequest request) {
    final SelectionRequest wishes = request.wishes;
    if (wishes.isPinned() && !wishes.allows(wishes.pinnedWorkerId())) {
      request.decision.fail(KvSchedulerError.PINNED_WORKER_NOT_ALLOWED, wishes.pinnedWorkerId());
    } else if (wishes.promptTokens() <= 0) {
      request.decision.fail(KvSchedulerError.INVALID_REQUEST, 0);
    } else {
      return true;
    }
    fail(request);
    return false;
  }

  @Override
  public long discoveredWorkers() {
    return registry.workerCount();
  }

  @Override
  public long islTokens(final RouteRequest request) {
    return request.wishes.promptTokens();
  }

  @Override
  public long bestCachedTokens(final RouteRequest request) {
    final SelectionRequest wishes = request.wishes;
    final OverlapSignals overlaps = request.overlaps;
    if (wishes.isPinned()) {
      final int at = overlaps.indexOf(wishes.pinnedWorkerId(), wishes.pinnedDpRank());
      return at < 0 ? 0 : overlaps.cachedTokens(at);
    }
    long best = 0;
    for (int i = 0; i < overlaps.count(); i++) {
      final long cached = overlaps.cachedTokens(i);
      if (Long.compareUnsigned(cached, best) > 0 && wishes.allows(overlaps.workerId(i))) {
        best = cached;
      }
    }
    return best;
  }

  @Override
  public String policyClass(final RouteRequest request) {
    return request.policyClass();
  }

  @Override
  public double priorityJump(final RouteRequest request) {
    return request.priorityJump();
  }

  @Override
  public int strictPriority(final RouteRequest request) {
    return request.strictPriority();
  }

  @Override
  public boolean mayBeParked(final RouteRequest request) {
    return request.mayWait();
  }

  @Override
  public boolean isQueryOnly(final RouteRequest request) {
    return request.isQueryOnly();
  }

  @Override
  public void visitEligibleRanks(
      final RouteRequest request, final long nowNs, final BusyCheck check) {
    selector.showEligible(request.wishes, project(request, nowNs), check);
  }

  @Override
  public boolean isCallerGone(final RouteRequest request) {
    return false;
  }

  // ------ deeds

  @Override
  public void refreshOverlap(final RouteRequest request, final long nowNs) {
    index.find(request, config, registry.blockSize(), nowNs);
  }

  @Override
  public boolean select(final RouteRequest request, final long nowNs) {
    if (selector.select(
        request.wishes, request.overlaps, project(request, nowNs), request.decision)) {
      return true;
    }
    fail(request);
    return false;
  }

  @Override
  public boolean book(final RouteRequest request, final long nowNs) {
    describe(request);
    final SequenceResult result = sequences.addIfRegistered(booking, nowNs);
    booking.reset();
    forgetProjections();
    if (result != SequenceResult.OK) {
      failBooking(request, result);
      return false;
    }
    index.record(request, nowNs);
    return true;
  }

  private void describe(final RouteRequest request) {
    final Selection decision = request.decision;
    booking.reset();
    if (request.id() == null) {
      booking.request(request.key());
    } else {
      booking.request(request.id());
    }
    booking.rank(decision.workerId(), decision.dpRank()).loraName(request.loraName());
    if (request.trackedBlocks != TrackingHashes.NONE) {
      booking.prompt(request.trackedHashes, 0, request.trackedBlocks);
    }
    if (request.expectsOutputTokens()) {
      booking.expectedOutputTokens(request.expectedOutputTokens());
    }
    booking.trackPrefillTokens(
        request.wishes.override().trackPrefillTokensOr(config.routerTrackPrefillTokens()));
    describePrefill(decision.effectivePrefillTokens(request.wishes.promptTokens()), decision);
  }

  private void describePrefill(final long tokens, final Selection decision) {
    final long expectedNs =
        model == null ? -1 : model.expectedPrefillNs(tokens, decision.cachedTokens());
    if (expectedNs < 0) {
      booking.prefill(tokens);
    } else {
      booking.prefill(tokens, expectedNs);
    }
  }

  private void failBooking(final RouteRequest request, final SequenceResult result) {
    request.decision.fail(KvSchedulerError.BOOKING_FAILED, 0);
    request.failure =
        new KvSchedulerException(
            KvSchedulerError.BOOKING_FAILED,
            result.isRefusal() ? sequences.refusal() : "result=" + result);
    fail(request);
  }

  @Override
  public void free(final RouteRequest request, final long nowNs) {
    if (request.id() == null) {
      sequences.free(request.key(), nowNs);
    } else {
      sequences.free(request.id(), nowNs);
    }
    forgetProjections();
  }

  // ------ answers

  @Override
  public boolean deliver(final RouteRequest request) {
    if (answer(request, RouteOutcome.ROUTED)) {
      counters.countDecision(request.isQueryOnly(), request.decision);
      return true;
    }
    return false;
  }

  @Override
  public void reject(final RouteRequest request, final QueueRejection rejection) {
    request.rejection = rejection;
    counters.countRejected();
    answer(request, RouteOutcome.REJECTED);
  }

  @Override
  public void shutDown(final RouteRequest request) {
    request.decision.fail(KvSchedulerError.SUBSCRIBER_SHUTDOWN, 0);
    fail(request);
  }

  private void fail(final RouteRequest request) {
    counters.countFailure(request.decision.error());
    answer(request, RouteOutcome.FAILED);
  }

  /** Who did not have to wait reads the answer in the request. */
  private boolean answer(final RouteRequest request, final RouteOutcome outcome) {
    final boolean waited = request.outcome == RouteOutcome.PARKED;
    request.outcome = outcome;
    if (waited) {
      answering = true;
      try {
        listener.onAnswer(request);
      } catch (final RuntimeException failure) {
        counters.countListenerFailure();
        return false;
      } finally {
        answering = false;
      }
    }
    return true;
  }
}
