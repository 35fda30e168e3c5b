package io.kvroute.index;

import io.kvroute.protocol.RankOrder;
import io.kvroute.protocol.StorageTier;
import java.util.Arrays;

/**
 * What a look-up found: how many leading blocks of the prompt each rank holds. Owned by the caller
 * and used again and again; it grows to the rank capacity of an index when it first meets it and
 * allocates nothing after that. (It copies the ranks' identities when it meets an index, and again
 * when they have changed; it knows up to 16 indexes, or parts of one, at a time.) Ranks that hold
 * nothing of the prompt are not in it. The order is ascending by (worker id, data-parallel rank),
 * unsigned.
 *
 * <p>Not thread-safe: one look-up at a time, and its reader is the same thread.
 */
public final class MatchScores {
  private static final int INITIAL_PATH = 64;
  private static final int MAX_SOURCES = 16;

  private int count;
  private int tierBits;
  private int[] found = new int[0];

  // The ranks of the indexes, or parts of one, that were met last, and of that of this result.
  private final RankNames[] sources = new RankNames[MAX_SOURCES];
  private int nextSource;
  private RankNames source;
  private boolean learned;
  private long[] workerIds = new long[0];
  private int[] dpRanks = new int[0];
  private int[] orders = new int[0];
  private long[] mergedWorkerIds = new long[0];
  private int[] mergedDpRanks = new int[0];

