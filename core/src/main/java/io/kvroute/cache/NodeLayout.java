package io.kvroute.cache;

import io.kvroute.memory.LayoutPrinter;

/**
 * A radix node and the edge that leads to it:
 *
 * <pre>
 *   0        4         8       12      16      20      24             32
 *   +--------+---------+-------+-------+-------+-------+--------------+
 *   | parent | children| head  | tail  | count | locks | stamp        |
 *   +--------+---------+-------+-------+-------+-------+--------------+
 * </pre>
 *
 * head, tail and count are the edge's {@link PageChain}. A free node's parent field links the list
 * of free nodes.
 */
final class NodeLayout {
  static final int PARENT_OFFSET = 0;
  static final int CHILD_COUNT_OFFSET = 4;
  static final int HEAD_OFFSET = 8;
  static final int TAIL_OFFSET = 12;
  static final int COUNT_OFFSET = 16;
  static final int LOCK_COUNT_OFFSET = 20;
  static final int STAMP_OFFSET = 24;
  static final int LENGTH = 32;

  private NodeLayout() {}

  static String table() {
    return new LayoutPrinter("NodeLayout", LENGTH)
        .field("parent", PARENT_OFFSET, 4, "node number; next free node while free")
        .field("childCount", CHILD_COUNT_OFFSET, 4, "children in the child table")
        .field("head", HEAD_OFFSET, 4, "first extent of the edge's pages")
        .field("tail", TAIL_OFFSET, 4, "last extent of the edge's pages")
        .field("count", COUNT_OFFSET, 4, "pages of the edge")
        .field("lockCount", LOCK_COUNT_OFFSET, 4, "leases at or below this node")
        .field("stamp", STAMP_OFFSET, 8, "tick of the last use")
        .print();
  }
}
