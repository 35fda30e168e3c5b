package io.kvroute.engine;

import io.kvroute.memory.Arena;
import io.kvroute.memory.BitColumn;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;

/**
 * Which places hold an announced copy in flight (in a lease and not in the tree), found by their
 * block's chain hash, and whether the tree holds an announced copy of the block as well. A block
 * whose only copy is the tree's has no entry, so this table holds the pages of active requests and
 * no others.
 *
 * <p>Open addressing with linear probing and backward-shift deletion. An entry is a place plus one,
 * with the top bit set if the tree has a copy: four bytes, because the hash is read where the place
 * has it. All entries of a block lie in one probe sequence. The memory is reserved for the full
 * capacity, but only as many slots are in use as the entries need: the table grows by rehashing in
 * place and shrinks when it becomes empty, so that it mostly stays in the processor's cache. At
 * most 5.2 bytes an entry at full load.
 */
final class CopyCounts {
  private static final int EMPTY = 0;
  private static final int IN_TREE = 1 << 31;
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long SMALLEST = 64;
  private static final long SMALLEST_AFTER_GROWTH = 4096;

  private final Region hashes;
  private final Region slots;
  private final BitColumn settled;
  private final long maxSlots;
  private long slotCount;
  private long size;
  private long peakSize;
  private boolean others;
  private boolean inTree;

  /**
   * Makes an empty table.
   *
   * @param hashes the column of chain hashes by place
   * @param capacity most entries
   */
  CopyCounts(final Arena arena, final Region hashes, final long capacity) {
    this.hashes = hashes;
    maxSlots = slotCount(capacity);
    slots = arena.allocate("engine.copies", maxSlots * Integer.BYTES);
    settled = new BitColumn(arena, "engine.settled", maxSlots);
    slotCount = Math.min(SMALLEST, maxSlots);
  }

  static long length(final long capacity) {
    final long slots = slotCount(capacity);
    return slots * Integer.BYTES + BitColumn.length(slots);
  }

  private static long slotCount(final long capacity) {
    return capacity + (capacity >> 2) + 1;
  }

