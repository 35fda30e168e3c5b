package io.kvroute.protocol;

/**
 * A worker and one of its data-parallel ranks: what owns blocks and what requests are routed to.
 * Ordered by worker, then rank, both unsigned.
 *
 * @param workerId unsigned 64-bit
 * @param dpRank unsigned 32-bit; 0 without data parallelism
 */
public record WorkerWithDpRank(long workerId, int dpRank) implements Comparable<WorkerWithDpRank> {

  /** Rank 0 of a worker. */
  public static WorkerWithDpRank fromWorkerId(final long workerId) {
    return new WorkerWithDpRank(workerId, 0);
  }

  @Override
  public int compareTo(final WorkerWithDpRank other) {
    return RankOrder.compare(workerId, dpRank, other.workerId, other.dpRank);
  }

  @Override
  public String toString() {
    return "WorkerWithDpRank[workerId="
        + Long.toUnsignedString(workerId)
        + ", dpRank="
        + Integer.toUnsignedString(dpRank)
        + ']';
  }
}
