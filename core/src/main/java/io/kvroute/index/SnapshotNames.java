package io.kvroute.index;

/**
 * Reads the own names of a snapshot, and makes sure that no rank has a name for two blocks. Where a
 * rank has own names for a block, they name it in exactly the tiers in which it holds it.
 */
final class SnapshotNames {
  private final SnapshotInput in;
  private final SnapshotHeader header;
  private final SnapshotHeader counted;
  private final int[] edgeOf;
  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final OwnNames ownNames;
  private long lastPlace;
  private int lastRank;
  private long lastHash;
  private int lastSlot = Blocks.NONE;
  private int namesHere;
  private int tiersHere;

  /**
   * Prepares to read.
   *
   * @param edgeOf the edge for each number
   * @param counted where the names are counted
   */
  SnapshotNames(
      final SnapshotInput in, final Tree tree, final int[] edgeOf, final SnapshotHeader counted) {
    this.in = in;
    this.header = in.header();
    this.counted = counted;
    this.edgeOf = edgeOf;
    this.tree = tree;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.ownNames = tree.ownNames;
  }

  void read() {
    while (counted.ownNames < header.ownNames) {
      readName();
      counted.ownNames++;
    }
    endGroup();
  }

  private void readName() {
    final int at = in.next(SnapshotLayout.NAME_LENGTH);
    final long hash = in.bytes().getLong(at + SnapshotLayout.NAME_HASH);
    final int number = in.bytes().getInt(at + SnapshotLayout.NAME_EDGE);
    final int index = in.bytes().getInt(at + SnapshotLayout.NAME_INDEX);
    final int owner = in.bytes().getInt(at + SnapshotLayout.NAME_OWNER);
    final int rank = owner & SnapshotLayout.RANK_MASK;
    final int tiers = owner >>> SnapshotLayout.TIER_SHIFT;
    if (number <= 0 || number > header.edges || rank >= header.ranks) {
      throw bad("own name is of no edge or of no rank", number, owner);
    }
    if (index < 0 || index >= edges.count(edgeOf[number])) {
      throw bad("own name is of no block", number, index);
    }
    if (tiers == 0
        || tiers >= 1 << Ranks.TIERS
        || in.bytes().getInt(at + SnapshotLayout.NAME_ZERO) != 0) {
      throw bad("own name has no possible tiers", number, owner);
    }
    final long place = (long) number << 32 | index;
    if (place != lastPlace || rank != lastRank) {
      beginGroup(place, rank);
    } else if (Long.compareUnsigned(hash, lastHash) <= 0) {
      throw bad("own names are not ascending", number, index);
    }
    if (ownNames.named(rank, hash) != OwnNames.NONE) {
      throw bad("rank has a name twice", number, owner);
    }
    lastHash = hash;
    namesHere++;
    tiersHere |= tiers;
    ownNames.add(rank, hash, lastSlot, tiers);
  }

  private SnapshotException bad(final String what, final int number, final int value) {
    return SnapshotReader.bad(what, "edge", number, "value", value);
  }

  private void beginGroup(final long place, final int rank) {
    endGroup();
    final int number = (int) (place >>> 32);
    if (place < lastPlace || (place == lastPlace && rank < lastRank)) {
      throw bad("own names are not ascending", number, (int) place);
    }
    lastPlace = place;
    lastRank = rank;
    lastSlot = edges.slot(edgeOf[number], (int) place);
    namesHere = 0;
    tiersHere = 0;
    blocks.markOwnNames(lastSlot);
  }

  /** Checks the names that one rank has for one block. */
  private void endGroup() {
    if (lastSlot == Blocks.NONE) {
      return;
    }
    final int number = (int) (lastPlace >>> 32);
    if (tiersHere != tree.tiersHolding(lastRank, lastSlot)) {
      throw bad("own names are live where the block is not held", number, (int) lastPlace);
    }
    if (namesHere == 1 && lastHash == blocks.external(lastSlot)) {
      throw bad("own name says what the block says", number, (int) lastPlace);
    }
  }

  /**
   * Fails if a rank holds two blocks under one name. Costs nothing where all hashes differ and
   * ranks agree.
   */
  void check() {
    for (int entry = 0; entry < ownNames.bound(); entry++) {
      checkName(ownNames.rank(entry), ownNames.hash(entry), ownNames.slot(entry));
    }
    for (int number = 1; blocks.sharedNames() != 0 && number < edgeOf.length; number++) {
      checkSharedNames(edgeOf[number]);
    }
  }

  private void checkSharedNames(final int edge) {
    int slot = edges.first(edge);
    final int count = edges.count(edge);
    for (int i = 0; i < count; i++) {
      if (blocks.isShared(slot)) {
        for (int rank = 0; rank < header.ranks; rank++) {
          if (tree.tiersHolding(rank, slot) != 0 && !tree.usesOwnNames(rank, slot)) {
            checkName(rank, blocks.external(slot), slot);
          }
        }
      }
      slot = i + 1 < count ? blocks.next(slot) : slot;
    }
  }

  private void checkName(final int rank, final long hash, final int slot) {
    if (tree.slotNamed(rank, hash) != slot) {
      throw new SnapshotException(
          "snapshot contradicts itself: rank holds two blocks under one name: rank="
              + rank
              + " hash="
              + Long.toUnsignedString(hash));
    }
  }
}
