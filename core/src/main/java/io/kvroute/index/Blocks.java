package io.kvroute.index;

import static io.kvroute.index.GranuleLayout.DEPTH;
import static io.kvroute.index.GranuleLayout.LENGTH_SHIFT;
import static io.kvroute.index.GranuleLayout.NEXT;
import static io.kvroute.index.GranuleLayout.OWNER;
import static io.kvroute.index.GranuleLayout.PREVIOUS;
import static io.kvroute.index.GranuleLayout.SLOTS;
import static io.kvroute.index.GranuleLayout.SLOT_MASK;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;
import java.util.function.LongConsumer;

/**
 * The blocks of the index: both hashes of each, the granules in which they lie, and the reverse map
 * from external hash to slot that all workers share. A slot keeps its number for as long as its
 * block is in the index; splits move nothing.
 */
final class Blocks {
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** How many look-ups' misses run side by side. */
  private static final int BATCH = 16;

  /** Only written: it keeps the compiler from dropping the loads that warm up the reverse map. */
  long touched;

  private final Region locals;
  private final Region externals;
  private final Region granules;
  private final Region ownNameBits;
  private final GranuleMap granuleMap;
  private final TagTable names;
  private final long tagMask;
  private long sharedNames;
  private int lastAppended;

  /**
   * Lays out the columns.
   *
   * @param tagMask is put over the hash of an external hash before it is looked up; all ones but in
   *     tests that want collisions
   */
  Blocks(final Arena arena, final int blockCapacity, final int granuleCount, final long tagMask) {
    final long slots = (long) granuleCount << GranuleLayout.SHIFT;
    this.locals = arena.allocate("index local hashes", slots << 3);
    this.externals = arena.allocate("index external hashes", slots << 3);
    this.granules = arena.allocate("index granules", (long) granuleCount << LENGTH_SHIFT);
    this.ownNameBits = arena.allocate("index own-name bits", granuleCount);
    this.granuleMap = new GranuleMap(arena, granuleCount);
    this.names = new TagTable(arena, "index names", blockCapacity);
    this.tagMask = tagMask;
  }

  static long length(final int blockCapacity, final int granuleCount) {
    final long slots = (long) granuleCount << GranuleLayout.SHIFT;
    return (slots << 4)
        + ((long) granuleCount << LENGTH_SHIFT)
        + granuleCount
        + GranuleMap.length(granuleCount)
        + TagTable.length(blockCapacity);
  }

  void free(final Arena arena) {
    arena.free(locals);
    arena.free(externals);
    arena.free(granules);
    arena.free(ownNameBits);
    granuleMap.free(arena);
    names.free(arena);
  }

  /** Blocks in the index. */
  long size() {
    return names.size();
  }

  /** Blocks whose external hash is also that of another block. */
  long sharedNames() {
    return sharedNames;
  }

  /** The most granules. */
  int granuleCapacity() {
    return granuleMap.usedCount() + granuleMap.freeCount();
  }

  int usedGranules() {
    return granuleMap.usedCount();
  }

  /** The most blocks. */
  long capacity() {
    return names.maxEntries();
  }

  /** How many blocks must go before {@code count} new ones fit; 0 if they fit already. */
  int missing(final int count) {
    final long names = count - (this.names.maxEntries() - this.names.size());
    final int granules = granulesFor(NONE, count) - granuleMap.freeCount();
    return (int) Math.max(0, Math.max(names, (long) granules << GranuleLayout.SHIFT));
  }

  boolean hasRoom(final int blocks, final int newGranules) {
    return blocks <= names.maxEntries() - names.size() && newGranules <= granuleMap.freeCount();
  }

  long local(final int slot) {
    return locals.getLong((long) slot << 3);
  }

  long external(final int slot) {
    return externals.getLong((long) slot << 3);
  }

  private static long record(final int slot) {
    return (long) (slot >>> GranuleLayout.SHIFT) << LENGTH_SHIFT;
  }