  // What the look-up works with: candidates by rank slot, all else by order.
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
    return workerIds[found[checked(i)]];
  }

  /** Data-parallel rank of the rank {@code i}, unsigned 32-bit. */
  public int dpRank(final int i) {
    return dpRanks[found[checked(i)]];
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
    return get(i, tier.ordinal());
  }

  /** Leading blocks that the rank {@code i} holds in all tiers together. */
  public int total(final int i) {
    checked(i);
    int total = 0;
    for (int t = 0; t < Ranks.TIERS; t++) {
      total += get(i, t);
    }
    return total;
  }

  private int get(final int i, final int tier) {
    return (tierBits >>> tier & 1) == 0 ? 0 : scores[tier][found[i]];
  }

  /** Where a rank stands in the result, or -1 if it holds nothing of the prompt. */
  public int indexOf(final long workerId, final int dpRank) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      final int middle = (low + high) >>> 1;
      final int rank = found[middle];
      final int order = RankOrder.compare(workerIds[rank], dpRanks[rank], workerId, dpRank);
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

  // ------ two results as one

  /**
   * Becomes the union of two results of look-ups in all tiers: per rank, what {@code confirmed} has
   * found, or, where that is less than what {@code predicted} has on the device, the latter. A
   * longer prediction takes over what lower tiers add up to its end, so that nothing is counted
   * twice.
   */
  void merge(final MatchScores confirmed, final MatchScores predicted) {
    final int atMost = confirmed.count + predicted.count;
    if (atMost > found.length) {
      grow((atMost + 63) & -64);
    }
    if (found.length > mergedDpRanks.length) {
      mergedWorkerIds = new long[found.length];
      mergedDpRanks = new int[found.length];
    }
    workerIds = mergedWorkerIds;
    dpRanks = mergedDpRanks;
    count = 0;
    tierBits = confirmed.tierBits | 1;
    int i = 0;
    int j = 0;
    while (i < confirmed.count || j < predicted.count) {
      final int order = compare(confirmed, i, predicted, j);
      final MatchScores named = order <= 0 ? confirmed : predicted;
      final int at = order <= 0 ? i : j;
      workerIds[count] = named.workerId(at);
      dpRanks[count] = named.dpRank(at);
      mergeTiers(order <= 0 ? confirmed : null, i, order >= 0 ? predicted.device(j) : 0);
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
  }

  private static int compare(
      final MatchScores left, final int i, final MatchScores right, final int j) {
    if (i == left.count || j == right.count) {
      return i == left.count ? 1 : -1;
    }
    return RankOrder.compare(left.workerId(i), left.dpRank(i), right.workerId(j), right.dpRank(j));
  }

  private void mergeTiers(final MatchScores confirmed, final int i, final int predicted) {
    int total = 0;
    int given = 0;
    for (int t = 0; t < Ranks.TIERS; t++) {
      total += confirmed == null ? 0 : confirmed.get(i, t);
      final int end = t == 0 ? Math.max(total, predicted) : Math.max(total, given);
      scores[t][count] = end - given;
      given = end;
    }
    found[count] = count;
    count++;
  }

  // ------ for the look-up

  /** Empties it; if the ranks of the index are not as it knows them, learns them. */
  void begin(final Ranks ranks) {
    count = 0;
    pathLength = 0;
    learned = false;
    if (source == null || !source.isOf(ranks)) {
      source = sourceOf(ranks);
    }
    if (!source.isCurrent()) {
      source.learn();
      learned = true;
    }
    workerIds = source.workerIds;
    dpRanks = source.dpRanks;
    orders = source.orders;
    words = ranks.wordsPerTier();
    for (int i = 0; i < words; i++) {
      present[i] = 0;
    }
  }

  /** Makes nothing of a look-up that met a change: it is empty. */
  void abandon() {
    count = 0;
    if (learned) {
      source.forget();
    }
  }

  private RankNames sourceOf(final Ranks ranks) {
    for (final RankNames known : sources) {
      if (known != null && known.isOf(ranks)) {
        return known;
      }
    }
    final RankNames fresh = new RankNames(ranks);
    sources[nextSource] = fresh;
    nextSource = (nextSource + 1) % MAX_SOURCES;
    if (ranks.wordsPerTier() > present.length) {
      grow(ranks.wordsPerTier() << 6);
    }
    return fresh;
  }

  private void grow(final int columns) {
    active = new long[columns >>> 6];
    present = new long[columns >>> 6];
    found = new int[columns];
    totals = new int[columns];
    for (int t = 0; t < Ranks.TIERS; t++) {
      scores[t] = new int[columns];
    }
  }

  /** The slots of the ranks that are known, 64 from {@code word * 64} on, a bit each. */
  long known(final int word) {
    return source.known[word];
  }

  /** Candidates, a bit per rank slot. */
  long[] active() {
    return active;
  }

  /** Sets the score of a rank in the first tier that is looked at. */
  void score(final int tier, final int rank, final int score) {
    final int order = orders[rank];
    scores[tier][order] = score;
    present[order >>> 6] |= 1L << order;
  }

  /** Sets the score of 64 ranks from slot {@code word * 64} on whose bits are set. */
  void scoreAll(final int tier, final int word, final long ranks, final int score) {
    final int[] here = scores[tier];
    for (long bits = ranks; bits != 0; bits &= bits - 1) {
      final int order = orders[(word << 6) + Long.numberOfTrailingZeros(bits)];
      here[order] = score;
      present[order >>> 6] |= 1L << order;
    }
  }

  /** Prepares for further tiers: so far, {@code tier} alone has been looked at. */
  void beginExtensions(final int tier) {
    for (int w = 0; w < words; w++) {
      for (long bits = present[w]; bits != 0; bits &= bits - 1) {
        final int order = (w << 6) + Long.numberOfTrailingZeros(bits);
        final int score = scores[tier][order];
        beginRank(order, score);
        scores[tier][order] = score;
      }
    }
  }

  private void beginRank(final int order, final int total) {
    totals[order] = total;
    for (int t = 0; t < Ranks.TIERS; t++) {
      scores[t][order] = 0;
    }
  }

  /** A rank holds {@code held} blocks from {@code start} on in a further tier. */
  void extend(final int tier, final int rank, final int start, final int held) {
    final int order = orders[rank];
    if ((present[order >>> 6] >>> order & 1) == 0) {
      if (start != 0) {
        return;
      }
      beginRank(order, 0);
      present[order >>> 6] |= 1L << order;
    }
    final int total = totals[order];
    if (start <= total && total < start + held) {
      scores[tier][order] += start + held - total;
      totals[order] = start + held;
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
  void finish(final int tiers) {
    tierBits = tiers;
    int n = 0;
    for (int w = 0; w < words; w++) {
      for (long bits = present[w]; bits != 0; bits &= bits - 1) {
        found[n++] = (w << 6) + Long.numberOfTrailingZeros(bits);
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
        final int cut = Math.min(excess, scores[t][found[best]]);
        scores[t][found[best]] -= cut;
        excess -= cut;
      }
    }
  }
}
