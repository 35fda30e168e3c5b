package io.kvroute.index;

import io.kvroute.memory.SequenceLock;
import java.util.function.LongConsumer;

/**
 * Changes of the tree that keep its promises: a column holds a prefix of every edge, an edge
 * without children is held to its end by someone, an edge and its only child whose holders agree
 * are one. Methods that need memory say how much; callers look first.
 */
final class Tree {
  private static final int MAX_MOVE = 2 * GranuleLayout.SLOTS;

  final Blocks blocks;
  final Edges edges;
  final Holders holders;
  final Ranks ranks;
  final OwnNames ownNames;
  final Departures departures;

  Tree(
      final Blocks blocks,
      final Edges edges,
      final Holders holders,
      final Ranks ranks,
      final OwnNames ownNames,
      final SequenceLock lock,
      final int sliceWork) {
    this.departures = new Departures(this, lock, sliceWork);
    this.blocks = blocks;
    this.edges = edges;
    this.holders = holders;
    this.ranks = ranks;
    this.ownNames = ownNames;
  }

  // ------ who holds what, under which name

  /**
   * The slot of a rank, or {@link Ranks#NONE}; then a slot for it is free unless the ranks are
   * full, even if those that are leaving must be done with at once for that.
   */
  int findRank(final long workerId, final int dpRank) {
    final int rank = ranks.find(workerId, dpRank);
    if (rank == Ranks.NONE && !ranks.hasFreeSlot()) {
      departures.finish();
    }
    return rank;
  }

  /** The tiers, as bits, in which a rank holds the block in a slot. */
  int tiersHolding(final int rank, final int slot) {
    final int edge = edges.edgeOf(slot);
    final int index = blocks.depth(slot) - edges.start(edge);
    int tiers = 0;
    for (int tier = 0; tier < Ranks.TIERS; tier++) {
      final int column = ranks.column(rank, tier);
      if (ranks.held(column) != 0 && holders.coverage(edge, column) > index) {
        tiers |= 1 << tier;
      }
    }
    return tiers;
  }

  /** True if the rank's names for a block are kept as entries of their own. */
  boolean usesOwnNames(final int rank, final int slot) {
    return ranks.ownNames(rank) != 0
        && blocks.hasOwnNames(slot)
        && ownNames.at(rank, slot) != OwnNames.NONE;
  }

  /**
   * The slot of the block that a rank holds, in some tier, under a name; or {@link Blocks#NONE}.
   */
  int slotNamed(final int rank, final long hash) {
    if (rank == Ranks.NONE) {
      return Blocks.NONE;
    }
    long position = blocks.firstNamed(hash);
    while (position >= 0) {
      final int slot = blocks.slotAt(position);
      if (tiersHolding(rank, slot) != 0 && !usesOwnNames(rank, slot)) {
        return slot;
      }
      position = blocks.nextNamed(position, hash);
    }
    if (ranks.ownNames(rank) == 0) {
      return Blocks.NONE;
    }
    final int entry = ownNames.named(rank, hash);
    return entry == OwnNames.NONE ? Blocks.NONE : ownNames.slot(entry);
  }

  /**
   * The slot of the one block that is known under a hash: to the rank itself, or else to anyone, or
   * as the external hash of a block on the way to others. None if several different blocks are.
   */
  int slotKnown(final int rank, final long hash) {
    final int own = slotNamed(rank, hash);
    if (own != Blocks.NONE) {
      return own;
    }
    int found = Blocks.NONE;
    long position = blocks.firstNamed(hash);
    while (position >= 0) {
      final int slot = blocks.slotAt(position);
      if (ranks.leaving() == 0 || isWanted(slot)) {
        if (found != Blocks.NONE) {
          return Blocks.NONE;
        }
        found = slot;
      }
      position = blocks.nextNamed(position, hash);
    }
    return ownNames.used() == 0 ? found : knownToOthers(hash, found);
  }

  /** True if a rank, if it is known, holds a block under a name. */
  boolean isNamed(final long workerId, final int dpRank, final long hash) {
    return slotNamed(ranks.find(workerId, dpRank), hash) != Blocks.NONE;
  }

