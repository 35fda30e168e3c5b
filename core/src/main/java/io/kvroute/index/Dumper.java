package io.kvroute.index;

import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.ExpandableArrayBuffer;

/**
 * Writes the index as events that make an equal one: rank by rank in ascending order, tier by tier,
 * the paths to all that the rank holds there, parents first, children by ascending local hash, a
 * straight run as one event; then further names of single blocks; then one removal of the blocks on
 * the paths that the rank does not hold. The order depends on what is held, not on how edges happen
 * to be cut, so the dump of a restored dump is the same bytes.
 *
 * <p>A block on a path that the rank does not hold is announced under the name by which the dump
 * first announced it, or by its external hash; if that is the rank's name for something else, under
 * one derived from it.
 *
 * <p>Allocates on the Java heap in proportion to the number of edges and the longest run.
 */
final class Dumper {
  private static final int MAX_RUN = 1 << 20;

  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final Ranks ranks;
  private final OwnNames ownNames;
  private final KvEventListener listener;
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private final int[] order;
  private final int[] needed;
  private final BitSet announced = new BitSet();
  private final Map<Integer, Long> firstNames = new HashMap<>();
  private final Map<Integer, Long> gapNames = new HashMap<>();
  private final Map<Long, Integer> gapSlots = new HashMap<>();
  private final List<Alias> aliases = new ArrayList<>();
  private final Longs runLocals = new Longs();
  private final Longs runNames = new Longs();
  private final Longs gaps = new Longs();
  private boolean runHasParent;
  private long runParent;
  private int rank;
  private int tier;
  private long eventId;

  private record Alias(boolean hasParent, long parent, long local, long name) {}

  private static final class Longs {
    private long[] values = new long[64];
    private int size;

    void add(final long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }
  }

  Dumper(final Tree tree, final KvEventListener listener) {
    this.tree = tree;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.ranks = tree.ranks;
    this.ownNames = tree.ownNames;
    this.listener = listener;
    this.order = EdgeOrder.of(tree);
    this.needed = new int[edges.bound()];
  }

  /** Writes all events; how many. */
  long dump() {
    for (int i = 0; i < ranks.used(); i++) {
      dumpRank(ranks.sorted(i));
    }
    return eventId;
  }

  /** Writes the events of one rank; how many. */
  long dumpRank(final int dumped) {
    rank = dumped;
    gapNames.clear();
    gapSlots.clear();
    for (tier = 0; tier < Ranks.TIERS; tier++) {
      if (ranks.held(ranks.column(rank, tier)) != 0) {
        dumpColumn();
      }
    }
    return eventId;
  }

  private void dumpColumn() {
    findNeeded();
    aliases.clear();
    gaps.size = 0;
    int last = Edges.NONE;
    for (final int edge : order) {
      if (needed[edge] != 0) {
        final int parent = edges.parent(edge);
        if (parent != last || parent == Edges.ROOT || neededChildren(parent) != 1) {
          flushRun();
          beginRun(parent);
        }
        addBlocks(edge);
        last = edge;
      }
    }
    flushRun();
    for (final Alias alias : aliases) {
      runHasParent = alias.hasParent;
      runParent = alias.parent;
      runLocals.add(alias.local);
      runNames.add(alias.name);
      flushRun();
    }
    writeGaps();
  }

  /**
   * How many leading blocks of each edge the column needs: to what it holds, or to what is below.
   */
  private void findNeeded() {
    Arrays.fill(needed, 0);
    final int column = ranks.column(rank, tier);
    for (int i = order.length - 1; i >= 0; i--) {
      final int edge = order[i];
      if (needed[edge] == 0) {
        needed[edge] = tree.holders.coverage(edge, column);
      }
      final int parent = edges.parent(edge);
      if (needed[edge] != 0 && parent != Edges.ROOT) {
        needed[parent] = edges.count(parent);
      }
    }
  }

