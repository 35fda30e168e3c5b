package io.kvroute.load;

import io.kvroute.memory.LayoutPrinter;

/**
 * A run of prompt blocks without a branch, in which no request ends but with its last block. A bit
 * per rank slot follows, set if a request of the rank goes through; whole words of 8 bytes.
 *
 * <pre>
 *   0        4        8        12       16       20       24       28       32
 *   +--------+--------+--------+--------+--------+--------+--------+--------+
 *   | parent | first  | start  | count  | last   |children| child  |requests|
 *   +--------+--------+--------+--------+--------+--------+--------+--------+
 * </pre>
 */
final class PathEdgeLayout {
  static final int PARENT = 0;
  static final int FIRST = 4;
  static final int START = 8;
  static final int COUNT = 12;
  static final int LAST = 16;
  static final int CHILDREN = 20;
  static final int CHILD = 24;
  static final int REQUESTS = 28;
  static final int RANKS = 32;
  static final int LENGTH = 32;

  private PathEdgeLayout() {}

  static String table() {
    return new LayoutPrinter("path edge", LENGTH)
        .field("parent", PARENT, 4, "edge above, or -1; if free: next free edge")
        .field("first", FIRST, 4, "granule with the first hash")
        .field("start", START, 4, "position of the first block in its prompts")
        .field("count", COUNT, 4, "blocks")
        .field("last", LAST, 4, "granule with the last hash")
        .field("children", CHILDREN, 4, "edges below")
        .field("child", CHILD, 4, "exclusive or of their numbers: the child, if there is one")
        .field("requests", REQUESTS, 4, "that go through, of all ranks; 0 if free")
        .print();
  }
}
