package io.kvroute.index;

import java.util.Arrays;

/** The holders of the edge that is read from a snapshot, until the edge is made. */
final class SnapshotHolders {
  private final SnapshotInput in;
  private final int rankCount;
  private final int rankWords;
  private int edge;
  private int count;
  private int words;
  private int parts;
  private long[] bits = new long[8];
  private int[] places = new int[8];
  private int[] owners = new int[8];
  private int[] cutoffs = new int[8];

  SnapshotHolders(final SnapshotInput in, final int rankCount) {
    this.in = in;
    this.rankCount = rankCount;
    this.rankWords = (rankCount + 63) >>> 6;
  }

  /** Most words that an edge can have. */
  int maxWords() {
    return Ranks.TIERS * rankWords;
  }

  /**
   * Reads the holders of one edge.
   *
   * @param number of the edge, for complaints
   * @param blocks of the edge
   */
  void read(final int number, final int blocks, final int wordCount, final int partCount) {
    edge = number;
    count = blocks;
    words = wordCount;
    parts = partCount;
    for (int i = 0; i < wordCount; i++) {
      readWord(i);
    }
    for (int i = 0; i < partCount; i++) {
      readPart(i);
    }
  }

  private void readWord(final int i) {
    final int at = in.next(SnapshotLayout.WORD_LENGTH);
    final long word = in.bytes().getLong(at + SnapshotLayout.WORD_BITS);
    final int tier = in.bytes().getInt(at + SnapshotLayout.WORD_TIER);
    final int index = in.bytes().getInt(at + SnapshotLayout.WORD_INDEX);
    if ((tier | index) < 0 || tier >= Ranks.TIERS || index >= rankWords) {
      throw SnapshotReader.bad("word is of no tier or of no rank", "edge", edge, "word", index);
    }
    final int place = tier * rankWords + index;
    if (i > 0 && place <= places[i - 1]) {
      throw SnapshotReader.bad("words are not ascending", "edge", edge, "word", index);
    }
    final int last = rankCount - (index << 6);
    if (word == 0 || (last < 64 && word >>> last != 0)) {
      throw SnapshotReader.bad("word holds no or no known rank", "edge", edge, "word", index);
    }
    if (i == bits.length) {
      bits = Arrays.copyOf(bits, 2 * i);
      places = Arrays.copyOf(places, 2 * i);
    }
    bits[i] = word;
    places[i] = place;
  }

  private void readPart(final int i) {
    final int at = in.next(SnapshotLayout.PART_LENGTH);
    final int owner = in.bytes().getInt(at + SnapshotLayout.PART_OWNER);
    final int cutoff = in.bytes().getInt(at + SnapshotLayout.PART_CUTOFF);
    final int rank = owner & SnapshotLayout.RANK_MASK;
    final int tier = owner >>> SnapshotLayout.TIER_SHIFT;
    if (rank >= rankCount || tier >= Ranks.TIERS) {
      throw SnapshotReader.bad("part is of no tier or of no rank", "edge", edge, "owner", owner);
    }
    if (i > 0 && owner <= owners[i - 1]) {
      throw SnapshotReader.bad("parts are not ascending", "edge", edge, "owner", owner);
    }
    if (cutoff <= 0 || cutoff >= count) {
      throw SnapshotReader.bad("part has no possible length", "edge", edge, "cutoff", cutoff);
    }
    if (isFull(tier * rankWords + (rank >>> 6), rank)) {
      throw SnapshotReader.bad("part of a full holder", "edge", edge, "owner", owner);
    }
    if (i == owners.length) {
      owners = Arrays.copyOf(owners, 2 * i);
      cutoffs = Arrays.copyOf(cutoffs, 2 * i);
    }
    owners[i] = owner;
    cutoffs[i] = cutoff;
  }

  private boolean isFull(final int place, final int rank) {
    final int found = Arrays.binarySearch(places, 0, words, place);
    return found >= 0 && (bits[found] >>> rank & 1) != 0;
  }

  /**
   * Gives them to the edge that was made; rank slots are rank orders.
   *
   * @return blocks held, over all holders
   */
  long putInto(final Tree tree, final int made) {
    tree.holders.layOut(made, words, parts);
    long held = 0;
    for (int i = 0; i < words; i++) {
      final int tier = places[i] / rankWords;
      final int index = places[i] % rankWords;
      final int word = (tree.ranks.column(0, tier) >>> 6) + index;
      tree.holders.enterWord(made, i, word, bits[i]);
      for (long rest = bits[i]; rest != 0; rest &= rest - 1) {
        tree.ranks.addHeld((word << 6) + Long.numberOfTrailingZeros(rest), count);
        held += count;
      }
    }
    for (int i = 0; i < parts; i++) {
      final int column =
          tree.ranks.column(
              owners[i] & SnapshotLayout.RANK_MASK, owners[i] >>> SnapshotLayout.TIER_SHIFT);
      tree.holders.enterPart(made, i, column, cutoffs[i]);
      tree.ranks.addHeld(column, cutoffs[i]);
      held += cutoffs[i];
    }
    return held;
  }
}
