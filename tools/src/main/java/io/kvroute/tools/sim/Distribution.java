package io.kvroute.tools.sim;

import java.util.Arrays;

/** Durations in nanoseconds, all of them kept, so that percentiles are exact. Immutable. */
public final class Distribution {
  private static final long MILLION = 1_000_000;

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

  /** As {@link #perMillion}, from 0 to 1000. */
  public long perMille(final int perMille) {
    return perMillion(perMille * 1_000);
  }

  /**
   * The lowest value that at least so many millionths of all values do not exceed; 0 if there is
   * none.
   *
   * @param perMillion from 0 to 1000000
   */
  public long perMillion(final int perMillion) {
    if (sorted.length == 0) {
      return 0;
    }
    final long rank = ((long) perMillion * sorted.length + MILLION - 1) / MILLION;
    return sorted[(int) Math.max(0, rank - 1)];
  }

  /** The highest value, 0 if there is none. */
  public long max() {
    return perMille(1000);
  }
}
