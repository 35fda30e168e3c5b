package io.kvroute.index;

import io.kvroute.index.IndexShape.Prefix;
import io.kvroute.index.IndexShape.RankShare;
import io.kvroute.index.IndexShape.Structure;
import io.kvroute.memory.RunStore;
import io.kvroute.memory.TagTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Goes through an index and counts for an {@link IndexShape}. */
final class ShapeWalk {
  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final Holders holders;
  private final Ranks ranks;
  private final int[] order;
  private final long[] full;
  private final long[] depths = new long[Integer.SIZE + 1];
  private final long[] lengths = new long[Integer.SIZE + 1];
  private final long[] fanOuts = new long[Integer.SIZE + 1];
  private final long[] held = new long[Integer.SIZE + 1];
  private final List<Place> places = new ArrayList<>();
  private long leaves;
  private int maxDepth;

  /** The end of a possible prefix: so many blocks of an edge, the ranks that hold the last one. */
  private record Place(int edge, int count, int depth, int holders) {
    long weight() {
      return (long) depth * holders;
    }
  }

  ShapeWalk(final Tree tree) {
    this.tree = tree;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.holders = tree.holders;
    this.ranks = tree.ranks;
    this.order = EdgeOrder.of(tree);
    this.full = new long[ranks.wordsPerTier()];
  }

  IndexShape shape(final int prefixes) {
    fanOuts[bucket(children(Edges.ROOT))]++;
    for (final int edge : order) {
      visit(edge);
    }
    return new IndexShape(
        blocks.size(),
        edges.used(),
        leaves,
        maxDepth,
        tree.ownNames.used(),
        shares(),
        trimmed(depths),
        trimmed(lengths),
        trimmed(fanOuts),
        trimmed(held),
        best(prefixes),
        structures());
  }

  // ------ edges

  private static int bucket(final int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(value);
  }

  private static List<Long> trimmed(final long[] histogram) {
    int end = histogram.length;
    while (end > 0 && histogram[end - 1] == 0) {
      end--;
    }
    return Arrays.stream(histogram, 0, end).boxed().toList();
  }

  private int children(final int edge) {
    int count = 0;
    for (int c = edges.firstChild(edge); c != Edges.NONE; c = edges.nextSibling(c)) {
      count++;
    }
    return count;
  }

  private void visit(final int edge) {
    final int count = edges.count(edge);
    final int end = edges.start(edge) + count;
    final int children = children(edge);
    lengths[bucket(count)]++;
    fanOuts[bucket(children)]++;
    if (children == 0) {
      leaves++;
      depths[bucket(end)]++;
      maxDepth = Math.max(maxDepth, end);
    }
    countHolders(edge);
  }

  /** Counts who holds the blocks of an edge: fewer and fewer towards its end. */
  private void countHolders(final int edge) {
    final int fullRanks = gatherFull(edge);
    final int[] cutoffs = cutoffs(edge);
    int from = 0;
    for (int i = 0; i < cutoffs.length; i++) {
      if (cutoffs[i] > from) {
        addStretch(edge, from, cutoffs[i], fullRanks + cutoffs.length - i);
        from = cutoffs[i];
      }
    }
    if (from < edges.count(edge)) {
      addStretch(edge, from, edges.count(edge), fullRanks);
    }
  }

  private void addStretch(final int edge, final int from, final int to, final int count) {
    held[bucket(count)] += to - from;
    if (count > 0) {
      places.add(new Place(edge, to, edges.start(edge) + to, count));
    }
  }

  /** The ranks that hold all of an edge in some tier. */
  private int gatherFull(final int edge) {
    Arrays.fill(full, 0);
    for (int i = 0; i < holders.words(edge); i++) {
      full[holders.wordIndex(edge, i) % full.length] |= holders.wordBits(edge, i);
    }
    int count = 0;
    for (final long word : full) {
      count += Long.bitCount(word);
    }
    return count;
  }

