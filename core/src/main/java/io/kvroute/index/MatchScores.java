package io.kvroute.index;

import io.kvroute.protocol.StorageTier;
import java.util.Arrays;

/**
 * What a look-up found: how many leading blocks of the prompt each rank holds. Owned by the caller
 * and used again and again; it grows to the rank capacity of an index when it first meets it and
 * allocates nothing after that. Ranks that hold nothing of the prompt are not in it. The order is
 * ascending by (worker id, data-parallel rank), unsigned.
 *
 * <p>Not thread-safe: one look-up at a time, and its reader is the same thread.
 */
public final class MatchScores {
  private static final int INITIAL_PATH = 64;

  private int count;
  private int tierBits;
  private long[] workerIds = new long[0];
  private int[] dpRanks = new int[0];
  private final int[][] results = new int[Ranks.TIERS][0];

  // What the look-up works with: by rank slot, but for the present bits, which are by order.
  private int capacity;
  private int words;
  private long[] active = new long[0];
  private long[] present = new long[0];
  private final int[][] scores = new int[Ranks.TIERS][0];
  private int[] totals = new int[0];
  private int[] path = new int[2 * INITIAL_PATH];
  private int pathLength;

  /** Makes an empty one. */
  public MatchScores() {}

  /** How many ranks hold at least the first block. */
  public int count() {
    return count;
  }

  /**
   * Worker of the rank {@code i}, unsigned 64-bit.
   *
   * @throws IndexOutOfBoundsException unless 0 &lt;= i &lt; count
   */
  public long workerId(final int i) {
    return workerIds[checked(i)];
  }

  /** Data-parallel rank of the rank {@code i}, unsigned 32-bit. */
  public int dpRank(final int i) {
    return dpRanks[checked(i)];
  }

  /** Leading blocks of the prompt that the rank {@code i} holds on its device. */
  public int device(final int i) {
    return extension(i, StorageTier.DEVICE);
  }

  /**
   * Blocks that a tier adds behind those of the tiers above it, in the order device, host, disk,
   * external. For the device these are the leading blocks themselves; after a look-up in one tier
   * alone, they are that tier's leading blocks and those of all others are 0.
   */
  public int extension(final int i, final StorageTier tier) {
    checked(i);
    final int t = tier.ordinal();
    return (tierBits >>> t & 1) == 0 ? 0 : results[t][i];
  }

  /** Leading blocks that the rank {@code i} holds in all tiers together. */
  public int total(final int i) {
    checked(i);
    int total = 0;
    for (int t = 0; t < Ranks.TIERS; t++) {
      total += (tierBits >>> t & 1) == 0 ? 0 : results[t][i];
    }
    return total;
  }

  /** Where a rank stands in the result, or -1 if it holds nothing of the prompt. */
  public int indexOf(final long workerId, final int dpRank) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      final int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(workerIds[middle], workerId);
      if (order == 0) {
        order = Integer.compareUnsigned(dpRanks[middle], dpRank);
      }
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

  private int checked(final int i) {
    if (i < 0 || i >= count) {
      throw outOfBounds(i);
    }
    return i;
  }

  private IndexOutOfBoundsException outOfBounds(final int i) {
    return new IndexOutOfBoundsException("no such rank: index=" + i + " count=" + count);
  }

  // ------ for the look-up

  /** Empties it and makes room for the ranks of an index. */
  void begin(final int rankCapacity, final int wordsPerTier) {
    count = 0;
    pathLength = 0;
    if (rankCapacity > capacity) {
      grow(rankCapacity, wordsPerTier);
    }
    words = wordsPerTier;
    for (int i = 0; i < wordsPerTier; i++) {
      present[i] = 0;
    }
  }

  private void grow(final int rankCapacity, final int wordsPerTier) {
    capacity = rankCapacity;
    active = new long[wordsPerTier];
    present = new long[wordsPerTier];
    workerIds = new long[rankCapacity];
    dpRanks = new int[rankCapacity];
    totals = new int[rankCapacity];
    for (int t = 0; t < Ranks.TIERS; t++) {
      scores[t] = new int[rankCapacity];
      results[t] = new int[rankCapacity];
    }
  }

  long[] active() {
    return active;
  }

  /** Sets the score of a rank in the first tier that is looked at. */
  void score(final int tier, final int rank, final int order, final int score) {
    scores[tier][rank] = score;
    present[order >>> 6] |= 1L << order;
  }

  /** Prepares for further tiers: so far, {@code tier} alone has been looked at. */
  void beginExtensions(final Ranks ranks, final int tier) {
    for (int w = 0; w < words; w++) {
      for (long bits = present[w]; bits != 0; bits &= bits - 1) {
        final int rank = ranks.sorted((w << 6) + Long.numberOfTrailingZeros(bits));
        beginRank(rank, scores[tier][rank]);
        scores[tier][rank] = totals[rank];
      }
    }
  }

  private void beginRank(final int rank, final int total) {
    totals[rank] = total;
    for (int t = 0; t < Ranks.TIERS; t++) {
      scores[t][rank] = 0;
    }
  }

  /** A rank holds {@code held} blocks from {@code start} on in a further tier. */
  void extend(final int tier, final int rank, final int order, final int start, final int held) {
    if ((present[order >>> 6] >>> order & 1) == 0) {
      if (start != 0 || held == 0) {
        return;
      }
      beginRank(rank, 0);
      present[order >>> 6] |= 1L << order;
    }
    final int total = totals[rank];
    if (start <= total && total < start + held) {
      scores[tier][rank] += start + held - total;
      totals[rank] = start + held;
    }
  }

  void addToPath(final int edge, final int matched) {
    if (pathLength << 1 == path.length) {
      path = Arrays.copyOf(path, path.length * 2);
    }
    path[pathLength << 1] = edge;
    path[(pathLength << 1) + 1] = matched;
    pathLength++;
  }

  int pathLength() {
    return pathLength;
  }

  int pathEdge(final int i) {
    return path[i << 1];
  }

  int pathMatched(final int i) {
    return path[(i << 1) + 1];
  }

  /**
   * Lists the ranks that were found.
   *
   * @param tiers the tiers that have scores, as bits
   */
  void finish(final Ranks ranks, final int tiers) {
    tierBits = tiers;
    int n = 0;
    for (int w = 0; w < words; w++) {
      for (long bits = present[w]; bits != 0; bits &= bits - 1) {
        final int rank = ranks.sorted((w << 6) + Long.numberOfTrailingZeros(bits));
        workerIds[n] = ranks.workerId(rank);
        dpRanks[n] = ranks.dpRank(rank);
        for (int t = 0, rest = tiers; rest != 0; t++, rest >>>= 1) {
          if ((rest & 1) != 0) {
            results[t][n] = scores[t][rank];
          }
        }
        n++;
      }
    }
    count = n;
  }

  /** Cuts the highest total to one more than the second highest, the deepest tiers first. */
  void cutToDecision() {
    int best = -1;
    int second = 0;
    for (int i = 0; i < count; i++) {
      if (best < 0 || total(i) > total(best)) {
        second = best < 0 ? 0 : total(best);
        best = i;
      } else {
        second = Math.max(second, total(i));
      }
    }
    if (best < 0) {
      return;
    }
    int excess = total(best) - second - 1;
    for (int t = Ranks.TIERS - 1; t >= 0 && excess > 0; t--) {
      if ((tierBits >>> t & 1) != 0) {
        final int cut = Math.min(excess, results[t][best]);
        results[t][best] -= cut;
        excess -= cut;
      }
    }
  }
}
