package io.kvroute.route;

import io.kvroute.memory.LayoutPrinter;

/**
 * Messages in a router's ring. Both kinds begin with the generation of the worker's registration.
 *
 * <pre>
 *   0                 8
 *   +-----------------+------------------------------------
 *   | generation      | a cache event in its binary form ...
 *   +-----------------+------------------------------------
 *
 *   0                 8                 16       20       24
 *   +-----------------+-----------------+--------+--------+-----------------+
 *   | generation      | worker id       | dp rank| known  | decode blocks   |
 *   +-----------------+-----------------+--------+--------+-----------------+
 *   | prefill tokens  | used blocks     |
 *   +-----------------+-----------------+
 * </pre>
 */
final class FeedMessageLayout {
  /** Message type of a cache event. */
  static final int KV_EVENT = 1;

  /** Message type of a report of load. */
  static final int LOAD = 2;

  static final int GENERATION = 0;
  static final int EVENT = 8;

  static final int WORKER_ID = 8;
  static final int DP_RANK = 16;
  static final int KNOWN = 20;
  static final int DECODE_BLOCKS = 24;
  static final int PREFILL_TOKENS = 32;
  static final int USED_BLOCKS = 40;
  static final int LOAD_LENGTH = 48;

  private FeedMessageLayout() {}

  static String table() {
    return new LayoutPrinter("load message", LOAD_LENGTH)
        .field("generation", GENERATION, 8, "of the worker's registration, in both kinds")
        .field("worker id", WORKER_ID, 8, "unsigned; a cache event begins here in the other kind")
        .field("dp rank", DP_RANK, 4, "unsigned")
        .field("known", KNOWN, 4, "bits: 1 decode blocks, 2 prefill tokens, 4 used blocks")
        .field("decode blocks", DECODE_BLOCKS, 8, "unsigned; 0 if not known")
        .field("prefill tokens", PREFILL_TOKENS, 8, "unsigned; 0 if not known")
        .field("used blocks", USED_BLOCKS, 8, "unsigned; 0 if not known")
        .print();
  }
}
