package io.kvroute.index;

import io.kvroute.protocol.RankOrder;
import java.nio.ByteBuffer;

/**
 * Builds an index from the records of a snapshot. Nothing is trusted, checksums or not: every
 * number is checked before it is used, so that no file can lead outside of the index's memory, or
 * to an index that breaks the promises of its structure.
 */
final class SnapshotReader {
  private static final int PIECE = 1024;

  /** Only written: it keeps the compiler from dropping the loads that warm up the reverse map. */
  long touched;

  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final Ranks ranks;
  private final SnapshotInput in;
  private final SnapshotHeader header;
  private final SnapshotHeader counted = new SnapshotHeader();
  private final SnapshotPath path = new SnapshotPath();
  private final SnapshotHolders read;
  private final int[] edgeOf;
  private final int[] leaves;
  private final long[] locals = new long[PIECE];
  private final long[] externals = new long[PIECE];
  private final HashList newLocals = new HashList();
  private final HashList newExternals = new HashList();
  private int leafCount;

  /**
   * Reads into an empty index.
   *
   * @param in of a file whose header fits into the capacities of the index
   */
  SnapshotReader(final SnapshotInput in, final Tree tree) {
    this.in = in;
    this.header = in.header();
    this.tree = tree;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.ranks = tree.ranks;
    this.edgeOf = new int[header.edges + 1];
    this.leaves = new int[header.edges + 1];
    this.read = new SnapshotHolders(in, header.ranks);
  }

  /**
   * Reads everything.
   *
   * @throws SnapshotException if a number cannot be right; the index is then to be thrown away
   */
  void read() {
    readRanks();
    while (counted.edges < header.edges) {
      readEdge();
    }
    path.checkLeaf();
    restoreAges();
    checkJoined();
    final SnapshotNames names = new SnapshotNames(in, tree, edgeOf, counted);
    names.read();
    in.requireEnd();
    header.checkCounted(counted);
    names.check();
  }

  /** Brings the leaves into the order of last stores. */
  private void restoreAges() {
    for (int age = 1; age <= leafCount; age++) {
      if (leaves[age] == 0) {
        throw bad("no edge has an age", "age", age, "leaves", leafCount);
      }
      edges.leaves().touch(edgeOf[leaves[age]]);
    }
  }

  /** Makes sure that no edge and its only child should be one; a tree joins them where it can. */
  private void checkJoined() {
    for (int number = 1; number <= counted.edges; number++) {
      final int edge = edgeOf[number];
      final int parent = edges.parent(edge);
      if (parent != Edges.ROOT
          && edges.isOnlyChild(edge)
          && tree.holders.agreeWithParent(edge, parent)) {
        throw bad("edge should be one with its parent", "edge", number);
      }
    }
  }

  private void readRanks() {
    while (counted.ranks < header.ranks) {
      final int at = in.next(SnapshotLayout.RANK_LENGTH);
      final long workerId = in.bytes().getLong(at + SnapshotLayout.RANK_WORKER);
      final int dpRank = in.bytes().getInt(at + SnapshotLayout.RANK_DP);
      final int flags = in.bytes().getInt(at + SnapshotLayout.RANK_FLAGS);
      final int order = counted.ranks++;
      if (order > 0
          && RankOrder.compare(workerId, dpRank, ranks.workerId(order - 1), ranks.dpRank(order - 1))
              <= 0) {
        throw bad("ranks are not ascending", "rank", order);
      }
      if ((flags & ~SnapshotLayout.FLAG_APPROXIMATE) != 0) {
        throw bad("rank has unknown flags", "rank", order, "flags", flags);
      }
      if (ranks.add(workerId, dpRank) != order) {
        throw new IllegalStateException("index to restore into is not empty: rank=" + order);
      }
      ranks.setApproximate(order, flags != 0);
    }
  }

  // ------ edges