  void free(final Arena arena) {
    arena.free(slots);
    settled.free(arena);
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Announced copies in flight. */
  long size() {
    return size;
  }

  /**
   * A copy in flight was announced.
   *
   * @param treeHasOne whether the tree holds an announced copy; only asked if there is no other in
   *     flight
   * @return true if it is the first copy of all
   */
  boolean publish(final int place, final boolean treeHasOne) {
    final long hash = hashAt(place);
    final long slot = survey(hash, -1);
    final boolean tree = others ? inTree : treeHasOne;
    final boolean first = !others && !tree;
    add(slot, hash, entry(place, tree));
    return first;
  }

  /** A copy in flight became the tree's. */
  void moveToTree(final int place) {
    final long hash = hashAt(place);
    final long slot = survey(hash, place);
    removeAt(slot);
    if (others) {
      flag(hash, IN_TREE);
    }
  }

  /** The tree's copy of a block went; true if it was the last of all. */
  boolean removeFromTree(final int place) {
    final long hash = hashAt(place);
    survey(hash, -1);
    if (others) {
      flag(hash, 0);
    }
    return !others;
  }

  /** A copy in flight went; true if it was the last of all. */
  boolean removeInFlight(final int place) {
    removeAt(survey(hashAt(place), place));
    return !others && !inTree;
  }

  /** A copy went, wherever it was; true if it was the last of all. For closing only. */
  boolean removeAny(final int place) {
    final long slot = survey(hashAt(place), place);
    return slots.getInt(slot << 2) == EMPTY ? removeFromTree(place) : removeInFlight(place);
  }

  /**
   * Twice the announced copies of a block in flight, plus one if the tree has one; for inspection.
   */
  int count(final long hash) {
    int count = 0;
    int tree = 0;
    for (long slot = home(hash); slots.getInt(slot << 2) != EMPTY; slot = successor(slot)) {
      if (hashOf(slots.getInt(slot << 2)) == hash) {
        count += 2;
        tree = slots.getInt(slot << 2) < 0 ? 1 : 0;
      }
    }
    return count + tree;
  }

  /**
   * Looks at all entries of a block; sets {@link #others} and, if there is any entry, {@link
   * #inTree}.
   *
   * @param own a place that does not count as another one, or -1
   * @return the slot of {@code own}, or else the empty slot at the end
   */
  private long survey(final long hash, final int own) {
    others = false;
    inTree = false;
    long ownSlot = -1;
    long slot = home(hash);
    for (int entry; (entry = slots.getInt(slot << 2)) != EMPTY; slot = successor(slot)) {
      if (place(entry) == own) {
        ownSlot = slot;
        inTree = entry < 0;
      } else if (hashOf(entry) == hash) {
        others = true;
        inTree = entry < 0;
      }
    }
    return ownSlot >= 0 ? ownSlot : slot;
  }

  /** Marks all entries of a block: the tree has a copy, or has none. */
  private void flag(final long hash, final int flag) {
    long slot = home(hash);
    for (int entry; (entry = slots.getInt(slot << 2)) != EMPTY; slot = successor(slot)) {
      if (hashOf(entry) == hash) {
        slots.putInt(slot << 2, (entry & ~IN_TREE) | flag);
      }
    }
  }

  private void add(final long slot, final long hash, final int entry) {
    if (size < growAt()) {
      slots.putInt(slot << 2, entry);
    } else {
      grow();
      slots.putInt(survey(hash, -1) << 2, entry);
    }
    size++;
  }

  private long growAt() {
    return slotCount == maxSlots ? Long.MAX_VALUE : slotCount >> 1;
  }

  private void grow() {
    final long before = slotCount;
    slotCount = Math.min(slotCount << 1, maxSlots);
    for (long slot = 0; slot < before; slot++) {
      if (!settled.get(slot)) {
        final int entry = slots.getInt(slot << 2);
        slots.putInt(slot << 2, EMPTY);
        settle(entry);
      }
    }
    settled.clear(slotCount);
  }

  /**
   * Places an entry by the new slot count, over settled entries only; one that still stands where
   * it stood before gives its slot up and is placed next.
   */
  private void settle(final int first) {
    int entry = first;
    while (entry != EMPTY) {
      long slot = home(hashOf(entry));
      while (settled.get(slot)) {
        slot = successor(slot);
      }
      final int old = slots.getInt(slot << 2);
      slots.putInt(slot << 2, entry);
      settled.set(slot, true);
      entry = old;
    }
  }

  /** Empties an occupied slot; entries behind it may move to lower slots. */
  private void removeAt(final long slot) {
    long hole = slot;
    long probe = successor(slot);
    for (int entry; (entry = slots.getInt(probe << 2)) != EMPTY; probe = successor(probe)) {
      if (TagTable.mayMove(home(hashOf(entry)), hole, probe)) {
        slots.putInt(hole << 2, entry);
        hole = probe;
      }
    }
    slots.putInt(hole << 2, EMPTY);
    peakSize = Math.max(peakSize, size);
    if (--size == 0) {
      shrink();
    }
  }

  /**
   * An empty table has nothing to move: it goes back to what its latest peak needed, unless that is
   * small change or so little that it would only have to grow again.
   */
  private void shrink() {
    final long needed = Math.max(SMALLEST_AFTER_GROWTH, Long.highestOneBit(peakSize) << 2);
    if (needed << 2 <= slotCount) {
      slotCount = needed;
    }
    peakSize = 0;
  }

  private static int entry(final int place, final boolean treeHasOne) {
    return (place + 1) | (treeHasOne ? IN_TREE : 0);
  }

  private static int place(final int entry) {
    return (entry & ~IN_TREE) - 1;
  }

  private long hashOf(final int entry) {
    return hashAt(place(entry));
  }

  private long hashAt(final int place) {
    return hashes.getLong((long) place << 3);
  }

  private long home(final long hash) {
    return (((hash * MIX) >>> 32) * slotCount) >>> 32;
  }

  private long successor(final long slot) {
    return slot + 1 == slotCount ? 0 : slot + 1;
  }
}
