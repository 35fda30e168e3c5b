package io.kvroute.load;

/**
 * What happened to active sequences since they were made. Written by their thread; reading from it
 * is exact, from others approximate. Nothing allocates.
 */
public final class LoadCounters {
  private static final int RESULTS = SequenceResult.values().length;

  private final long[] operations = new long[SequenceOperation.values().length * RESULTS];
  private final long[] replicaEvents = new long[ReplicaOutcome.values().length];
  private long expired;
  private long endedWithRank;
  private long endedWithReplica;
  private long moved;
  private long revived;
  private long listenerFailures;

  LoadCounters() {}

  void count(final SequenceOperation operation, final SequenceResult result) {
    operations[operation.ordinal() * RESULTS + result.ordinal()]++;
  }

  void count(final ReplicaOutcome outcome) {
    replicaEvents[outcome.ordinal()]++;
  }

  void countExpired() {
    expired++;
  }

  void countEndedWithRank() {
    endedWithRank++;
  }

  void countEndedWithReplica() {
    endedWithReplica++;
  }

  void countMoved() {
    moved++;
  }

  void countRevived() {
    revived++;
  }

  void countListenerFailure() {
    listenerFailures++;
  }

  /** Calls of an operation by this router that ended in a result. */
  public long operations(final SequenceOperation operation, final SequenceResult result) {
    return operations[operation.ordinal() * RESULTS + result.ordinal()];
  }

  /** Events of other routers that ended in an outcome. */
  public long replicaEvents(final ReplicaOutcome outcome) {
    return replicaEvents[outcome.ordinal()];
  }

  /** Requests that were ended because of their age. */
  public long expired() {
    return expired;
  }

  /** Requests that were active when their rank was removed. */
  public long endedWithRank() {
    return endedWithRank;
  }

  /** Requests that were active when the router that had added them left. */
  public long endedWithReplica() {
    return endedWithReplica;
  }

  /** Requests that another router added on another rank; the old rank keeps the load for a time. */
  public long moved() {
    return moved;
  }

  /** Requests that were added again on the rank that they had been moved from. */
  public long revived() {
    return revived;
  }

  /** Exceptions that listeners threw. */
  public long listenerFailures() {
    return listenerFailures;
  }
}
