package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * The slots of blocks and the granules that they come in. Slot {@code s} is element {@code s} of
 * two columns of 8 bytes (local hash, external hash) and lies in granule {@code s >>> 3}; the slots
 * of a granule are consecutive blocks of one path from the root, used from its first slot on.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+
 *   | owner  | depth  | next   | prev   |   one record a granule
 *   +--------+--------+--------+--------+
 * </pre>
 *
 * <p>One further byte a granule has a bit per slot: set if some rank keeps its own names there.
 */
final class GranuleLayout {
  static final int SHIFT = 3;
  static final int SLOTS = 1 << SHIFT;
  static final int SLOT_MASK = SLOTS - 1;

  static final int OWNER = 0;
  static final int DEPTH = 4;
  static final int NEXT = 8;
  static final int PREVIOUS = 12;
  static final int LENGTH = 16;
  static final int LENGTH_SHIFT = 4;

  private GranuleLayout() {}

  static String table() {
    return new LayoutPrinter("granule", LENGTH)
        .field("owner", OWNER, 4, "edge that holds the deepest used slot")
        .field("depth", DEPTH, 4, "position from the root of the first slot's block")
        .field("next", NEXT, 4, "granule with the following blocks of the same edge")
        .field("previous", PREVIOUS, 4, "granule with the blocks before, of the same path")
        .print();
  }
}
