package io.kvroute.index;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Writes the content of an index as records. An edge and its only child whose holders agree, which
 * the index had reasons to keep apart, are written as one.
 *
 * <p>Allocates on the Java heap in proportion to the number of edges and of own names.
 */
final class SnapshotWriter {
  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final Holders holders;
  private final Ranks ranks;
  private final SnapshotOutput out;
  private final SnapshotHeader header;
  private final int[] order;
  private final int[] numbers;
  private final int[] shifts;
  private final int[] ages;
  private final int rankWords;
  private final long[] words;
  private long[] parts = new long[16];

  SnapshotWriter(final Tree tree, final SnapshotOutput out, final SnapshotHeader header) {
    this.tree = tree;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.holders = tree.holders;
    this.ranks = tree.ranks;
    this.out = out;
    this.header = header;
    this.order = EdgeOrder.of(tree);
    this.numbers = new int[edges.bound()];
    this.shifts = new int[edges.bound()];
    this.ages = ages();
    this.rankWords = (ranks.used() + 63) >>> 6;
    this.words = new long[Ranks.TIERS * rankWords];
  }

  /** Where leaves are in the order of last stores, from 1 on; 0 for other edges. */
  private int[] ages() {
    final int[] found = new int[edges.bound()];
    int age = 0;
    int leaf = edges.leaves().oldest();
    while (leaf != Edges.NONE) {
      found[leaf] = ++age;
      leaf = edges.leaves().newer(leaf);
    }
    return found;
  }

  void write() {
    writeRanks();
    int i = 0;
    while (i < order.length) {
      final int last = chainEnd(i);
      writeEdge(i, last);
      i = last + 1;
    }
    writeOwnNames();
    // Joined edges can need a larger run than both had.
    header.unitCapacity = Math.max(header.unitCapacity, header.units);
    out.finish();
  }

  private void writeRanks() {
    for (int i = 0; i < ranks.used(); i++) {
      final int rank = ranks.sorted(i);
      final int at = out.claim(SnapshotLayout.RANK_LENGTH);
      out.bytes().putLong(at + SnapshotLayout.RANK_WORKER, ranks.workerId(rank));
      out.bytes().putInt(at + SnapshotLayout.RANK_DP, ranks.dpRank(rank));
      out.bytes()
          .putInt(
              at + SnapshotLayout.RANK_FLAGS,
              ranks.isApproximate(rank) ? SnapshotLayout.FLAG_APPROXIMATE : 0);
      header.ranks++;
    }
  }

  // ------ edges

  /** The last place in the order up to which edges make one. */
  private int chainEnd(final int from) {
    int i = from;
    while (i + 1 < order.length
        && edges.parent(order[i + 1]) == order[i]
        && edges.isOnlyChild(order[i + 1])
        && holders.agreeWithParent(order[i + 1], order[i])) {
      i++;
    }
    return i;
  }

  private void writeEdge(final int from, final int to) {
    final int number = ++header.edges;
    final int parent = edges.parent(order[from]);
    int count = 0;
    for (int i = from; i <= to; i++) {
      numbers[order[i]] = number;
      shifts[order[i]] = count;
      count += edges.count(order[i]);
    }
    final int wordCount = gatherWords(order[to], count);
    final int partCount = gatherParts(from, to);
    final int at = out.claim(SnapshotLayout.EDGE_LENGTH);
    out.bytes().putInt(at + SnapshotLayout.EDGE_PARENT, numbers[parent]);
    out.bytes().putInt(at + SnapshotLayout.EDGE_COUNT, count);
    out.bytes().putInt(at + SnapshotLayout.EDGE_AGE, ages[order[to]]);
    out.bytes().putInt(at + SnapshotLayout.EDGE_WORDS, wordCount);
    out.bytes().putInt(at + SnapshotLayout.EDGE_PARTS, partCount);
    out.bytes().putInt(at + SnapshotLayout.EDGE_ZERO, 0);
    header.units += SnapshotHeader.units(wordCount, partCount);
    writeWords();
    writeParts(partCount);
    for (int i = from; i <= to; i++) {
      writeBlocks(order[i]);
    }
  }