  private int neededChildren(final int parent) {
    int count = 0;
    int child = edges.firstChild(parent);
    while (child != Edges.NONE) {
      count += needed[child] != 0 ? 1 : 0;
      child = edges.nextSibling(child);
    }
    return count;
  }

  private void beginRun(final int parent) {
    runHasParent = parent != Edges.ROOT;
    runParent = runHasParent ? name(edges.tail(parent)) : 0;
  }

  private void addBlocks(final int edge) {
    final int held = tree.holders.coverage(edge, ranks.column(rank, tier));
    int slot = edges.first(edge);
    for (int i = 0; i < needed[edge]; i++) {
      final long name = name(slot);
      if (i >= held) {
        gaps.add(name);
      } else if (tree.usesOwnNames(rank, slot)) {
        addAliases(slot, name);
      }
      if (!announced.get(slot)) {
        announced.set(slot);
        if (name != blocks.external(slot)) {
          firstNames.put(slot, name);
        }
      }
      if (runNames.size == MAX_RUN) {
        final long parent = runNames.values[MAX_RUN - 1];
        flushRun();
        runHasParent = true;
        runParent = parent;
      }
      runLocals.add(blocks.local(slot));
      runNames.add(name);
      slot = i + 1 < needed[edge] ? blocks.next(slot) : slot;
    }
  }

  private void addAliases(final int slot, final long mainName) {
    final boolean hasParent = runHasParent || runNames.size != 0;
    final long parent = runNames.size != 0 ? runNames.values[runNames.size - 1] : runParent;
    for (final long alias : ownNames.namesAt(rank, slot, 1 << tier)) {
      if (alias != mainName) {
        aliases.add(new Alias(hasParent, parent, blocks.local(slot), alias));
      }
    }
  }

  /** What the rank calls a block in the tier; the lowest if it has several names. */
  private long name(final int slot) {
    if (tree.usesOwnNames(rank, slot)) {
      final long[] here = ownNames.namesAt(rank, slot, 1 << tier);
      return here.length != 0 ? here[0] : ownNames.namesAt(rank, slot, -1)[0];
    }
    return tree.tiersHolding(rank, slot) != 0 ? blocks.external(slot) : gapName(slot);
  }

  private long gapName(final int slot) {
    final Long known = gapNames.get(slot);
    if (known != null) {
      return known;
    }
    final long base = firstNames.getOrDefault(slot, blocks.external(slot));
    long name = base;
    for (int i = 1; gapSlots.containsKey(name) || isHeldName(name); i++) {
      name = derived(base, i);
    }
    gapNames.put(slot, name);
    gapSlots.put(name, slot);
    return name;
  }

  private boolean isHeldName(final long name) {
    return tree.slotNamed(rank, name) != Blocks.NONE;
  }

  private static long derived(final long base, final int i) {
    long z = base + i * 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    return z ^ z >>> 31;
  }

  private StorageTier storageTier() {
    return StorageTier.ofOrdinal(tier);
  }

  private void flushRun() {
    final int count = runNames.size;
    if (count == 0) {
      return;
    }
    final int length =
        KvEventEncoder.stored(
            buffer,
            0,
            ranks.workerId(rank),
            ranks.dpRank(rank),
            storageTier(),
            eventId++,
            runHasParent,
            runParent,
            count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, runNames.values[i]);
      KvEventEncoder.putTokensHash(buffer, 0, count, i, runLocals.values[i]);
    }
    runNames.size = 0;
    runLocals.size = 0;
    listener.onEvent(buffer, 0, length);
  }

  private void writeGaps() {
    if (gaps.size == 0) {
      return;
    }
    final int length =
        KvEventEncoder.removed(
            buffer,
            0,
            ranks.workerId(rank),
            ranks.dpRank(rank),
            storageTier(),
            eventId++,
            gaps.size);
    for (int i = 0; i < gaps.size; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, gaps.values[i]);
    }
    listener.onEvent(buffer, 0, length);
  }
}