  /** How much of an edge each of the other ranks holds, in the tier where it is most, ascending. */
  private int[] cutoffs(final int edge) {
    if (holders.parts(edge) == 0) {
      return new int[0];
    }
    final Map<Integer, Integer> byRank = new HashMap<>();
    for (int i = 0; i < holders.parts(edge); i++) {
      final int rank = ranks.rankOf(holders.partColumn(edge, i));
      if ((full[rank >>> 6] >>> rank & 1) == 0) {
        byRank.merge(rank, holders.partCutoff(edge, i), Math::max);
      }
    }
    return byRank.values().stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  // ------ prefixes

  private List<Prefix> best(final int most) {
    final int[] ends = subtreeEnds();
    final BitSet out = new BitSet();
    final List<Prefix> best = new ArrayList<>();
    while (best.size() < most && out.cardinality() < places.size()) {
      int top = out.nextClearBit(0);
      for (int i = out.nextClearBit(top); i < places.size(); i = out.nextClearBit(i + 1)) {
        top = places.get(i).weight() > places.get(top).weight() ? i : top;
      }
      final Place chosen = places.get(top);
      best.add(prefix(chosen));
      for (int i = out.nextClearBit(0); i < places.size(); i = out.nextClearBit(i + 1)) {
        if (isOnOnePath(places.get(i).edge, chosen.edge, ends)) {
          out.set(i);
        }
      }
    }
    return best;
  }

  /** For each edge, its own place in the order and that of the last edge below it. */
  private int[] subtreeEnds() {
    final int[] ends = new int[2 * edges.bound()];
    for (int i = order.length - 1; i >= 0; i--) {
      final int edge = order[i];
      final int parent = edges.parent(edge);
      ends[2 * edge] = i;
      ends[2 * edge + 1] = Math.max(ends[2 * edge + 1], i);
      ends[2 * parent + 1] = Math.max(ends[2 * parent + 1], ends[2 * edge + 1]);
    }
    return ends;
  }

  private static boolean isOnOnePath(final int first, final int second, final int[] ends) {
    return (ends[2 * first] <= ends[2 * second] && ends[2 * second] <= ends[2 * first + 1])
        || (ends[2 * second] <= ends[2 * first] && ends[2 * first] <= ends[2 * second + 1]);
  }

  private Prefix prefix(final Place place) {
    int top = place.edge;
    while (edges.parent(top) != Edges.ROOT) {
      top = edges.parent(top);
    }
    final int last = edges.slot(place.edge, place.count - 1);
    return new Prefix(
        place.depth,
        place.holders,
        blocks.local(edges.first(top)),
        blocks.local(last),
        blocks.external(last));
  }

  // ------ ranks and bytes

  private List<RankShare> shares() {
    final List<RankShare> shares = new ArrayList<>();
    for (int i = 0; i < ranks.used(); i++) {
      final int rank = ranks.sorted(i);
      shares.add(
          new RankShare(
              ranks.workerId(rank),
              ranks.dpRank(rank),
              ranks.isApproximate(rank),
              ranks.ownNames(rank),
              ranks.held(ranks.column(rank, 0)),
              ranks.held(ranks.column(rank, 1)),
              ranks.held(ranks.column(rank, 2)),
              ranks.held(ranks.column(rank, 3))));
    }
    return shares;
  }

  private List<Structure> structures() {
    final int granules = blocks.usedGranules();
    final int allGranules = blocks.granuleCapacity();
    final int allEdges = edges.used() + edges.freeCount();
    final int allNames = tree.ownNames.used() + tree.ownNames.freeCount();
    final long fixed = Ranks.length(ranks.capacity()) + RepeatCheck.length();
    final long edgeLength = EdgeLayout.LENGTH;
    return List.of(
        new Structure("block_hashes", hashes(granules), hashes(allGranules)),
        new Structure(
            "block_links",
            Blocks.length(0, granules) - hashes(granules) - Blocks.length(0, 0),
            Blocks.length(0, allGranules) - hashes(allGranules) - TagTable.length(0)),
        new Structure(
            "block_names",
            TagTable.length(blocks.size()) - TagTable.length(0),
            TagTable.length(blocks.capacity())),
        new Structure("edges", edges.used() * edgeLength, (allEdges + 1) * edgeLength),
        new Structure(
            "children",
            TagTable.length(edges.used()) - TagTable.length(0),
            TagTable.length(allEdges)),
        new Structure(
            "holders",
            holders.runs().usedUnits() * RunStore.UNIT_LENGTH,
            RunStore.length(holders.runs().unitCount())),
        new Structure(
            "own_names",
            OwnNames.length(tree.ownNames.used()) - OwnNames.length(0),
            OwnNames.length(allNames)),
        new Structure("ranks_and_work_space", fixed, fixed));
  }

  private static long hashes(final int granules) {
    return 2L * Long.BYTES * GranuleLayout.SLOTS * granules;
  }
}
