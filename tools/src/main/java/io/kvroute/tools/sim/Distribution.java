package io.kvroute.tools.sim;

import java.util.Arrays;

/** Durations in nanoseconds, all of them kept, so that percentiles are exact. Immutable. */
public final class Distribution {
  private final long[] sorted;

  private Distribution(final long[] sorted) {
    this.sorted = sorted;
  }

  /** Of the first {@code count} values, which are copied. */
  static Distribution of(final long[] values, final int count) {
    final long[] copy = Arrays.copyOf(values, count);
    Arrays.sort(copy);
    return new Distribution(copy);
  }

  /** How many values there are. */
  public int count() {
    return sorted.length;
  }

  /**
   * The lowest value that at least so many per mille of all values do not exceed; 0 if there is
   * none.
   *
   * @param perMille from 0 to 1000
   */
  public long perMille(final int perMille) {
    if (sorted.length == 0) {
      return 0;
    }
    final long rank = ((long) perMille * sorted.length + 999) / 1000;
    return sorted[(int) Math.max(0, rank - 1)];
  }

  /** The highest value, 0 if there is none. */
  public long max() {
    return perMille(1000);
  }

  /** The sum of all values. */
  public long sum() {
    long sum = 0;
    for (final long value : sorted) {
      sum += value;
    }
    return sum;
  }
}
