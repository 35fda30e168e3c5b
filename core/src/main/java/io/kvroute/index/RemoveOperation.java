package io.kvroute.index;

/**
 * Applies a removed event. Hashes of neighbouring blocks of one edge, in either direction, are
 * gathered and taken away in one step: engines remove from the tail or from the front, page by
 * page, and neither should cut an edge into pieces.
 */
final class RemoveOperation {
  private static final int BATCH = 4;

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
      final int slot = rank == Ranks.NONE ? Blocks.NONE : endName(rank, tier, externals.get(i));
      if (slot == Blocks.NONE) {
        counters.countBlockNotFound();
        fail(ApplyResult.BLOCK_NOT_FOUND);
      } else if (foundEdge != Edges.NONE) {
        gather(slot);
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

  /** Loads what the look-ups need, side by side; the result only keeps the loads alive. */
  private void touch(final HashList externals) {
    long any = 0;
    for (int i = 0; i < externals.count(); i++) {
      any |= blocks.touch(externals.get(i));
    }
    from = (int) any;
  }

  /**
   * Ends a name of the rank in the tier.
   *
   * @return the slot of its block, or {@link Blocks#NONE} if it is no live name; the edge found is
   *     {@link Edges#NONE} if the block is still held under another name
   */
  private int endName(final int rank, final int tier, final long hash) {
    long position = blocks.firstNamed(hash);
    while (position >= 0) {
      final int slot = blocks.slotAt(position);
      locate(slot);
      if (isHeld() && !tree.usesOwnNames(rank, slot)) {
        return slot;
      }
      position = blocks.nextNamed(position, hash);
    }
    final int entry = ranks.ownNames(rank) == 0 ? OwnNames.NONE : ownNames.named(rank, hash);
    if (entry == OwnNames.NONE || (ownNames.tiers(entry) >>> tier & 1) == 0) {
      return Blocks.NONE;
    }
    final int slot = ownNames.slot(entry);
    final boolean another = (ownNames.tiersAt(rank, slot, entry) >>> tier & 1) != 0;
    ownNames.dropTiers(entry, 1 << tier, blocks.external(slot));
    locate(slot);
    if (another) {
      foundEdge = Edges.NONE;
    }
    return slot;
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

  private void gather(final int slot) {
    if (foundEdge == edge && foundIndex == to) {
      to++;
    } else if (foundEdge == edge && foundIndex == from - 1) {
      from--;
    } else {
      flush();
      locate(slot);
      edge = foundEdge;
      from = foundIndex;
      to = foundIndex + 1;
      held = holders.coverage(edge, column);
    }
  }

  /** Takes away what was gathered. */
  private void flush() {
    if (edge == Edges.NONE) {
      return;
    }
    final int whole = edge;
    edge = Edges.NONE;
    final boolean cut = to < held;
    if (cut || (from > 0 && !tree.holdsAlone(whole, column))) {
      if ((cut && edges.freeCount() == 0)
          || holders.unitsToChange(whole) > holders.runs().longestFreeRun()) {
        fail(ApplyResult.CAPACITY_EXCEEDED);
        return;
      }
    }
    tree.shorten(cut ? tree.split(whole, to) : whole, from, column);
  }
}
