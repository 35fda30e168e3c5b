package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * A rank that the index knows. Behind the records lie the rank slots in ascending order of (worker,
 * rank), 4 bytes each, and the number of blocks that each holder column holds, 8 bytes each.
 *
 * <pre>
 *   0                 8        12       16       20       24
 *   +-----------------+--------+--------+--------+--------+
 *   | worker_id       | dp_rank| order  | names  | state  |
 *   +-----------------+--------+--------+--------+--------+
 * </pre>
 */
final class RankLayout {
  static final int WORKER_ID = 0;
  static final int DP_RANK = 8;
  static final int ORDER = 12;
  static final int NAMES = 16;
  static final int STATE = 20;
  static final int LENGTH = 24;

  /** State: the rank is known. */
  static final int USED = 1;

  /** State: blocks of the rank are not in the index although its engine holds them. */
  static final int APPROXIMATE = 2;

  /** State: the rank is forgotten, but what it held has not all been taken away. */
  static final int LEAVING = 4;

  private RankLayout() {}

  static String table() {
    return new LayoutPrinter("rank", LENGTH)
        .field("worker_id", WORKER_ID, 8, "u64")
        .field("dp_rank", DP_RANK, 4, "u32")
        .field("order", ORDER, 4, "how many ranks are lower by (worker_id, dp_rank), unsigned")
        .field("names", NAMES, 4, "names of its own")
        .field(
            "state",
            STATE,
            4,
            "1 known, +2 approximate; 4 leaving; 0 free: order is the next free slot")
        .print();
  }
}
