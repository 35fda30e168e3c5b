package io.kvroute.index;

import io.kvroute.memory.LayoutPrinter;

/**
 * A name that one rank has for a block, kept only where the shared reverse map does not say it all:
 * the rank's hash is another than the block's, or the rank has several.
 *
 * <pre>
 *   0                 8        12       16
 *   +-----------------+--------+--------+
 *   | hash            | slot   | owner  |
 *   +-----------------+--------+--------+
 * </pre>
 */
final class OwnNameLayout {
  static final int HASH = 0;
  static final int SLOT = 8;
  static final int OWNER = 12;
  static final int LENGTH = 16;
  static final int LENGTH_SHIFT = 4;

  static final int RANK_MASK = 0xFFFF;
  static final int TIERS_SHIFT = 16;
  static final int TIERS_MASK = 0xF;

  private OwnNameLayout() {}

  static String table() {
    return new LayoutPrinter("own name", LENGTH)
        .field("hash", HASH, 8, "external hash")
        .field("slot", SLOT, 4, "of the block; if free: next free entry")
        .field(
            "owner", OWNER, 4, "rank slot, and from bit 16 on a bit per live tier; 0 tiers if free")
        .print();
  }
}