  /** How many blocks are known under a hash, to whomever: 0, 1, or 2 for several. */
  int placesNamed(final long hash) {
    int found = Blocks.NONE;
    long position = blocks.firstNamed(hash);
    while (position >= 0) {
      final int slot = blocks.slotAt(position);
      if (ranks.leaving() == 0 || isWanted(slot)) {
        if (found != Blocks.NONE) {
          return 2;
        }
        found = slot;
      }
      position = blocks.nextNamed(position, hash);
    }
    for (int rank = 0; ownNames.used() != 0 && rank < ranks.bound(); rank++) {
      final int entry =
          ranks.isUsed(rank) && ranks.ownNames(rank) != 0
              ? ownNames.named(rank, hash)
              : OwnNames.NONE;
      if (entry != OwnNames.NONE && ownNames.slot(entry) != found) {
        if (found != Blocks.NONE) {
          return 2;
        }
        found = ownNames.slot(entry);
      }
    }
    return found == Blocks.NONE ? 0 : 1;
  }

  /** Hands out every name that anything is known by, some more than once. */
  void forEachName(final LongConsumer action) {
    blocks.forEachName(action);
    for (int entry = 0; entry < ownNames.bound(); entry++) {
      if (ownNames.isUsed(entry)) {
        action.accept(ownNames.hash(entry));
      }
    }
  }

  /** True if a known rank holds a block or something below it; costs a walk through the subtree. */
  private boolean isWanted(final int slot) {
    final int top = edges.edgeOf(slot);
    if (isHeldByKnown(top, blocks.depth(slot) - edges.start(top))) {
      return true;
    }
    int edge = edges.firstChild(top);
    while (edge != Edges.NONE && edge != top) {
      if (isHeldByKnown(edge, 0)) {
        return true;
      }
      if (edges.firstChild(edge) != Edges.NONE) {
        edge = edges.firstChild(edge);
      } else {
        while (edge != top && edges.nextSibling(edge) == Edges.NONE) {
          edge = edges.parent(edge);
        }
        edge = edge == top ? top : edges.nextSibling(edge);
      }
    }
    return false;
  }

  private boolean isHeldByKnown(final int edge, final int index) {
    for (int i = 0; i < holders.words(edge); i++) {
      for (long bits = holders.wordBits(edge, i); bits != 0; bits &= bits - 1) {
        final int column = (holders.wordIndex(edge, i) << 6) + Long.numberOfTrailingZeros(bits);
        if (ranks.isUsed(ranks.rankOf(column))) {
          return true;
        }
      }
    }
    for (int i = 0; i < holders.parts(edge); i++) {
      if (holders.partCutoff(edge, i) > index
          && ranks.isUsed(ranks.rankOf(holders.partColumn(edge, i)))) {
        return true;
      }
    }
    return false;
  }

  private int knownToOthers(final long hash, final int known) {
    int found = known;
    for (int rank = 0; rank < ranks.bound(); rank++) {
      final int entry =
          ranks.isUsed(rank) && ranks.ownNames(rank) != 0
              ? ownNames.named(rank, hash)
              : OwnNames.NONE;
      if (entry != OwnNames.NONE && ownNames.slot(entry) != found) {
        if (found != Blocks.NONE) {
          return Blocks.NONE;
        }
        found = ownNames.slot(entry);
      }
    }
    return found;
  }

  // ------ adding

  /** Splits an edge and gives both parts their holders. Needs an edge and units to change. */
  int split(final int edge, final int index) {
    final int front = edges.split(edge, index);
    holders.split(edge, front);
    return front;
  }

  /**
   * Makes a column hold the blocks from {@code from} to {@code to} of an edge, besides what it
   * holds of it. If there is a gap, the edge is split there, and its number stays with the rear
   * part.
   *
   * @return true if it did not hold all of them
   */
  boolean hold(final int edge, final int from, final int to, final int column) {
    final int held = holders.coverage(edge, column);
    if (held >= to) {
      return false;
    }
    if (from > held) {
      split(edge, from);
      holders.setCoverage(edge, column, to - from);
      ranks.addHeld(column, to - from);
    } else {
      holders.setCoverage(edge, column, to);
      ranks.addHeld(column, to - held);
    }
    return true;
  }

