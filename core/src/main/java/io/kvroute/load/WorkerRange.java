package io.kvroute.load;

/**
 * The data-parallel ranks of a worker.
 *
 * @param workerId unsigned 64-bit
 * @param dpStart the first of its ranks, unsigned 32-bit
 * @param dpSize how many there are, unsigned 32-bit
 */
public record WorkerRange(long workerId, int dpStart, int dpSize) {
  private static final long LIMIT = 0xFFFF_FFFFL;

  /** Fails unless there is a rank and all of them are in range. */
  void check() {
    if (dpSize == 0) {
      throw new TopologyException(TopologyException.Kind.INVALID_DP_SIZE, workerId, "");
    }
    if (start() + size() > LIMIT) {
      throw new TopologyException(
          TopologyException.Kind.INVALID_DP_RANGE,
          workerId,
          " dpStart=" + start() + " dpSize=" + size());
    }
  }

  long start() {
    return Integer.toUnsignedLong(dpStart);
  }

  long size() {
    return Integer.toUnsignedLong(dpSize);
  }

  boolean contains(final int dpRank) {
    final long rank = Integer.toUnsignedLong(dpRank);
    return rank >= start() && rank < start() + size();
  }

  @Override
  public String toString() {
    return "WorkerRange[workerId="
        + Long.toUnsignedString(workerId)
        + ", dpStart="
        + start()
        + ", dpSize="
        + size()
        + ']';
  }
}