  private void readEdge() {
    final int number = ++counted.edges;
    final int at = in.next(SnapshotLayout.EDGE_LENGTH);
    final ByteBuffer bytes = in.bytes();
    final int parent = bytes.getInt(at + SnapshotLayout.EDGE_PARENT);
    final int count = bytes.getInt(at + SnapshotLayout.EDGE_COUNT);
    final int age = bytes.getInt(at + SnapshotLayout.EDGE_AGE);
    final int words = bytes.getInt(at + SnapshotLayout.EDGE_WORDS);
    final int parts = bytes.getInt(at + SnapshotLayout.EDGE_PARTS);
    if (bytes.getInt(at + SnapshotLayout.EDGE_ZERO) != 0 || age < 0 || age > header.edges) {
      throw bad("edge has no possible age", "edge", number, "age", age);
    }
    if (count <= 0 || count > header.blocks - counted.blocks) {
      throw bad("edge has no possible count", "edge", number, "count", count);
    }
    if (words < 0 || words > read.maxWords() || words > header.words - counted.words) {
      throw bad("edge has no possible number of words", "edge", number, "words", words);
    }
    if (parts < 0 || parts > Ranks.TIERS * header.ranks || parts > header.parts - counted.parts) {
      throw bad("edge has no possible number of parts", "edge", number, "parts", parts);
    }
    path.goTo(parent, number);
    readHolders(number, count, words, parts);
    addEdge(number, count);
    path.enter(number, words != 0, age != 0);
    if (age != 0) {
      if (leaves[age] != 0) {
        throw bad("two edges have one age", "edge", number, "age", age);
      }
      leaves[age] = number;
      leafCount++;
    }
  }

  /** The holders of the edge that is read; the edge itself is made after its blocks. */
  private void readHolders(final int number, final int count, final int words, final int parts) {
    counted.words += words;
    counted.parts += parts;
    counted.units += SnapshotHeader.units(words, parts);
    if (counted.units > header.units) {
      throw bad("holders take more than the header says", "edge", number, "units", counted.units);
    }
    read.read(number, count, words, parts);
  }

  private void addEdge(final int number, final int count) {
    final int parent = edgeOf[path.number()];
    final int start = parent == Edges.ROOT ? 0 : edges.start(parent) + edges.count(parent);
    int hint = parent == Edges.ROOT ? Blocks.NONE : edges.tail(parent);
    int first = Blocks.NONE;
    int tail = Blocks.NONE;
    for (int done = 0; done < count; done += PIECE) {
      final int piece = Math.min(PIECE, count - done);
      readBlocks(piece);
      if (done == 0) {
        path.addChild(number, locals[0]);
      }
      final int slot = blocks.append(tail, hint, start + done, newLocals, newExternals, 0, true);
      first = done == 0 ? slot : first;
      tail = blocks.lastAppended();
      hint = tail;
    }
    counted.blocks += count;
    final int edge = edges.add(parent, first, tail, start, count);
    blocks.ownRange(first, tail, edge);
    edgeOf[number] = edge;
    counted.held += read.putInto(tree, edge);
  }

  private void readBlocks(final int count) {
    touched = 0;
    for (int i = 0; i < count; i++) {
      final int at = in.next(SnapshotLayout.BLOCK_LENGTH);
      locals[i] = in.bytes().getLong(at + SnapshotLayout.BLOCK_LOCAL);
      externals[i] = in.bytes().getLong(at + SnapshotLayout.BLOCK_EXTERNAL);
      touched |= blocks.touch(externals[i]);
    }
    newLocals.wrap(locals, 0, count);
    newExternals.wrap(externals, 0, count);
  }

  // ------ refusals

  static SnapshotException bad(final String what, final String name, final long value) {
    return new SnapshotException(
        "snapshot contradicts itself: " + what + ": " + name + '=' + value);
  }

  static SnapshotException bad(
      final String what,
      final String name,
      final long value,
      final String otherName,
      final long otherValue) {
    return new SnapshotException(
        "snapshot contradicts itself: "
            + what
            + ": "
            + name
            + '='
            + value
            + ' '
            + otherName
            + '='
            + otherValue);
  }
}
