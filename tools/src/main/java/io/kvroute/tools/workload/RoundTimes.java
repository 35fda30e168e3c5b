package io.kvroute.tools.workload;

import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.io.Fields;
import java.util.Arrays;

/** What equal rounds of one operation took. */
final class RoundTimes {
  private static final int INITIAL_ROUNDS = 8;

  private final long operationsPerRound;
  private long[] nanos = new long[INITIAL_ROUNDS];
  private int rounds;

  /** For rounds of as many operations each; at least one. */
  RoundTimes(final long operationsPerRound) {
    if (operationsPerRound < 1) {
      throw new IllegalArgumentException("no operations: perRound=" + operationsPerRound);
    }
    this.operationsPerRound = operationsPerRound;
  }

  /** Takes the nanoseconds of one whole round. */
  void add(final long roundNanos) {
    if (rounds == nanos.length) {
      nanos = Arrays.copyOf(nanos, rounds * 2);
    }
    nanos[rounds++] = roundNanos;
  }

  int rounds() {
    return rounds;
  }

  /** Nanoseconds per operation: least, middle and most of the rounds. */
  Fields toFields() {
    final Fields fields = new Fields();
    if (rounds == 0) {
      return fields;
    }
    final long[] sorted = Arrays.copyOf(nanos, rounds);
    Arrays.sort(sorted);
    final long twiceMedian = sorted[(rounds - 1) / 2] + sorted[rounds / 2];
    fields.putDecimal("min", Decimals.ratio(sorted[0], operationsPerRound, 1));
    fields.putDecimal("median", Decimals.ratio(twiceMedian, 2 * operationsPerRound, 1));
    fields.putDecimal("max", Decimals.ratio(sorted[rounds - 1], operationsPerRound, 1));
    return fields;
  }
}
