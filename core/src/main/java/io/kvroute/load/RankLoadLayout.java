package io.kvroute.load;

import io.kvroute.memory.LayoutPrinter;

/**
 * What one rank is busy with, in two cache lines. Behind the records lie the slots of the ranks in
 * ascending order of (worker, rank), 4 bytes each.
 *
 * <pre>
 *   0                 8        12       16                24       28       32
 *   +-----------------+--------+--------+-----------------+--------+--------+
 *   | worker_id       | dp_rank| order  | gate            |requests| first  |
 *   +-----------------+--------+--------+-----------------+--------+--------+
 *   32       36       40       44       48                56                64
 *   +--------+--------+--------+--------+-----------------+-----------------+
 *   | last   | prefill| pr.last|unmodel.| prefill tokens  | modelled ms     |
 *   +--------+--------+--------+--------+-----------------+-----------------+
 *   64                72                80                88                96
 *   +-----------------+-----------------+-----------------+-----------------+
 *   | blocks          | weighted        | weight high     | weight low      |
 *   +-----------------+-----------------+-----------------+-----------------+
 *   96                104               112               120               128
 *   +-----------------+-----------------+-----------------+--------+--------+
 *   | anchor since    | anchor tokens   | anchor expected | used   |        |
 *   +-----------------+-----------------+-----------------+--------+--------+
 * </pre>
 */
final class RankLoadLayout {
  static final int WORKER_ID = 0;
  static final int DP_RANK = 8;
  static final int ORDER = 12;
  static final int GATE = 16;
  static final int REQUESTS = 24;
  static final int FIRST = 28;
  static final int LAST = 32;
  static final int FIRST_PREFILL = 36;
  static final int LAST_PREFILL = 40;
  static final int UNMODELLED = 44;
  static final int PREFILL_TOKENS = 48;
  static final int MODELLED_MS = 56;
  static final int BLOCKS = 64;
  static final int WEIGHTED = 72;
  static final int WEIGHT_HIGH = 80;
  static final int WEIGHT_LOW = 88;
  static final int ANCHOR_SINCE = 96;
  static final int ANCHOR_TOKENS = 104;
  static final int ANCHOR_EXPECTED = 112;
  static final int USED = 120;
  static final int LENGTH = 128;
  static final int LENGTH_SHIFT = 7;

  private RankLoadLayout() {}

  static String table() {
    return new LayoutPrinter("rank load", LENGTH)
        .field("worker_id", WORKER_ID, 8, "u64")
        .field("dp_rank", DP_RANK, 4, "u32")
        .field("order", ORDER, 4, "how many ranks are lower by (worker_id, dp_rank), unsigned")
        .field("gate", GATE, 8, "instant of the latest search for expired requests, ns")
        .field("requests", REQUESTS, 4, "active requests")
        .field("first", FIRST, 4, "oldest request plus one; 0 none")
        .field("last", LAST, 4, "youngest request plus one; 0 none")
        .field("first prefill", FIRST_PREFILL, 4, "oldest outstanding prefill (anchor) plus one")
        .field("last prefill", LAST_PREFILL, 4, "youngest outstanding prefill plus one; 0 none")
        .field("unmodelled", UNMODELLED, 4, "outstanding prefills without expected duration")
        .field("prefill tokens", PREFILL_TOKENS, 8, "of outstanding prefills, initially")
        .field("modelled ms", MODELLED_MS, 8, "their expected durations, each cut to whole ms")
        .field("blocks", BLOCKS, 8, "distinct blocks of prompts, and blocks of outputs")
        .field("weighted", WEIGHTED, 8, "of these, blocks that have a weight")
        .field("weight high", WEIGHT_HIGH, 8, "sum of the weights, upper 64 of 128 bits")
        .field("weight low", WEIGHT_LOW, 8, "lower 64 bits; 1 is 2^52")
        .field("anchor since", ANCHOR_SINCE, 8, "from when on the anchor decays, ns")
        .field("anchor tokens", ANCHOR_TOKENS, 8, "of the anchor, initially")
        .field("anchor expected", ANCHOR_EXPECTED, 8, "duration of the anchor in ns, or -1")
        .field("used", USED, 4, "1 if the slot is in use; else 0 and order is the next free slot")
        .print();
  }
}
