package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * A rank that the index knows. Behind the records lie the rank slots in ascending order of (worker,
 * rank), 4 bytes each, and the number of blocks that each holder column holds, 8 bytes each.
 *
 * <pre>
 *   0                 8        12       16       20       24
 *   +-----------------+--------+--------+--------+--------+
 *   | worker_id       | dp_rank| order  | names  | used   |
 *   +-----------------+--------+--------+--------+--------+
 * </pre>
 */
final class RankLayout {
  static final int WORKER_ID = 0;
  static final int DP_RANK = 8;
  static final int ORDER = 12;
  static final int NAMES = 16;
  static final int USED = 20;
  static final int LENGTH = 24;

  private RankLayout() {}

  static String table() {
    return new LayoutPrinter("rank", LENGTH)
        .field("worker_id", WORKER_ID, 8, "u64")
        .field("dp_rank", DP_RANK, 4, "u32")
        .field("order", ORDER, 4, "how many ranks are lower by (worker_id, dp_rank), unsigned")
        .field("names", NAMES, 4, "names of its own")
        .field("used", USED, 4, "1 if the slot is in use; else 0 and order is the next free slot")
        .print();
  }
}
