package io.kvroute.index;

import io.kvroute.memory.RunStore;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Walks through an index and fails on anything that contradicts what its structure promises. */
final class IndexInvariants {
  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final Holders holders;
  private final BitSet slots = new BitSet();
  private final BitSet granules = new BitSet();
  private final Map<Integer, Long> held = new HashMap<>();
  private final Map<Long, Integer> names = new HashMap<>();
  private int edgeCount;
  private int leafCount;
  private long units;

  private IndexInvariants(final Tree tree) {
    this.tree = tree;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.holders = tree.holders;
  }

  static void check(final RadixIndex index) {
    new IndexInvariants(index.tree()).check();
  }

  private void check() {
    checkChildren(Edges.ROOT);
    same("blocks", slots.cardinality(), blocks.size());
    same("granules", granules.cardinality(), blocks.usedGranules());
    same("edges", edgeCount, edges.used());
    same("units", units, holders.runs().usedUnits());
    final long shared = names.values().stream().mapToLong(n -> n - 1).sum();
    same("shared names", shared, blocks.sharedNames());
    for (int rank = 0; rank < tree.ranks.bound(); rank++) {
      for (int tier = 0; tier < Ranks.TIERS; tier++) {
        final int column = tree.ranks.column(rank, tier);
        same("held by column " + column, held.getOrDefault(column, 0L), tree.ranks.held(column));
      }
    }
    checkOrder();
    checkOwnNames();
    checkLeaves();
  }

  private void checkLeaves() {
    final Set<Integer> listed = new HashSet<>();
    int last = Edges.NONE;
    for (int leaf = edges.leaves().oldest();
        leaf != Edges.NONE;
        leaf = edges.leaves().newer(leaf)) {
      truth("leaf " + leaf + " twice", listed.add(leaf));
      truth("no leaf " + leaf, edges.isUsed(leaf) && edges.firstChild(leaf) == Edges.NONE);
      truth("leaf " + leaf + " not in the order", edges.leaves().contains(leaf));
      last = leaf;
    }
    same("leaves", leafCount, listed.size());
    truth("newest leaf", edges.leaves().newest() == last);
  }

  private void checkChildren(final int parent) {
    int previous = Edges.NONE;
    int edge = edges.firstChild(parent);
    final Set<Long> locals = new HashSet<>();
    while (edge != Edges.NONE) {
      same("parent of " + edge, parent, edges.parent(edge));
      truth("twins below " + parent, locals.add(blocks.local(edges.first(edge))));
      same("child " + edge, edge, edges.child(parent, blocks.local(edges.first(edge))));
      truth("only child " + edge, edges.isOnlyChild(edge) == (childCount(parent) == 1));
      checkEdge(edge);
      checkChildren(edge);
      previous = edge;
      edge = edges.nextSibling(edge);
      truth("sibling", edge != previous);
    }
  }

  private int childCount(final int parent) {
    int count = 0;
    int edge = edges.firstChild(parent);
    while (edge != Edges.NONE) {
      count++;
      edge = edges.nextSibling(edge);
    }
    return count;
  }

  private void checkEdge(final int edge) {
    edgeCount++;
    final int parent = edges.parent(edge);
    final int start = parent == Edges.ROOT ? 0 : edges.start(parent) + edges.count(parent);
    same("start of " + edge, start, edges.start(edge));
    truth("count of " + edge, edges.count(edge) > 0);
    int slot = edges.first(edge);
    for (int i = 0; i < edges.count(edge); i++) {
      checkSlot(edge, i, slot);
      slot = i + 1 < edges.count(edge) ? blocks.next(slot) : slot;
    }
    same("tail of " + edge, slot, edges.tail(edge));
    checkHolders(edge);
    if (parent != Edges.ROOT && edges.isOnlyChild(edge) && holders.agreeWithParent(edge, parent)) {
      truth(
          "edges " + parent + " and " + edge + " should be one",
          edges.first(edge) != edges.tail(parent) + 1);
    }
  }

