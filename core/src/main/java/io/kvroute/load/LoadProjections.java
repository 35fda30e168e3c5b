package io.kvroute.load;

import io.kvroute.protocol.RankOrder;
import java.util.Arrays;

/**
 * What every rank is busy with, and what one request would add to it. Owned by the caller and used
 * again and again; it grows to the number of ranks and allocates nothing after that. Ranks are
 * ascending by (worker id, data-parallel rank), unsigned.
 *
 * <p>Not thread-safe.
 */
public final class LoadProjections {
  private static final int INITIAL = 16;

  private int count;
  private long[] workerIds = new long[INITIAL];
  private int[] dpRanks = new int[INITIAL];
  private long[] activePrefillTokens = new long[INITIAL];
  private long[] activeDecodeBlocks = new long[INITIAL];
  private long[] additionalActiveBlocks = new long[INITIAL];
  private long[] activeRequests = new long[INITIAL];

  /** Makes an empty one. */
  public LoadProjections() {}

  /** Number of ranks. */
  public int count() {
    return count;
  }

  /**
   * Worker of the rank {@code i}, unsigned.
   *
   * @throws IndexOutOfBoundsException if there is no such rank; so for all that take an index
   */
  public long workerId(final int i) {
    return workerIds[checked(i)];
  }

  /** Data-parallel rank of the rank {@code i}, unsigned. */
  public int dpRank(final int i) {
    return dpRanks[checked(i)];
  }

  /** Tokens that wait for prefill, unsigned. */
  public long activePrefillTokens(final int i) {
    return activePrefillTokens[checked(i)];
  }

  /** Blocks of active requests, unsigned. */
  public long activeDecodeBlocks(final int i) {
    return activeDecodeBlocks[checked(i)];
  }

  /** Blocks that the request would add, unsigned. */
  public long additionalActiveBlocks(final int i) {
    return additionalActiveBlocks[checked(i)];
  }

  /** Active requests, unsigned. */
  public long activeRequests(final int i) {
    return activeRequests[checked(i)];
  }

  /** Blocks of active requests with those that the request would add, unsigned. */
  public long potentialDecodeBlocks(final int i) {
    return activeDecodeBlocks[checked(i)] + additionalActiveBlocks[i];
  }

  /** Where a rank is, or -1 if it is not in it. */
  public int indexOf(final long workerId, final int dpRank) {
    return RankOrder.indexOf(workerIds, dpRanks, count, workerId, dpRank);
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

  private int compareLast(final long workerId, final int dpRank) {
    return RankOrder.compare(workerIds[count - 1], dpRanks[count - 1], workerId, dpRank);
  }

  /** Empties it. */
  public void clear() {
    count = 0;
  }

  /**
   * Adds a rank. All numbers are unsigned.
   *
   * @param prefillTokens that wait for prefill now
   * @param decodeBlocks of active requests
   * @param additionalBlocks that the request would add
   * @param requests that are active
   * @throws IllegalArgumentException if it is not behind the last one
   */
  public void add(
      final long workerId,
      final int dpRank,
      final long prefillTokens,
      final long decodeBlocks,
      final long additionalBlocks,
      final long requests) {
    if (count > 0 && compareLast(workerId, dpRank) >= 0) {
      throw notAscending(workerId, dpRank);
    }
    if (count == workerIds.length) {
      grow(2 * count);
    }
    put(workerId, dpRank, prefillTokens, decodeBlocks, additionalBlocks, requests);
  }

  /** Empties it and makes room. */
  void begin(final int ranks) {
    count = 0;
    if (ranks > workerIds.length) {
      grow(Math.max(ranks, 2 * workerIds.length));
    }
  }

  /** Puts a rank behind the last one; there is room, and that is its place. */
  void put(
      final long workerId,
      final int dpRank,
      final long prefillTokens,
      final long decodeBlocks,
      final long additionalBlocks,
      final long requests) {
    workerIds[count] = workerId;
    dpRanks[count] = dpRank;
    activePrefillTokens[count] = prefillTokens;
    activeDecodeBlocks[count] = decodeBlocks;
    additionalActiveBlocks[count] = additionalBlocks;
    activeRequests[count] = requests;
    count++;
  }

  /** A rank has the leading blocks of the request already. */
  void overlap(final int i, final int blocks) {
    additionalActiveBlocks[i] -= blocks;
  }

  private void grow(final int length) {
    workerIds = Arrays.copyOf(workerIds, length);
    dpRanks = Arrays.copyOf(dpRanks, length);
    activePrefillTokens = Arrays.copyOf(activePrefillTokens, length);
    activeDecodeBlocks = Arrays.copyOf(activeDecodeBlocks, length);
    additionalActiveBlocks = Arrays.copyOf(additionalActiveBlocks, length);
    activeRequests = Arrays.copyOf(activeRequests, length);
  }

  private IllegalArgumentException notAscending(final long workerId, final int dpRank) {
    return new IllegalArgumentException(
        "ranks have to be ascending: workerId="
            + Long.toUnsignedString(workerId)
            + " dpRank="
            + Integer.toUnsignedString(dpRank)
            + " lastWorkerId="
            + Long.toUnsignedString(workerIds[count - 1])
            + " lastDpRank="
            + Integer.toUnsignedString(dpRanks[count - 1]));
  }
}
