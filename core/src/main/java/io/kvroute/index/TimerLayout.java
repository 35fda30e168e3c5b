package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * The timer of one block of one rank. Timers that end in the same bucket are linked both ways; the
 * neighbours are written plus one, so that 0 stands for none.
 *
 * <pre>
 *   0                 8        12       16       20       24
 *   +-----------------+--------+--------+--------+--------+
 *   | hash            |position| bucket | next   |previous|
 *   +-----------------+--------+--------+--------+--------+
 * </pre>
 */
final class TimerLayout {
  static final int HASH = 0;
  static final int POSITION = 8;
  static final int BUCKET = 12;
  static final int NEXT = 16;
  static final int PREVIOUS = 20;
  static final int LENGTH = 24;

  private TimerLayout() {}

  static String table() {
    return new LayoutPrinter("timer", LENGTH)
        .field("hash", HASH, 8, "u64")
        .field("position", POSITION, 4, "of the block in its sequence, u32")
        .field("bucket", BUCKET, 4, "in which it ends")
        .field("next", NEXT, 4, "timer of the bucket plus one; 0 none; of a free one: next free")
        .field("previous", PREVIOUS, 4, "timer of the bucket plus one; 0 none")
        .print();
  }
}