  private void checkSlot(final int edge, final int i, final int slot) {
    truth("slot " + slot + " is in two edges", !slots.get(slot));
    slots.set(slot);
    granules.set(slot >>> GranuleLayout.SHIFT);
    same("depth of slot " + slot, edges.start(edge) + i, blocks.depth(slot));
    same("edge of slot " + slot, edge, edges.edgeOf(slot));
    same("slot " + i + " of edge " + edge, slot, edges.slot(edge, i));
    names.merge(blocks.external(slot), 1, Integer::sum);
    long position = blocks.firstNamed(blocks.external(slot));
    while (position >= 0 && blocks.slotAt(position) != slot) {
      position = blocks.nextNamed(position, blocks.external(slot));
    }
    truth("slot " + slot + " is not in the reverse map", position >= 0);
  }

  private void checkHolders(final int edge) {
    final Set<Integer> columns = new HashSet<>();
    int last = -1;
    for (int i = 0; i < holders.words(edge); i++) {
      truth(
          "words of " + edge, holders.wordIndex(edge, i) > last && holders.wordBits(edge, i) != 0);
      last = holders.wordIndex(edge, i);
      for (long bits = holders.wordBits(edge, i); bits != 0; bits &= bits - 1) {
        addHeld(columns, (last << 6) + Long.numberOfTrailingZeros(bits), edges.count(edge));
      }
    }
    for (int i = 0; i < holders.parts(edge); i++) {
      final int cutoff = holders.partCutoff(edge, i);
      truth("cutoff in " + edge, cutoff > 0 && cutoff < edges.count(edge));
      addHeld(columns, holders.partColumn(edge, i), cutoff);
    }
    truth("leaf", (edges.firstChild(edge) == Edges.NONE) == edges.leaves().contains(edge));
    if (edges.firstChild(edge) == Edges.NONE) {
      leafCount++;
      same("coverage of leaf " + edge, edges.count(edge), holders.maxCoverage(edge));
    }
    final int words = holders.words(edge);
    final int parts = holders.parts(edge);
    units += words > 1 ? RunStore.roundUp(words) : 0;
    units += parts > 0 ? RunStore.roundUp((parts + 1) / 2) : 0;
  }

  private void addHeld(final Set<Integer> columns, final int column, final long blocksHeld) {
    truth("column twice", columns.add(column));
    final int rank = tree.ranks.rankOf(column);
    truth("column of unknown rank", tree.ranks.isUsed(rank) || tree.ranks.isLeaving(rank));
    held.merge(column, blocksHeld, Long::sum);
  }

  private void checkOrder() {
    for (int i = 0; i < tree.ranks.used(); i++) {
      final int rank = tree.ranks.sorted(i);
      same("order", i, tree.ranks.order(rank));
      same("rank", rank, tree.ranks.find(tree.ranks.workerId(rank), tree.ranks.dpRank(rank)));
    }
  }

  private void checkOwnNames() {
    final OwnNames own = tree.ownNames;
    final int[] perRank = new int[tree.ranks.bound()];
    int used = 0;
    for (int entry = 0; entry < own.bound(); entry++) {
      if (own.isUsed(entry)) {
        used++;
        final int rank = own.rank(entry);
        final int slot = own.slot(entry);
        perRank[rank]++;
        truth("own name of a freed slot", slots.get(slot) && blocks.hasOwnNames(slot));
        same("own name", entry, own.named(rank, own.hash(entry)));
        if (tree.ranks.isUsed(rank)) {
          checkOwnName(entry, rank, slot);
        }
      }
    }
    same("own names", used, own.used());
    for (int rank = 0; rank < perRank.length; rank++) {
      if (tree.ranks.isUsed(rank) || tree.ranks.isLeaving(rank)) {
        same("own names of rank", perRank[rank], tree.ranks.ownNames(rank));
      }
    }
  }

  private void checkOwnName(final int entry, final int rank, final int slot) {
    final OwnNames own = tree.ownNames;
    same(
        "tiers of own names",
        tree.tiersHolding(rank, slot),
        own.tiersAt(rank, slot, OwnNames.NONE));
    truth(
        "needless own name",
        own.hash(entry) != blocks.external(slot)
            || own.anotherAt(rank, slot, entry) != OwnNames.NONE);
  }

  private static void same(final String what, final long expected, final long actual) {
    if (expected != actual) {
      throw new AssertionError(what + ": expected=" + expected + " actual=" + actual);
    }
  }

  private static void truth(final String what, final boolean value) {
    if (!value) {
      throw new AssertionError(what);
    }
  }
}
