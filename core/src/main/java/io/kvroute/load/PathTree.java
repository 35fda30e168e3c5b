package io.kvroute.load;

import io.kvroute.memory.Arena;

/**
 * The prompts of all active requests of all ranks in one tree of runs. A prompt's blocks are the
 * blocks of the edges from the root to the one that it ends with; a rank holds an edge by so many
 * requests. So a booking costs a comparison over consecutive memory and a step per edge, not per
 * block, and the blocks that two requests of a rank share count once.
 *
 * <p>Edges are cut where prompts part or end, and joined again when they need not be apart any
 * more: then there are at most two per request. Joining waits while a rank's blocks weigh
 * differently in the two.
 */
final class PathTree {
  private static final int ROOT = PathEdges.ROOT;
  private static final int NONE = PathEdges.NONE;

  private final RankLoads ranks;
  private final HashGranules granules;
  private final PathEdges edges;
  private final Holds holds;
  private final long blockCapacity;
  private long blocks;

  private int end;
  private int depth;
  private int cut;
  private int cutAt;
  private int missingEdges;
  private int missingHolds;

  PathTree(final ActiveSequencesBuilder builder, final Arena arena, final RankLoads ranks) {
    this.ranks = ranks;
    blockCapacity = builder.blockCapacity();
    granules = new HashGranules(arena, builder.granuleCount());
    edges =
        new PathEdges(arena, builder.edgeCapacity(), ranks.capacity(), granules, builder.tagMask());
    holds = new Holds(arena, builder.holdCapacity());
  }

  static long length(final ActiveSequencesBuilder builder) {
    return HashGranules.length(builder.granuleCount())
        + PathEdges.length(builder.edgeCapacity(), builder.rankCapacity())
        + Holds.length(builder.holdCapacity());
  }

  void free(final Arena arena) {
    granules.free(arena);
    edges.free(arena);
    holds.free(arena);
  }

  /** Distinct blocks of all prompts. */
  long blocks() {
    return blocks;
  }

  PathEdges edges() {
    return edges;
  }

  Holds holds() {
    return holds;
  }

  // ------ coming

  /**
   * Finds out what {@link #insert} would need for a prompt of a rank, which it then has to be
   * called for, with nothing in between.
   *
   * @param rank slot of the rank, or -1 for one that is not known yet
   * @return what there is too little of, or {@link SequenceResult#OK}; nothing changes
   */
  SequenceResult plan(final int rank, final long[] hashes, final int index, final int count) {
    end = ROOT;
    depth = 0;
    cut = NONE;
    missingHolds = 0;
    while (depth < count && cut == NONE) {
      final int child = edges.child(end, hashes[index + depth]);
      if (child == NONE) {
        break;
      }
      final int length = edges.count(child);
      final int matched =
          granules.match(
              edges.first(child), depth, hashes, index + depth, Math.min(length, count - depth));
      missingHolds += rank < 0 || !edges.hasRank(child, rank) ? 1 : 0;
      depth += matched;
      if (matched < length) {
        cut = child;
        cutAt = matched;
      } else {
        end = child;
      }
    }
    final int added = depth < count ? 1 : 0;
    missingEdges = added + (cut == NONE ? 0 : 1);
    missingHolds += added + (cut == NONE ? 0 : edges.rankCount(cut));
    return verdict(count - depth);
  }

  private SequenceResult verdict(final int newBlocks) {
    if (newBlocks > blockCapacity - blocks) {
      return SequenceResult.BLOCKS_FULL;
    }
    if (missingEdges > edges.capacity() - edges.used()) {
      return SequenceResult.EDGES_FULL;
    }
    if (missingHolds > holds.capacity() - holds.used()) {
      return SequenceResult.HOLDS_FULL;
    }
    return SequenceResult.OK;
  }

  /** Blocks that the prompt planned last would add. */
  int missingBlocks(final int count) {
    return count - depth;
  }

  int missingEdges() {
    return missingEdges;
  }

  int missingHolds() {
    return missingHolds;
  }

  /** Books the prompt planned last on a rank; the edge that it ends with. */
  int insert(final int rank, final long[] hashes, final int index, final int count) {
    int last = cut == NONE ? end : cut(cut, cutAt);
    if (depth < count) {
      final int edge = edges.take();
      final int first = granules.write(depth, hashes, index + depth, count - depth);
      edges.blocks(edge, first, granules.last(), depth, count - depth);
      edges.attach(edge, last);
      blocks += count - depth;
      last = edge;
    }
    for (int edge = last; edge != ROOT; edge = edges.parent(edge)) {
      hold(edge, rank);
    }
    return last;
  }

  private void hold(final int edge, final int rank) {
    edges.requests(edge, edges.requests(edge) + 1);
    int hold;
    if (edges.hasRank(edge, rank)) {
      hold = holds.find(edge, rank);
    } else {
      hold = holds.add(edge, rank);
      edges.flipRank(edge, rank);
      ranks.addBlocks(rank, edges.count(edge));
    }
    holds.count(hold, holds.count(hold) + 1);
  }

