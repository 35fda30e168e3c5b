package io.kvroute.index;

/**
 * The ranks of one index as a look-up needs them, copied to the Java heap: who they are, in which
 * order, and which slots are theirs. Copied anew when a rank has come or gone.
 */
final class RankNames {
  private final Ranks source;
  private int version = -1;

  /** Place in the order of all ranks, by slot. */
  final int[] orders;

  /** Worker by place in the order. */
  final long[] workerIds;

  /** Data-parallel rank by place in the order. */
  final int[] dpRanks;

  /** The slots of ranks that are known, a bit each; slots of those that are leaving are not in. */
  final long[] known;

  RankNames(final Ranks source) {
    this.source = source;
    final int columns = source.wordsPerTier() << 6;
    orders = new int[columns];
    workerIds = new long[columns];
    dpRanks = new int[columns];
    known = new long[columns >>> 6];
  }

  boolean isOf(final Ranks ranks) {
    return source == ranks;
  }

  boolean isCurrent() {
    return version == source.version();
  }

  /** Makes the next look-up copy again: the ranks were changed during the last copying. */
  void forget() {
    version = -1;
  }

  /** Copies the ranks; if they are being changed, into whatever state, but not out of bounds. */
  void learn() {
    final int newVersion = source.version();
    for (int w = 0; w < known.length; w++) {
      known[w] = 0;
    }
    final int used = source.used();
    for (int order = 0; order < used; order++) {
      final int rank = source.sorted(order);
      orders[rank] = order;
      workerIds[order] = source.workerId(rank);
      dpRanks[order] = source.dpRank(rank);
      known[rank >>> 6] |= 1L << rank;
    }
    version = newVersion;
  }
}
