package io.kvroute.tools.report;

import io.kvroute.index.IndexShape;
import io.kvroute.index.IndexShape.RankShare;
import io.kvroute.index.IndexShape.Structure;
import io.kvroute.index.SnapshotInfo;

/**
 * What a snapshot holds, to be written as JSON, text or a page.
 *
 * @param file its name
 * @param info what its header says
 * @param shape of the index that it was restored to
 * @param restoreNanos how long that took
 */
public record SnapshotReport(String file, SnapshotInfo info, IndexShape shape, long restoreNanos) {

  /** Bytes that an index of the capacities of the one that was written takes. */
  long reservedBytes() {
    return info.likeWritten().requiredBytes();
  }

  /** Bytes of what the restored index holds. */
  long usedBytes() {
    return shape.structures().stream().mapToLong(Structure::usedBytes).sum();
  }

  /** Workers, each with at least one rank. */
  long workers() {
    return shape.ranks().stream().mapToLong(RankShare::workerId).distinct().count();
  }

  /** Ranks that are approximate. */
  long approximateRanks() {
    return shape.ranks().stream().filter(RankShare::approximate).count();
  }

  /** The first number that a bucket of a histogram counts. */
  static long bucketFrom(final int bucket) {
    return bucket == 0 ? 0 : 1L << (bucket - 1);
  }

  /** The last number that a bucket of a histogram counts. */
  static long bucketTo(final int bucket) {
    return (1L << bucket) - 1;
  }
}
