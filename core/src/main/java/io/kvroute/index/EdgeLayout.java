package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * One edge of the radix tree: a run of blocks without a branch, and who holds them. It fills a
 * cache line.
 *
 * <pre>
 *   0        4        8        12       16       20       24       28       32
 *   +--------+--------+--------+--------+--------+--------+--------+--------+
 *   | parent | first  | start  | count  | tail   | child  | next   | prev   |
 *   +--------+--------+--------+--------+--------+--------+--------+--------+
 *   32                40       44       48       52       56       60       64
 *   +-----------------+--------+--------+--------+--------+--------+--------+
 *   | word bits       | word   | words  | part   | parts  | older  | newer  |
 *   +-----------------+--------+--------+--------+--------+--------+--------+
 * </pre>
 *
 * <p>The full holders are a sparse bit set over holder columns. A set of one word lies in the
 * record; a larger one in a run of {@link HolderLayout} entries, whose number then stands in the
 * field <i>word</i>. Holders of a proper prefix of the edge are listed, in no order, in another
 * run.
 */
final class EdgeLayout {
  static final int PARENT = 0;
  static final int FIRST = 4;
  static final int START = 8;
  static final int COUNT = 12;
  static final int TAIL = 16;
  static final int CHILD = 20;
  static final int NEXT = 24;
  static final int PREVIOUS = 28;
  static final int WORD_BITS = 32;
  static final int WORD = 40;
  static final int WORDS = 44;
  static final int PART = 48;
  static final int PARTS = 52;
  static final int OLDER = 56;
  static final int NEWER = 60;
  static final int LENGTH = 64;
  static final int LENGTH_SHIFT = 6;

  private EdgeLayout() {}

  static String table() {
    return new LayoutPrinter("edge", LENGTH)
        .field("parent", PARENT, 4, "edge above; if free: next free edge")
        .field("first", FIRST, 4, "slot of the first block")
        .field("start", START, 4, "position from the root of the first block")
        .field("count", COUNT, 4, "blocks")
        .field("tail", TAIL, 4, "slot of the last block")
        .field("child", CHILD, 4, "first edge below, or -1")
        .field("next", NEXT, 4, "next edge below the same parent, or -1")
        .field("previous", PREVIOUS, 4, "previous edge below the same parent, or -1")
        .field("word bits", WORD_BITS, 8, "full holders if they are one word")
        .field("word", WORD, 4, "number of that word, or run of the words if several")
        .field("words", WORDS, 4, "words of full holders that are not 0")
        .field("part", PART, 4, "run of the partial holders, if any")
        .field("parts", PARTS, 4, "number of partial holders")
        .field("older", OLDER, 4, "leaf whose last store was just before, -1 if none; -2: no leaf")
        .field("newer", NEWER, 4, "leaf whose last store was just after, -1 if none")
        .print();
  }
}
