package io.kvroute.load;

import io.kvroute.memory.LayoutPrinter;

/**
 * Eight hashes of consecutive prompt blocks. The hash of the block at position {@code p} stands in
 * element {@code p & 7} of its granule, so that an edge is cut or joined by copying one granule at
 * most. A column beside the granules has, 4 bytes each, the granule that follows.
 *
 * <pre>
 *   0                                                     64
 *   +--------+--------+--------+--------+--------+--------+
 *   | hash 0 | hash 1 | ...                      | hash 7 |
 *   +--------+--------+--------+--------+--------+--------+
 * </pre>
 */
final class HashGranuleLayout {
  static final int SHIFT = 3;
  static final int SLOTS = 1 << SHIFT;
  static final int SLOT_MASK = SLOTS - 1;
  static final int HASHES = 0;
  static final int LENGTH = SLOTS * Long.BYTES;
  static final int LENGTH_SHIFT = 6;

  private HashGranuleLayout() {}

  static String table() {
    return new LayoutPrinter("hash granule", LENGTH)
        .field("hashes", HASHES, LENGTH, "by position in the prompt, u64 each")
        .print();
  }
}
