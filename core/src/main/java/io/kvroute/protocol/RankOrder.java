package io.kvroute.protocol;

/** The order of ranks: by worker, then by data-parallel rank, both unsigned. */
public final class RankOrder {
  private RankOrder() {}

  /** Compares two ranks; negative if the first comes first, 0 if they are one. */
  public static int compare(
      final long workerId, final int dpRank, final long otherWorkerId, final int otherDpRank) {
    final int byWorker = Long.compareUnsigned(workerId, otherWorkerId);
    return byWorker != 0 ? byWorker : Integer.compareUnsigned(dpRank, otherDpRank);
  }

  /** Where a rank is among the first {@code count} of two columns in this order, or -1. */
  public static int indexOf(
      final long[] workerIds,
      final int[] dpRanks,
      final int count,
      final long workerId,
      final int dpRank) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      final int middle = (low + high) >>> 1;
      final int order = compare(workerIds[middle], dpRanks[middle], workerId, dpRank);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