  /** The edge with the deepest used slot of the granule of {@code slot}. */
  int owner(final int slot) {
    return granules.getInt(record(slot) + OWNER);
  }

  void owner(final int slot, final int edge) {
    granules.putInt(record(slot) + OWNER, edge);
  }

  /** Position from the root, 0 for a block without a parent. */
  int depth(final int slot) {
    return granules.getInt(record(slot) + DEPTH) + (slot & SLOT_MASK);
  }

  /** The slot of the next block of the same edge; there must be one. */
  int next(final int slot) {
    return (slot & SLOT_MASK) == SLOT_MASK ? nextGranule(slot) : slot + 1;
  }

  /** The first slot of the granule that follows that of {@code slot} in the same edge. */
  int nextGranule(final int slot) {
    return granules.getInt(record(slot) + NEXT) << GranuleLayout.SHIFT;
  }

  /**
   * The slot of the block before, on the same edge or where the edge was split; there must be one.
   */
  int previous(final int slot) {
    return (slot & SLOT_MASK) != 0
        ? slot - 1
        : (granules.getInt(record(slot) + PREVIOUS) << GranuleLayout.SHIFT) + SLOT_MASK;
  }

  /** The slot {@code steps} blocks before {@code slot}. */
  int back(final int slot, final int steps) {
    int at = slot;
    int rest = steps;
    while (rest > (at & SLOT_MASK)) {
      rest -= (at & SLOT_MASK) + 1;
      at = previous(at & ~SLOT_MASK);
    }
    return at - rest;
  }

  /** The slot {@code steps} blocks after {@code slot} on its edge. */
  int forward(final int slot, final int steps) {
    int at = slot;
    int rest = steps;
    while (rest > SLOT_MASK - (at & SLOT_MASK)) {
      rest -= SLOTS - (at & SLOT_MASK);
      at = nextGranule(at);
    }
    return at + rest;
  }

  /** Links the granule of {@code tail}, which is full, to that of {@code first}. */
  void link(final int tail, final int first) {
    granules.putInt(record(tail) + NEXT, first >>> GranuleLayout.SHIFT);
    granules.putInt(record(first) + PREVIOUS, tail >>> GranuleLayout.SHIFT);
  }

  /**
   * How many of {@code count} local hashes from {@code slot} on agree with the list from {@code
   * at}.
   */
  int matchLocals(final int slot, final int count, final HashList list, final int at) {
    return match(locals, slot, count, list, at);
  }

  /** The same for external hashes. */
  int matchExternals(final int slot, final int count, final HashList list, final int at) {
    return match(externals, slot, count, list, at);
  }

  private int match(
      final Region column, final int slot, final int count, final HashList list, final int at) {
    int done = 0;
    int s = slot;
    while (true) {
      final int run = Math.min(SLOTS - (s & SLOT_MASK), count - done);
      final int equal =
          list.match(column.addressOf((long) s << 3, (long) run << 3), run, at + done);
      done += equal;
      if (equal < run || done == count) {
        return done;
      }
      s = following(s);
    }
  }

  /**
   * As {@link #nextGranule}, written so that the processor guesses the usual case, the granule
   * behind in memory, and need not wait for the link to go on.
   */
  private int following(final int slot) {
    final int behind = (slot | SLOT_MASK) + 1;
    final int next = nextGranule(slot);
    return next == behind ? behind : next;
  }

  /** What the reverse map is asked for: pass the result to {@link #firstNamed} and the like. */
  long nameHash(final long external) {
    return external * MIX & tagMask;
  }

  /** A place in the reverse map with a block of this external hash, or {@link TagTable#ABSENT}. */
  long firstNamed(final long external) {
    final long hash = nameHash(external);
    return verified(names.first(hash), hash, external);
  }

  long nextNamed(final long position, final long external) {
    final long hash = nameHash(external);
    return verified(names.next(position, hash), hash, external);
  }

