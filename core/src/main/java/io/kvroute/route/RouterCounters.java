package io.kvroute.route;

/**
 * What happened to a router since it was made. Written by the router's thread; reading from it is
 * exact, from others approximate. Nothing allocates.
 */
public final class RouterCounters {
  private static final int ERRORS = KvSchedulerError.values().length;

  private final FeedRing ring;
  private final long[] failed = new long[ERRORS];
  private long routed;
  private long queries;
  private long parked;
  private long cancelled;
  private long rejected;
  private long unknownRequests;
  private long appliedEvents;
  private long refusedEvents;
  private long lateEvents;
  private long unknownRankEvents;
  private long malformedEvents;
  private long ignoredEvents;
  private long listenerFailures;
  private double overlapBlocks;
  private double bestOverlapBlocks;
  private double requestBlocks;

  RouterCounters(final FeedRing ring) {
    this.ring = ring;
  }

  void countDecision(final boolean queryOnly, final Selection decision) {
    if (queryOnly) {
      queries++;
      return;
    }
    routed++;
    overlapBlocks += decision.effectiveOverlapBlocks();
    bestOverlapBlocks += decision.bestOverlapBlocks();
    requestBlocks += decision.requiredBlocks();
  }

  void countFailure(final KvSchedulerError error) {
    failed[error.ordinal()]++;
  }

  void countParked() {
    parked++;
  }

  void countCancelled() {
    cancelled++;
  }

  void countRejected() {
    rejected++;
  }

  void countUnknownRequest() {
    unknownRequests++;
  }

  void countEvent(final boolean applied) {
    if (applied) {
      appliedEvents++;
    } else {
      refusedEvents++;
    }
  }

  void countLateEvent() {
    lateEvents++;
  }

  void countUnknownRankEvent() {
    unknownRankEvents++;
  }

  void countMalformedEvent() {
    malformedEvents++;
  }

  void countIgnoredEvent() {
    ignoredEvents++;
  }

  void countListenerFailure() {
    listenerFailures++;
  }

  /** Requests that were booked on a rank and answered, at once or after they had waited. */
  public long routed() {
    return routed;
  }

  /** Requests that only asked, and were told a rank. */
  public long queries() {
    return queries;
  }

  /** Requests that had to wait. */
  public long parked() {
    return parked;
  }

  /** Requests that were taken back while they waited. */
  public long cancelled() {
    return cancelled;
  }

  /** Requests that were not let into the queue. */
  public long rejected() {
    return rejected;
  }

  /** Requests that could go nowhere, for one reason. */
  public long failed(final KvSchedulerError error) {
    return failed[error.ordinal()];
  }

  /** Requests that could go nowhere. */
  public long failed() {
    long sum = 0;
    for (final long count : failed) {
      sum += count;
    }
    return sum;
  }

  /** Marks and frees of requests that are not active. */
  public long unknownRequests() {
    return unknownRequests;
  }

  /** Messages that were applied in full. */
  public long appliedEvents() {
    return appliedEvents;
  }

  /** Events that the index refused, in whole or in part; see its own counters. */
  public long refusedEvents() {
    return refusedEvents;
  }

  /** Messages of registrations that have ended, or of other workers than their feed's. */
  public long lateEvents() {
    return lateEvents;
  }

  /** Messages of ranks that their worker does not have. */
  public long unknownRankEvents() {
    return unknownRankEvents;
  }

  /** Events whose bytes do not make sense. */
  public long malformedEvents() {
    return malformedEvents;
  }

  /** Cache events that nobody listens to, since the configuration gives no use for them. */
  public long ignoredEvents() {
    return ignoredEvents;
  }

  /** Answers that the listener could not take; what was booked for them is freed. */
  public long listenerFailures() {
    return listenerFailures;
  }

  /** Messages that were refused because the ring was full; any thread may ask. */
  public long fullRing() {
    return ring.full();
  }

  /** Messages that were refused because they are too large for the ring; any thread may ask. */
  public long oversizedEvents() {
    return ring.oversized();
  }

  /** Blocks that counted as cached where routed requests went, weighted by tier, summed. */
  public double overlapBlocks() {
    return overlapBlocks;
  }

  /** The most that would have counted on any rank they could have gone to, summed. */
  public double bestOverlapBlocks() {
    return bestOverlapBlocks;
  }

  /** Blocks of the prompts of routed requests, summed. */
  public double requestBlocks() {
    return requestBlocks;
  }
}
