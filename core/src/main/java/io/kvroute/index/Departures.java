package io.kvroute.index;

import io.kvroute.memory.SequenceLock;

/**
 * Takes away, slice by slice, what ranks held that are forgotten, so that no event and no look-up
 * waits for a worker with a million blocks. Such a rank is out of sight at once: what is left is
 * memory that comes back over the next events.
 */
final class Departures {
  private static final int ALL_TIERS = (1 << Ranks.TIERS) - 1;

  private final Tree tree;
  private final SequenceLock lock;
  private final int sliceWork;
  private int rank = Ranks.NONE;
  private int entry;
  private int edge;

  /**
   * Begins with nobody leaving.
   *
   * @param sliceWork what a slice may cost: one for each edge or name looked at and each block
   *     freed
   */
  Departures(final Tree tree, final SequenceLock lock, final int sliceWork) {
    this.tree = tree;
    this.lock = lock;
    this.sliceWork = sliceWork;
  }

  /** Forgets a rank. */
  void begin(final int departing) {
    tree.ranks.retire(departing);
  }

  /**
   * Does a slice, if there is something to do.
   *
   * @return true if there is more
   */
  boolean step() {
    int left = sliceWork;
    while (left > 0 && tree.ranks.leaving() != 0) {
      if (rank == Ranks.NONE) {
        next();
      }
      left -= tree.ranks.ownNames(rank) != 0 ? dropNames(left) : dropHolds(left);
      if (tree.ranks.ownNames(rank) == 0 && tree.held(rank, ALL_TIERS) == 0) {
        tree.ranks.release(rank);
        rank = Ranks.NONE;
      }
    }
    return tree.ranks.leaving() != 0;
  }

  /** Does all that is left. */
  void finish() {
    while (step()) {
      // the next slice
    }
  }

  private void next() {
    rank = 0;
    while (!tree.ranks.isLeaving(rank)) {
      rank++;
    }
    entry = 0;
    edge = 0;
  }

  /**
   * Ends names of the rank's own; its holds stay until all are gone, so no name loses its block.
   */
  private int dropNames(final int work) {
    int done = 0;
    while (done < work && tree.ranks.ownNames(rank) != 0) {
      tree.dropOwnName(entry, rank, ALL_TIERS);
      entry = entry + 1 < tree.ownNames.bound() ? entry + 1 : 0;
      done++;
    }
    return done;
  }

  /** Goes round the edges for as long as something is held: events may move what was not seen. */
  private int dropHolds(final int work) {
    int done = 0;
    while (done < work && tree.held(rank, ALL_TIERS) != 0) {
      final long before = tree.blocks.size();
      if (!shortenLongLeaf()) {
        clearEdge();
        edge = edge + 1 < tree.edges.bound() ? edge + 1 : 1;
      }
      done += 1 + (int) (before - tree.blocks.size());
    }
    return done;
  }

  /**
   * Ends what the rank holds of an edge. No look-up can tell the difference, so it is no one
   * change: they are let in as often as possible.
   */
  private void clearEdge() {
    if (tree.drop(edge, rank, ALL_TIERS)) {
      lock.endChange();
      tree.tidy(edge);
      lock.endChange();
    }
  }

  /** Frees the end of a leaf that only this rank holds, if it is too long to free it at once. */
  private boolean shortenLongLeaf() {
    final int count = tree.edges.count(edge);
    if (count <= sliceWork || edge == Edges.ROOT) {
      return false;
    }
    for (int tier = 0; tier < Ranks.TIERS; tier++) {
      final int column = tree.ranks.column(rank, tier);
      if (tree.ranks.held(column) != 0 && tree.holdsAlone(edge, column)) {
        tree.shorten(edge, count - sliceWork, column);
        return true;
      }
    }
    return false;
  }
}
