package io.kvroute.tools.sim;

import java.util.Arrays;

/**
 * Sums per interval of virtual time. All intervals have the same length; when time runs beyond the
 * last one, the length doubles and neighbours are added up, so there are at most {@value
 * #MAX_INTERVALS} of them, of which at least half are used once there was a doubling.
 */
public final class Timeline {
  static final int MAX_INTERVALS = 240;
  private static final long FIRST_LENGTH_NS = 1_000_000_000L;

  private final long[][] sums;
  private long lengthNs = FIRST_LENGTH_NS;
  private int used;

  /** For so many rows of sums, all zero. */
  Timeline(final int rows) {
    sums = new long[rows][MAX_INTERVALS];
  }

  /** Length of an interval in virtual nanoseconds. */
  public long lengthNs() {
    return lengthNs;
  }

  /** How many intervals there are, the first of which begins at 0. */
  public int intervals() {
    return used;
  }

  /** Number of rows. */
  public int rows() {
    return sums.length;
  }

  /** A sum. */
  public long sum(final int row, final int interval) {
    return sums[row][interval];
  }

  /** Adds {@code value} at an instant. */
  void add(final int row, final long atNs, final long value) {
    sums[row][reach(atNs)] += value;
  }

  /** Adds {@code value} times the nanoseconds between two instants. */
  void addOver(final int row, final long fromNs, final long toNs, final long value) {
    if (fromNs >= toNs) {
      return;
    }
    reach(toNs - 1);
    long at = fromNs;
    while (at < toNs) {
      final int interval = (int) (at / lengthNs);
      final long end = Math.min(toNs, (interval + 1) * lengthNs);
      sums[row][interval] += value * (end - at);
      at = end;
    }
  }

  private int reach(final long atNs) {
    while (atNs / lengthNs >= MAX_INTERVALS) {
      halve();
    }
    final int interval = (int) (atNs / lengthNs);
    used = Math.max(used, interval + 1);
    return interval;
  }

  private void halve() {
    for (final long[] row : sums) {
      for (int i = 0; i < MAX_INTERVALS / 2; i++) {
        row[i] = row[2 * i] + row[2 * i + 1];
      }
      Arrays.fill(row, MAX_INTERVALS / 2, MAX_INTERVALS, 0);
    }
    lengthNs *= 2;
    used = (used + 1) / 2;
  }
}