  /** Cuts an edge into two; the number of the new upper part. The lower one keeps its number. */
  private int cut(final int edge, final int length) {
    final int upper = edges.take();
    final int start = edges.start(edge);
    final int border = start + length;
    final int first = edges.first(edge);
    final int last = edges.last(edge);
    final int granule = granules.at(first, start, border - 1);
    final int parent = edges.parent(edge);
    edges.detach(edge);
    final int lower;
    if ((border & HashGranuleLayout.SLOT_MASK) != 0) {
      lower = granules.cutInside(granule);
    } else {
      lower = granules.next(granule);
      granules.link(granule, HashGranules.NONE);
    }
    final int lowerLast = granule == last ? lower : last;
    edges.blocks(upper, first, granule, start, length);
    edges.blocks(edge, lower, lowerLast, border, edges.count(edge) - length);
    edges.attach(upper, parent);
    edges.attach(edge, upper);
    edges.requests(upper, edges.requests(edge));
    edges.copyRanks(edge, upper);
    for (int w = 0; w < edges.words(); w++) {
      for (long bits = edges.ranks(edge, w); bits != 0; bits &= bits - 1) {
        holds.copy(holds.find(edge, rank(w, bits)), upper);
      }
    }
    return upper;
  }

  private static int rank(final int word, final long bits) {
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  // ------ going

  /** Takes a request of a rank off the edges that lead to the one that its prompt ends with. */
  void release(final int rank, final int last) {
    int edge = last;
    while (edge != ROOT) {
      final int parent = edges.parent(edge);
      final int requests = edges.requests(edge) - 1;
      edges.requests(edge, requests);
      letGo(edge, rank);
      if (requests == 0) {
        remove(edge);
      } else {
        joinWithChild(edge);
      }
      edge = parent;
    }
  }

  private void letGo(final int edge, final int rank) {
    final int hold = holds.find(edge, rank);
    final int count = holds.count(hold) - 1;
    holds.count(hold, count);
    if (count == 0) {
      final int length = edges.count(edge);
      ranks.addBlocks(rank, -length);
      if (holds.isWeighted(hold)) {
        ranks.addWeights(rank, -length, holds.weight(hold));
      }
      edges.flipRank(edge, rank);
      holds.remove(hold);
    }
  }

  private void remove(final int edge) {
    edges.detach(edge);
    granules.release(edges.first(edge), edges.last(edge));
    blocks -= edges.count(edge);
    edges.release(edge);
  }

  /** Joins an edge with its child if all its requests go on there. The child keeps its number. */
  private void joinWithChild(final int edge) {
    if (edges.children(edge) != 1) {
      return;
    }
    final int child = edges.onlyChild(edge);
    if (edges.requests(edge) != edges.requests(child) || !weighSame(edge, child)) {
      return;
    }
    for (int w = 0; w < edges.words(); w++) {
      for (long bits = edges.ranks(edge, w); bits != 0; bits &= bits - 1) {
        holds.remove(holds.find(edge, rank(w, bits)));
      }
    }
    final int border = edges.start(child);
    final int parent = edges.parent(edge);
    edges.detach(child);
    edges.detach(edge);
    final int lower = edges.first(child);
    int last = edges.last(child);
    if ((border & HashGranuleLayout.SLOT_MASK) != 0) {
      last = last == lower ? edges.last(edge) : last;
      granules.joinInside(edges.last(edge), lower, border);
    } else {
      granules.link(edges.last(edge), lower);
    }
    final int count = edges.count(edge) + edges.count(child);
    edges.blocks(child, edges.first(edge), last, edges.start(edge), count);
    edges.attach(child, parent);
    edges.release(edge);
  }

  private boolean weighSame(final int edge, final int child) {
    for (int w = 0; w < edges.words(); w++) {
      for (long bits = edges.ranks(edge, w); bits != 0; bits &= bits - 1) {
        final int rank = rank(w, bits);
        if (!holds.weighSame(holds.find(edge, rank), holds.find(child, rank))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Gives a weight to those blocks of a prompt that only one request of the rank has. */
  void weigh(final int rank, final int last, final long weight) {
    for (int edge = last; edge != ROOT; edge = edges.parent(edge)) {
      final int hold = holds.find(edge, rank);
      if (holds.count(hold) == 1) {
        final int length = edges.count(edge);
        if (holds.isWeighted(hold)) {
          ranks.addWeights(rank, -length, holds.weight(hold));
        }
        holds.weight(hold, weight);
        ranks.addWeights(rank, length, weight);
      }
    }
    int edge = last;
    while (edge != ROOT) {
      final int parent = edges.parent(edge);
      joinWithChild(edge);
      edge = parent;
    }
  }

  // ------ asking

  /** Tells, in one walk, how many leading blocks of a prompt each rank has. */
  void overlap(final long[] hashes, final int index, final int count, final LoadProjections out) {
    int above = ROOT;
    int position = 0;
    boolean whole = true;
    while (position < count && whole) {
      final int edge = edges.child(above, hashes[index + position]);
      if (edge == NONE) {
        break;
      }
      if (above != ROOT) {
        overlap(above, edge, position, out);
      }
      final int length = edges.count(edge);
      final int matched =
          granules.match(
              edges.first(edge),
              position,
              hashes,
              index + position,
              Math.min(length, count - position));
      position += matched;
      whole = matched == length;
      above = edge;
    }
    if (above != ROOT) {
      overlap(above, NONE, position, out);
    }
  }

  /** Ranks that have an edge, but not the one below it, have that many blocks. */
  private void overlap(
      final int edge, final int below, final int length, final LoadProjections out) {
    for (int w = 0; w < edges.words(); w++) {
      long bits = edges.ranks(edge, w);
      if (below != NONE) {
        bits &= ~edges.ranks(below, w);
      }
      for (; bits != 0; bits &= bits - 1) {
        out.overlap(ranks.order(rank(w, bits)), length);
      }
    }
  }
}