  /** Collects the full holders of an edge, by rank order; how many words are not 0. */
  private int gatherWords(final int edge, final int count) {
    Arrays.fill(words, 0);
    int used = 0;
    for (int i = 0; i < holders.words(edge); i++) {
      final int first = holders.wordIndex(edge, i) << 6;
      for (long bits = holders.wordBits(edge, i); bits != 0; bits &= bits - 1) {
        final int column = first + Long.numberOfTrailingZeros(bits);
        final int rank = ranks.order(ranks.rankOf(column));
        final int word = ranks.tierOf(column) * rankWords + (rank >>> 6);
        used += words[word] == 0 ? 1 : 0;
        words[word] |= 1L << rank;
        header.held += count;
      }
    }
    header.words += used;
    return used;
  }

  private void writeWords() {
    for (int i = 0; i < words.length; i++) {
      if (words[i] != 0) {
        final int at = out.claim(SnapshotLayout.WORD_LENGTH);
        out.bytes().putLong(at + SnapshotLayout.WORD_BITS, words[i]);
        out.bytes().putInt(at + SnapshotLayout.WORD_TIER, i / rankWords);
        out.bytes().putInt(at + SnapshotLayout.WORD_INDEX, i % rankWords);
      }
    }
  }

  /** Collects the partial holders of a chain of edges, ascending by owner; how many. */
  private int gatherParts(final int from, final int to) {
    int count = 0;
    for (int i = from; i <= to; i++) {
      final int edge = order[i];
      for (int part = 0; part < holders.parts(edge); part++) {
        final int column = holders.partColumn(edge, part);
        final int cutoff = shifts[edge] + holders.partCutoff(edge, part);
        if (count == parts.length) {
          parts = Arrays.copyOf(parts, 2 * count);
        }
        parts[count++] = (long) owner(ranks.rankOf(column), ranks.tierOf(column)) << 32 | cutoff;
        header.held += cutoff;
      }
    }
    Arrays.sort(parts, 0, count);
    header.parts += count;
    return count;
  }

  private int owner(final int rank, final int tiers) {
    return ranks.order(rank) | tiers << SnapshotLayout.TIER_SHIFT;
  }

  private void writeParts(final int count) {
    for (int i = 0; i < count; i++) {
      final int at = out.claim(SnapshotLayout.PART_LENGTH);
      out.bytes().putInt(at + SnapshotLayout.PART_OWNER, (int) (parts[i] >>> 32));
      out.bytes().putInt(at + SnapshotLayout.PART_CUTOFF, (int) parts[i]);
    }
  }

  private void writeBlocks(final int edge) {
    int slot = edges.first(edge);
    final int count = edges.count(edge);
    for (int i = 0; i < count; i++) {
      final int at = out.claim(SnapshotLayout.BLOCK_LENGTH);
      out.bytes().putLong(at + SnapshotLayout.BLOCK_LOCAL, blocks.local(slot));
      out.bytes().putLong(at + SnapshotLayout.BLOCK_EXTERNAL, blocks.external(slot));
      slot = i + 1 < count ? blocks.next(slot) : slot;
    }
    header.blocks += count;
  }

  // ------ own names

  /** A name with the place of its block: edge and index in one number. */
  private record Name(long place, int rank, long hash, int tiers) {
    static final Comparator<Name> ORDER =
        Comparator.comparingLong(Name::place)
            .thenComparingInt(Name::rank)
            .thenComparing(Name::hash, Long::compareUnsigned);
  }

  private void writeOwnNames() {
    final OwnNames own = tree.ownNames;
    final Name[] names = new Name[own.used()];
    int n = 0;
    for (int entry = 0; entry < own.bound(); entry++) {
      if (own.isUsed(entry)) {
        final int slot = own.slot(entry);
        final int edge = edges.edgeOf(slot);
        final int index = shifts[edge] + blocks.depth(slot) - edges.start(edge);
        final long place = (long) numbers[edge] << 32 | index;
        names[n++] =
            new Name(place, ranks.order(own.rank(entry)), own.hash(entry), own.tiers(entry));
      }
    }
    Arrays.sort(names, Name.ORDER);
    for (final Name name : names) {
      final int at = out.claim(SnapshotLayout.NAME_LENGTH);
      out.bytes().putLong(at + SnapshotLayout.NAME_HASH, name.hash);
      out.bytes().putInt(at + SnapshotLayout.NAME_EDGE, (int) (name.place >>> 32));
      out.bytes().putInt(at + SnapshotLayout.NAME_INDEX, (int) name.place);
      out.bytes()
          .putInt(
              at + SnapshotLayout.NAME_OWNER, name.rank | name.tiers << SnapshotLayout.TIER_SHIFT);
      out.bytes().putInt(at + SnapshotLayout.NAME_ZERO, 0);
      header.ownNames++;
    }
  }
}
