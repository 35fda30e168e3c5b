package io.kvroute.load;

import io.kvroute.memory.LayoutPrinter;

/**
 * How a rank holds an edge: how many of its requests go through, and what its blocks weigh there.
 *
 * <pre>
 *   0        4        8        12       16                24
 *   +--------+--------+--------+--------+-----------------+
 *   | edge   | rank   | count  |weighted| weight          |
 *   +--------+--------+--------+--------+-----------------+
 * </pre>
 */
final class HoldLayout {
  static final int EDGE = 0;
  static final int RANK = 4;
  static final int COUNT = 8;
  static final int WEIGHTED = 12;
  static final int WEIGHT = 16;
  static final int LENGTH = 24;

  private HoldLayout() {}

  static String table() {
    return new LayoutPrinter("hold", LENGTH)
        .field("edge", EDGE, 4, "edge that is held; if free: next free hold")
        .field("rank", RANK, 4, "slot of the rank")
        .field("count", COUNT, 4, "requests of the rank that go through; 0 if free")
        .field("weighted", WEIGHTED, 4, "1 if each block has the weight, 0 if each counts as one")
        .field("weight", WEIGHT, 8, "of each block; 1 is 2^52")
        .print();
  }
}