  private long verified(final long position, final long hash, final long external) {
    long p = position;
    while (p != TagTable.ABSENT && external(names.value(p)) != external) {
      p = names.next(p, hash);
    }
    return p;
  }

  /** The slot at a place of the reverse map. */
  int slotAt(final long position) {
    return names.value(position);
  }

  /** Loads what a look-up of an external hash will need; the value has no meaning. */
  long touch(final long external) {
    return names.touch(nameHash(external));
  }

  /** Hands out the external hash of every block. */
  void forEachName(final LongConsumer action) {
    names.forEachValue(slot -> action.accept(external(slot)));
  }

  private long positionOf(final int slot) {
    return names.slotOf(nameHash(external(slot)), slot);
  }

  private void removeName(final int slot) {
    names.remove(positionOf(slot));
    if (sharedNames != 0 && firstNamed(external(slot)) != TagTable.ABSENT) {
      sharedNames--;
    }
  }

  boolean hasOwnNames(final int slot) {
    return (ownNameBits.getByte(slot >>> GranuleLayout.SHIFT) >>> (slot & SLOT_MASK) & 1) != 0;
  }

  void markOwnNames(final int slot) {
    final int granule = slot >>> GranuleLayout.SHIFT;
    ownNameBits.putByte(granule, (byte) (ownNameBits.getByte(granule) | 1 << (slot & SLOT_MASK)));
  }

  private void clearOwnNames(final int slot) {
    final int granule = slot >>> GranuleLayout.SHIFT;
    final byte bits = ownNameBits.getByte(granule);
    if (bits != 0) {
      ownNameBits.putByte(granule, (byte) (bits & ~(1 << (slot & SLOT_MASK))));
    }
  }

  /** Granules that {@link #append} will take for {@code count} blocks behind {@code tail}. */
  static int granulesFor(final int tail, final int count) {
    final int room = tail == NONE ? 0 : SLOT_MASK - (tail & SLOT_MASK);
    return count <= room ? 0 : (count - room + SLOT_MASK) >>> GranuleLayout.SHIFT;
  }

  /**
   * Appends the blocks of an event's lists from {@code from} on, and enters them into the reverse
   * map.
   *
   * @param tail slot to continue behind, or {@link #NONE} to begin in a granule of its own
   * @param hint a slot near which to begin
   * @param depth position of the first new block
   * @param shared whether a new block may have the external hash of another one
   * @return slot of the first new block; that of the last is {@link #lastAppended()}; {@link #NONE}
   *     if one has the hash of another although it may not, and then nothing has changed
   */
  int append(
      final int tail,
      final int hint,
      final int depth,
      final HashList newLocals,
      final HashList newExternals,
      final int from,
      final boolean shared) {
    int previous = tail;
    int first = NONE;
    touchNames(newExternals, from);
    for (int i = from; i < newLocals.count(); i++) {
      if ((i - from & BATCH - 1) == 0) {
        touchNames(newExternals, i + BATCH);
      }
      final int slot = takeSlot(previous, hint, depth + i - from);
      locals.putLong((long) slot << 3, newLocals.get(i));
      final long external = newExternals.get(i);
      externals.putLong((long) slot << 3, external);
      first = first == NONE ? slot : first;
      previous = slot;
      if (names.insert(nameHash(external), slot) && isShared(slot)) {
        sharedNames++;
        if (!shared) {
          release(slot, i - from + 1);
          return NONE;
        }
      }
    }
    lastAppended = previous;
    return first;
  }

  /** Loads what the look-ups of a batch of names will need. */
  private void touchNames(final HashList newExternals, final int from) {
    final int end = Math.min(from + BATCH, newExternals.count());
    long sum = 0;
    for (int i = from; i < end; i++) {
      sum |= touch(newExternals.get(i));
    }
    touched = sum;
  }

