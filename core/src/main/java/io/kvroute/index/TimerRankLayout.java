package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * What timers know of a rank: where its buckets are counted from, and which is the last and the
 * first of them, written plus one, so that 0 stands for none.
 *
 * <pre>
 *   0                 8        12       16
 *   +-----------------+--------+--------+
 *   | origin          | latest |earliest|
 *   +-----------------+--------+--------+
 * </pre>
 */
final class TimerRankLayout {
  static final int ORIGIN = 0;
  static final int LATEST = 8;
  static final int EARLIEST = 12;
  static final int LENGTH_SHIFT = 4;

  private TimerRankLayout() {}

  static String table() {
    return new LayoutPrinter("timer rank", 1 << LENGTH_SHIFT)
        .field("origin", ORIGIN, 8, "instant in nanoseconds that buckets are counted from, i64")
        .field("latest", LATEST, 4, "bucket that ends last, plus one; 0 none")
        .field("earliest", EARLIEST, 4, "bucket that ends first, plus one; 0 none")
        .print();
  }
}