  /** Joins an edge with those above it and its only child where only the shape changes by that. */
  void join(final int edge) {
    boolean joined = true;
    while (joined) {
      joined = joinWithParent(edge);
    }
    final int child = edges.firstChild(edge);
    if (child != Edges.NONE) {
      joinWithParent(child);
    }
  }

  /**
   * Joins along the path from an edge up to the one with the block at {@code depth}, where
   * possible.
   */
  void joinUpwards(final int lowest, final int depth) {
    final int child = edges.firstChild(lowest);
    int edge = child != Edges.NONE && joinWithParent(child) ? child : lowest;
    while (edge != Edges.ROOT) {
      if (!joinWithParent(edge)) {
        if (edges.start(edge) <= depth) {
          return;
        }
        edge = edges.parent(edge);
      }
    }
  }

  private boolean joinWithParent(final int edge) {
    final int parent = edges.parent(edge);
    if (parent == Edges.ROOT
        || !edges.isOnlyChild(edge)
        || !holders.agreeWithParent(edge, parent)
        || holders.unitsToAbsorb(edge, parent) > holders.runs().longestFreeRun()
        || !makeOneChain(edge, parent)) {
      return false;
    }
    holders.absorb(edge, parent);
    edges.absorbParent(edge);
    return true;
  }

  /** Makes the blocks of an edge follow those of its parent; false if that would cost too much. */
  private boolean makeOneChain(final int edge, final int parent) {
    final int tail = edges.tail(parent);
    final int first = edges.first(edge);
    if (first == tail + 1 && (first & GranuleLayout.SLOT_MASK) != 0) {
      return true;
    }
    if ((tail & GranuleLayout.SLOT_MASK) == GranuleLayout.SLOT_MASK) {
      blocks.link(tail, first);
      return true;
    }
    final int count = edges.count(edge);
    if (count > MAX_MOVE
        || blocks.owner(edges.tail(edge)) != edge
        || !blocks.hasRoom(0, Blocks.granulesFor(tail, count))
        || blocks.anyOwnNames(first, count)) {
      return false;
    }
    blocks.moveBehind(tail, first, count);
    edges.first(edge, tail + 1);
    edges.end(edge, blocks.lastAppended(), count);
    blocks.ownRange(tail, blocks.lastAppended(), edge);
    return true;
  }

  // ------ removing

  /**
   * Makes a column hold no block of an edge from {@code from} on. Frees what nobody holds any more,
   * upwards if need be. May need units to change.
   */
  void shorten(final int edge, final int from, final int column) {
    final int held = holders.coverage(edge, column);
    ranks.addHeld(column, from - held);
    if (from > 0 && holdsAlone(edge, column)) {
      trim(edge, from);
      return;
    }
    holders.setCoverage(edge, column, from);
    tidy(edge);
  }

  /** True if {@link #shorten} to at least one block only frees blocks, and needs no memory. */
  boolean holdsAlone(final int edge, final int column) {
    return edges.firstChild(edge) == Edges.NONE
        && holders.parts(edge) == 0
        && holders.isFull(edge, column)
        && holders.noOtherFull(edge, column);
  }

  /** Frees the end of an edge that nobody holds, and what is left unheld above it; then joins. */
  void tidy(final int changed) {
    int edge = changed;
    while (edge != Edges.ROOT && edges.firstChild(edge) == Edges.NONE) {
      final int held = holders.maxCoverage(edge);
      if (held == edges.count(edge)) {
        break;
      }
      if (held != 0) {
        trim(edge, held);
        holders.promote(edge);
        break;
      }
      final int parent = edges.parent(edge);
      remove(edge);
      edge = parent;
    }
    if (edge != Edges.ROOT) {
      join(edge);
    }
  }

  private void trim(final int edge, final int count) {
    final int tail = blocks.release(edges.tail(edge), edges.count(edge) - count);
    edges.end(edge, tail, count);
  }

  private void remove(final int edge) {
    final int first = edges.first(edge);
    final int tail = edges.tail(edge);
    final int count = edges.count(edge);
    final int parent = edges.parent(edge);
    // First what look-ups do not read, so that they are kept off for a shorter time.
    blocks.release(tail, count);
    edges.remove(edge);
    if ((first & GranuleLayout.SLOT_MASK) != 0) {
      blocks.owner(first, parent);
    }
  }

