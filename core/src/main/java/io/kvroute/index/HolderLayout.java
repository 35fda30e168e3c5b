package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * Who holds an edge. A holder column stands for a rank and a tier: its number is the tier times the
 * stride plus the rank's slot, so that the columns of a tier fill words of their own.
 *
 * <pre>
 *   0                 8        12       16
 *   +-----------------+--------+--------+
 *   | bits            | word   | unused |   full holders, ascending by word
 *   +-----------------+--------+--------+
 *
 *   0        4        8
 *   +--------+--------+
 *   | column | cutoff |                     partial holders, in no order
 *   +--------+--------+
 * </pre>
 */
final class HolderLayout {
  static final int WORD_BITS = 0;
  static final int WORD_INDEX = 8;
  static final int WORD_LENGTH = 16;

  static final int PART_COLUMN = 0;
  static final int PART_CUTOFF = 4;
  static final int PART_LENGTH = 8;

  private HolderLayout() {}

  static String table() {
    return new LayoutPrinter("full holders", WORD_LENGTH)
            .field("bits", WORD_BITS, 8, "a bit per column")
            .field("word", WORD_INDEX, 4, "bit 0 is column word * 64")
            .print()
        + new LayoutPrinter("partial holder", PART_LENGTH)
            .field("column", PART_COLUMN, 4, "holder column")
            .field("cutoff", PART_CUTOFF, 4, "leading blocks of the edge that it holds")
            .print();
  }
}
