package io.kvroute.index;

/**
 * Applies a store that comes without token lists: every hash must be known, and its block is then
 * held in the tier. Neighbouring blocks of one edge are gathered. All hashes are looked up twice,
 * first to check everything; this is not the hot path.
 */
final class StoreKnownOperation {
  private final Tree tree;
  private final StoreOperation stores;
  private final RepeatCheck repeats;

  private int edge;
  private int from;
  private int to;
  private int splits;
  private long units;

  StoreKnownOperation(final Tree tree, final StoreOperation stores, final RepeatCheck repeats) {
    this.tree = tree;
    this.stores = stores;
    this.repeats = repeats;
  }

  ApplyResult apply(
      final long workerId, final int dpRank, final int tier, final HashList externals) {
    final int knownRank = tree.findRank(workerId, dpRank);
    final int count = externals.count();
    for (int i = 0; i < count; i++) {
      if (tree.slotKnown(knownRank, externals.get(i)) == Blocks.NONE) {
        return ApplyResult.BLOCK_NOT_FOUND;
      }
    }
    if (repeats.hasRepeat(externals)) {
      return ApplyResult.INVALID_BLOCK_SEQUENCE;
    }
    if (!hasRoom(knownRank, externals)) {
      return ApplyResult.CAPACITY_EXCEEDED;
    }
    final int rank = knownRank == Ranks.NONE ? tree.ranks.add(workerId, dpRank) : knownRank;
    final int column = tree.ranks.column(rank, tier);
    edge = Edges.NONE;
    for (int i = 0; i < count; i++) {
      final int slot = slotToHold(rank, externals.get(i), column);
      stores.name(rank, tier, slot, externals.get(i));
      if (!gather(slot)) {
        hold(column);
        begin(slot);
      }
    }
    hold(column);
    return ApplyResult.OK;
  }

  /**
   * The slot of the block that is known under a hash. If the hash is another than the block's own,
   * it may be a second name for a block that was gathered, which must be held by then.
   */
  private int slotToHold(final int rank, final long hash, final int column) {
    final int slot = tree.slotKnown(rank, hash);
    if (edge == Edges.NONE || tree.blocks.external(slot) == hash) {
      return slot;
    }
    hold(column);
    return tree.slotKnown(rank, hash);
  }

  private boolean hasRoom(final int rank, final HashList externals) {
    splits = 0;
    units = 0;
    edge = Edges.NONE;
    for (int i = 0; i < externals.count(); i++) {
      final int slot = tree.slotKnown(rank, externals.get(i));
      if (!gather(slot)) {
        begin(slot);
        splits++;
        units += tree.holders.unitsToChange(edge);
      }
    }
    return (rank != Ranks.NONE || !tree.ranks.isFull())
        && splits <= tree.edges.freeCount()
        && units <= tree.holders.runs().longestFreeRun()
        && 2L * externals.count() <= tree.ownNames.freeCount();
  }

  private void begin(final int slot) {
    edge = tree.edges.edgeOf(slot);
    from = tree.blocks.depth(slot) - tree.edges.start(edge);
    to = from + 1;
  }

  private boolean gather(final int slot) {
    if (edge != Edges.NONE
        && tree.edges.edgeOf(slot) == edge
        && tree.blocks.depth(slot) - tree.edges.start(edge) == to) {
      to++;
      return true;
    }
    return false;
  }

  private void hold(final int column) {
    if (edge != Edges.NONE) {
      if (to == tree.edges.count(edge) && tree.edges.leaves().contains(edge)) {
        tree.edges.leaves().touch(edge);
      }
      tree.hold(edge, from, to, column);
      tree.join(edge);
      edge = Edges.NONE;
    }
  }
}