  /**
   * Makes a rank hold nothing in some tiers, at once. Costs a pass over all edges; needs no memory.
   *
   * @param tiers a bit per tier
   */
  void clear(final int rank, final int tiers) {
    for (int entry = 0; ranks.ownNames(rank) != 0 && entry < ownNames.bound(); entry++) {
      dropOwnName(entry, rank, tiers);
    }
    while (held(rank, tiers) != 0) {
      for (int edge = 1; held(rank, tiers) != 0 && edge < edges.bound(); edge++) {
        clear(edge, rank, tiers);
      }
    }
  }

  /** Blocks that a rank holds in some tiers. */
  long held(final int rank, final int tiers) {
    long held = 0;
    for (int tier = 0; tier < Ranks.TIERS; tier++) {
      held += (tiers >>> tier & 1) == 0 ? 0 : ranks.held(ranks.column(rank, tier));
    }
    return held;
  }

  /** Makes a rank hold nothing of one edge in some tiers, if it is an edge. */
  private void clear(final int edge, final int rank, final int tiers) {
    if (drop(edge, rank, tiers)) {
      tidy(edge);
    }
  }

  /**
   * Makes a rank hold nothing of one edge in some tiers, if it is an edge; what nobody holds then
   * is still to be {@linkplain #tidy tidied} up.
   *
   * @return true if it held something
   */
  boolean drop(final int edge, final int rank, final int tiers) {
    if (!edges.isUsed(edge)) {
      return false;
    }
    boolean dropped = false;
    for (int tier = 0; tier < Ranks.TIERS; tier++) {
      final int column = ranks.column(rank, tier);
      if ((tiers >>> tier & 1) != 0 && ranks.held(column) != 0) {
        final int held = holders.coverage(edge, column);
        if (held != 0) {
          holders.setCoverage(edge, column, 0);
          ranks.addHeld(column, -held);
          dropped = true;
        }
      }
    }
    return dropped;
  }

  /** Ends an own name in some tiers if it is one of the rank's. */
  void dropOwnName(final int entry, final int rank, final int tiers) {
    if (ownNames.isUsed(entry) && ownNames.rank(entry) == rank) {
      ownNames.dropTiers(entry, tiers, blocks.external(ownNames.slot(entry)));
    }
  }

  // ------ evicting

  /**
   * Takes the end of a leaf out of the index whoever holds it; needs no memory.
   *
   * @param count of blocks that stay on the edge, less than it has
   * @return holds that ended: blocks times their holders
   */
  long evict(final int edge, final int count) {
    long ended = 0;
    final int words = holders.words(edge);
    for (int i = 0; i < words; i++) {
      for (long bits = holders.wordBits(edge, i); bits != 0; bits &= bits - 1) {
        final int column = (holders.wordIndex(edge, i) << 6) + Long.numberOfTrailingZeros(bits);
        ended += endHolds(edge, count, edges.count(edge), column);
      }
    }
    final int parts = holders.parts(edge);
    for (int i = 0; i < parts; i++) {
      final int cutoff = holders.partCutoff(edge, i);
      if (cutoff > count) {
        ended += endHolds(edge, count, cutoff, holders.partColumn(edge, i));
      }
    }
    if (count == 0) {
      holders.drop(edge);
      final int parent = edges.parent(edge);
      remove(edge);
      tidy(parent);
    } else {
      holders.truncate(edge, count);
      trim(edge, count);
      holders.promote(edge);
      tidy(edge);
    }
    return ended;
  }

  /** Ends a column's names for the blocks of an edge in a range, and its holds. */
  private int endHolds(final int edge, final int from, final int to, final int column) {
    final int rank = ranks.rankOf(column);
    final int tier = 1 << ranks.tierOf(column);
    if (ranks.ownNames(rank) != 0) {
      int slot = edges.slot(edge, to - 1);
      for (int i = to - 1; i >= from; i--) {
        if (blocks.hasOwnNames(slot)) {
          ownNames.endAt(rank, slot, tier, blocks.external(slot));
        }
        slot = i > from ? blocks.previous(slot) : slot;
      }
    }
    ranks.setApproximate(rank, true);
    ranks.addHeld(column, from - to);
    return to - from;
  }
}
