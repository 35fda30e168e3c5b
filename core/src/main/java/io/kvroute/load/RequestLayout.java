package io.kvroute.load;

import io.kvroute.memory.LayoutPrinter;

/**
 * An active request. Places of other requests are stored plus one, so that 0 is none.
 *
 * <pre>
 *   0                 8                 16                24                32
 *   +-----------------+-----------------+-----------------+-----------------+
 *   | key             | started         | origin          | tokens          |
 *   +-----------------+-----------------+-----------------+-----------------+
 *   32                40                48       52       56       60       64
 *   +-----------------+-----------------+--------+--------+--------+--------+
 *   | expected        | output weight   | outputs|weighted| rank   | edge   |
 *   +-----------------+-----------------+--------+--------+--------+--------+
 *   64       68       72       76       80       84       88
 *   +--------+--------+--------+--------+--------+--------+
 *   | next   | prev   | pr.next| pr.prev| out.tok| flags  |
 *   +--------+--------+--------+--------+--------+--------+
 * </pre>
 */
final class RequestLayout {
  static final int KEY = 0;
  static final int STARTED = 8;
  static final int ORIGIN = 16;
  static final int TOKENS = 24;
  static final int EXPECTED = 32;
  static final int OUTPUT_WEIGHT = 40;
  static final int OUTPUTS = 48;
  static final int WEIGHTED_OUTPUTS = 52;
  static final int RANK = 56;
  static final int EDGE = 60;
  static final int NEXT = 64;
  static final int PREVIOUS = 68;
  static final int NEXT_PREFILL = 72;
  static final int PREVIOUS_PREFILL = 76;
  static final int OUTPUT_TOKENS = 80;
  static final int FLAGS = 84;
  static final int LENGTH = 88;

  static final int FLAG_USED = 1;
  static final int FLAG_FOUND = 2;
  static final int FLAG_OUTPUT_TOKENS = 4;

  private RequestLayout() {}

  static String table() {
    return new LayoutPrinter("request", LENGTH)
        .field("key", KEY, 8, "of the caller, or hash of its id")
        .field("started", STARTED, 8, "when it was added, ns")
        .field("origin", ORIGIN, 8, "router that added it, u64")
        .field("tokens", TOKENS, 8, "of its outstanding prefill; 0 if there is none")
        .field("expected", EXPECTED, 8, "duration of the prefill in ns, or -1")
        .field("output weight", OUTPUT_WEIGHT, 8, "of each weighted output block; 1 is 2^52")
        .field("outputs", OUTPUTS, 4, "blocks of output")
        .field("weighted outputs", WEIGHTED_OUTPUTS, 4, "of these, blocks that have the weight")
        .field("rank", RANK, 4, "slot of its rank")
        .field("edge", EDGE, 4, "edge that its prompt ends with, or -1")
        .field("next", NEXT, 4, "next younger request of the rank; if free: next free record")
        .field("previous", PREVIOUS, 4, "next older request of the rank")
        .field("next prefill", NEXT_PREFILL, 4, "next younger outstanding prefill of the rank")
        .field("previous prefill", PREVIOUS_PREFILL, 4, "next older outstanding prefill")
        .field("output tokens", OUTPUT_TOKENS, 4, "that are expected, u32")
        .field("flags", FLAGS, 4, "1 used, 2 its id leads here, 4 output tokens are known")
        .print();
  }
}