  /** Loads what the look-ups of the names of {@code count} blocks up to a slot will need. */
  private void touchNamesBack(final int last, final int count) {
    int slot = last;
    long sum = touch(external(slot));
    for (int i = 1; i < count; i++) {
      slot = previous(slot);
      sum |= touch(external(slot));
    }
    touched = sum;
  }

  /** True if another block has the external hash of the one in a slot. */
  boolean isShared(final int slot) {
    final long external = external(slot);
    final long position = firstNamed(external);
    return slotAt(position) != slot || nextNamed(position, external) != TagTable.ABSENT;
  }

  private int takeSlot(final int previous, final int hint, final int depth) {
    if (previous != NONE && (previous & SLOT_MASK) != SLOT_MASK) {
      return previous + 1;
    }
    final int near = previous == NONE ? hint : previous;
    final int preferred = near == NONE ? NONE : (near >>> GranuleLayout.SHIFT) + 1;
    final int granule = granuleMap.take(preferred);
    final int slot = granule << GranuleLayout.SHIFT;
    granules.putInt(record(slot) + DEPTH, depth);
    if (previous != NONE) {
      link(previous, slot);
    }
    return slot;
  }

  int lastAppended() {
    return lastAppended;
  }

  /**
   * Makes {@code edge} the owner of the granules from that of {@code first} to that of {@code
   * last}.
   */
  void ownRange(final int first, final int last, final int edge) {
    int slot = first;
    owner(slot, edge);
    while (slot >>> GranuleLayout.SHIFT != last >>> GranuleLayout.SHIFT) {
      slot = nextGranule(slot);
      owner(slot, edge);
    }
  }

  /**
   * Replaces the owner of the granules from that of {@code first} on for as long as it is {@code
   * old}, and at most up to that of {@code end}, exclusively.
   */
  void replaceOwner(final int first, final int end, final int old, final int edge) {
    int slot = first;
    while (slot >>> GranuleLayout.SHIFT != end >>> GranuleLayout.SHIFT && owner(slot) == old) {
      owner(slot, edge);
      slot = nextGranule(slot);
    }
  }

  /**
   * Releases {@code count} blocks, the deepest of which is {@code tail}, with the granules that
   * become empty.
   *
   * @return the slot before them; meaningless if there is none
   */
  int release(final int tail, final int count) {
    int slot = tail;
    for (int i = 0; i < count; i++) {
      if (count > BATCH && (i & BATCH - 1) == 0) {
        touchNamesBack(slot, Math.min(BATCH, count - i));
      }
      removeName(slot);
      clearOwnNames(slot);
      final int previous = previous(slot);
      if ((slot & SLOT_MASK) == 0) {
        granuleMap.release(slot >>> GranuleLayout.SHIFT);
      }
      slot = previous;
    }
    return slot;
  }

  /**
   * Moves {@code count} blocks, which lie in granules of their own from {@code first} on, behind
   * {@code tail}; used where an edge with a gap at its end is joined with a short one.
   */
  void moveBehind(final int tail, final int first, final int count) {
    int from = first;
    int previous = tail;
    for (int i = 0; i < count; i++) {
      final long position = positionOf(from);
      final int next = i + 1 < count ? next(from) : NONE;
      final int slot = takeSlot(previous, previous, depth(from));
      locals.putLong((long) slot << 3, local(from));
      externals.putLong((long) slot << 3, external(from));
      names.setValue(position, slot);
      if (next == NONE || (from & SLOT_MASK) == SLOT_MASK) {
        granuleMap.release(from >>> GranuleLayout.SHIFT);
      }
      previous = slot;
      from = next;
    }
    lastAppended = previous;
  }

  /** True if any of {@code count} blocks from {@code first} on has own names of some rank. */
  boolean anyOwnNames(final int first, final int count) {
    int slot = first;
    for (int i = 0; i < count; i++) {
      if (hasOwnNames(slot)) {
        return true;
      }
      slot = i + 1 < count ? next(slot) : slot;
    }
    return false;
  }
}
