package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * The instant at which some timers of a rank end. The buckets of a rank are linked in the order of
 * their instants; links are written plus one, so that 0 stands for none.
 *
 * <pre>
 *   0                 8        12       16       20       24
 *   +-----------------+--------+--------+--------+--------+
 *   | expiry          | rank   | first  | later  | earlier|
 *   +-----------------+--------+--------+--------+--------+
 * </pre>
 */
final class TimerBucketLayout {
  static final int EXPIRY = 0;
  static final int RANK = 8;
  static final int FIRST = 12;
  static final int LATER = 16;
  static final int EARLIER = 20;
  static final int LENGTH = 24;

  private TimerBucketLayout() {}

  static String table() {
    return new LayoutPrinter("timer bucket", LENGTH)
        .field("expiry", EXPIRY, 8, "instant in nanoseconds, i64")
        .field("rank", RANK, 4, "slot of the rank")
        .field("first", FIRST, 4, "timer plus one; 0 none")
        .field("later", LATER, 4, "bucket of the rank plus one; of a free one: next free")
        .field("earlier", EARLIER, 4, "bucket of the rank plus one; 0 none")
        .print();
  }
}
