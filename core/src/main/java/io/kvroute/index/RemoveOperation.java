package io.kvroute.index;

/**
 * Applies a removed event. Hashes of neighbouring blocks of one edge, in either direction, are
 * gathered and taken away in one step: engines remove from the tail or from the front, page by
 * page, and neither should cut an edge into pieces.
 */
final class RemoveOperation {
  private static final int BATCH = 4;

  /** Only written: it keeps the compiler from dropping the loads that warm up the reverse map. */
  long touched;

  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final Holders holders;
  private final Ranks ranks;
  private final OwnNames ownNames;
  private final IndexCounters counters;

  private ApplyResult result;
  private int column;
  private int foundEdge;
  private int foundIndex;
  private int edge;
  private int from;
  private int to;
  private int held;
  private int entry;

  RemoveOperation(final Tree tree, final IndexCounters counters) {
    this.tree = tree;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.holders = tree.holders;
    this.ranks = tree.ranks;
    this.ownNames = tree.ownNames;
    this.counters = counters;
  }

  ApplyResult apply(
      final long workerId, final int dpRank, final int tier, final HashList externals) {
    final int rank = ranks.find(workerId, dpRank);
    final int count = externals.count();
    result = ApplyResult.OK;
    edge = Edges.NONE;
    column = rank == Ranks.NONE ? Ranks.NONE : ranks.column(rank, tier);
    if (count >= BATCH && rank != Ranks.NONE) {
      touch(externals);
    }
    for (int i = 0; i < count; i++) {
      final long hash = externals.get(i);
      final int slot = rank == Ranks.NONE ? Blocks.NONE : find(rank, tier, hash);
      if (slot == Blocks.NONE) {
        counters.countBlockNotFound();
        fail(ApplyResult.BLOCK_NOT_FOUND);
      } else if (entry == OwnNames.NONE) {
        gather(rank, tier, hash);
      } else {
        endOwnName(rank, tier, hash);
      }
    }
    flush();
    return result;
  }

  private void fail(final ApplyResult failure) {
    if (result == ApplyResult.OK) {
      result = failure;
    }
  }

  /** Loads what the look-ups need, side by side. */
  private void touch(final HashList externals) {
    touched = 0;
    for (int i = 0; i < externals.count(); i++) {
      touched |= blocks.touch(externals.get(i));
    }
  }

  /**
   * Finds what the rank holds in the tier under a name, and the entry of the name if it is one of
   * the rank's own.
   */
  private int find(final int rank, final int tier, final long hash) {
    entry = OwnNames.NONE;
    long position = blocks.firstNamed(hash);
    while (position >= 0) {
      final int slot = blocks.slotAt(position);
      locate(slot);
      if (isHeld() && !tree.usesOwnNames(rank, slot)) {
        return slot;
      }
      position = blocks.nextNamed(position, hash);
    }
    final int own = ranks.ownNames(rank) == 0 ? OwnNames.NONE : ownNames.named(rank, hash);
    if (own == OwnNames.NONE || (ownNames.tiers(own) >>> tier & 1) == 0) {
      return Blocks.NONE;
    }
    entry = own;
    locate(ownNames.slot(own));
    return ownNames.slot(own);
  }

  /** Ends the name found, and gathers its block unless it is still held under another one. */
  private void endOwnName(final int rank, final int tier, final long hash) {
    // A block with a name of its own never moves to another slot.
    final int slot = ownNames.slot(entry);
    if ((ownNames.tiersAt(rank, slot, entry) >>> tier & 1) == 0) {
      gather(rank, tier, hash);
      if (!hasRoomToTake()) {
        leave();
        fail(ApplyResult.CAPACITY_EXCEEDED);
        return;
      }
    }
    ownNames.dropTiers(entry, 1 << tier, blocks.external(slot));
  }

  /** Takes the block that was gathered last out again. */
  private void leave() {
    if (to - from == 1) {
      edge = Edges.NONE;
    } else if (foundIndex == from) {
      from++;
    } else {
      to--;
    }
  }

  private void locate(final int slot) {
    foundEdge = edges.edgeOf(slot);
    foundIndex = blocks.depth(slot) - edges.start(foundEdge);
  }

  private boolean isHeld() {
    if (foundEdge == edge) {
      return foundIndex < held && (foundIndex < from || foundIndex >= to);
    }
    return holders.coverage(foundEdge, column) > foundIndex;
  }

  /** Adds the block just found to those gathered, or begins anew with it. */
  private void gather(final int rank, final int tier, final long hash) {
    if (foundEdge == edge && foundIndex == to) {
      to++;
    } else if (foundEdge == edge && foundIndex == from - 1) {
      from--;
    } else {
      if (edge != Edges.NONE) {
        flush();
        // Edges that were joined by that may have taken the block to another edge and slot.
        find(rank, tier, hash);
      }
      edge = foundEdge;
      from = foundIndex;
      to = foundIndex + 1;
      held = holders.coverage(edge, column);
    }
  }

  /** True unless taking away what was gathered needs memory that is not there. */
  private boolean hasRoomToTake() {
    final boolean cut = to < held;
    if (cut ? edges.freeCount() == 0 : from == 0 || tree.holdsAlone(edge, column)) {
      return !cut;
    }
    return holders.unitsToChange(edge) <= holders.runs().longestFreeRun();
  }

  /** Takes away what was gathered. */
  private void flush() {
    if (edge == Edges.NONE) {
      return;
    }
    if (hasRoomToTake()) {
      tree.shorten(to < held ? tree.split(edge, to) : edge, from, column);
    } else {
      fail(ApplyResult.CAPACITY_EXCEEDED);
    }
    edge = Edges.NONE;
  }
}
