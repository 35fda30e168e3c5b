package io.kvroute.memory;

import java.util.function.IntConsumer;

/**
 * Open addressing without keys: each 8-byte slot holds a 32-bit tag (the high half of the key's
 * hash) and a 32-bit value that names where the key itself is stored. A look-up yields candidates
 * whose tag agrees; the caller compares the real key. Linear probing; a removal shifts back the
 * entries behind it, so there are no tombstones, and since the home slot follows from the tag alone
 * no key is loaded for that.
 *
 * <p>Not thread-safe. No method allocates after construction. Capacity is fixed.
 */
public final class TagTable {
  /** Returned by look-ups when there is no further candidate. */
  public static final long ABSENT = -1;

  private static final long EMPTY = 0;
  private static final long LOW_HALF = 0xFFFF_FFFFL;

  private final Region slots;
  private final long slotCount;
  private final long maxEntries;
  private long size;

  /**
   * Makes a table at a load of at most two thirds: 12 bytes an entry.
   *
   * @param maxEntries the most entries it can hold
   */
  public TagTable(final Arena arena, final String name, final long maxEntries) {
    this.maxEntries = maxEntries;
    this.slotCount = slotCount(maxEntries);
    this.slots = arena.allocate(name, slotCount * Long.BYTES);
  }

  /** Off-heap bytes of a table for {@code maxEntries} entries. */
  public static long length(final long maxEntries) {
    return slotCount(maxEntries) * Long.BYTES;
  }

  private static long slotCount(final long maxEntries) {
    if (maxEntries < 0 || maxEntries > Integer.MAX_VALUE - 1) {
      throw new CapacityExceededException(
          "table capacity out of range: maxEntries=" + maxEntries + " limit=2147483646");
    }
    return maxEntries + (maxEntries >> 1) + 2;
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    arena.free(slots);
  }

  /** Number of entries. */
  public long size() {
    return size;
  }

  /** The most entries it can hold. */
  public long maxEntries() {
    return maxEntries;
  }

  /**
   * Loads the slot where a look-up of {@code hash} begins, and does nothing else. A loop of these
   * has no branch that could be guessed wrong, so the misses of many look-ups run side by side.
   *
   * @return what is in the slot; to be used somehow, lest the load be dropped
   */
  public long touch(final long hash) {
    return slots.getLong(home(hash >>> 32) << 3);
  }

  /** The first slot whose tag agrees with {@code hash}, or {@link #ABSENT}. */
  public long first(final long hash) {
    return scan(home(hash >>> 32), hash >>> 32);
  }

  /** The next slot after {@code slot} whose tag agrees with {@code hash}, or {@link #ABSENT}. */
  public long next(final long slot, final long hash) {
    return scan(successor(slot), hash >>> 32);
  }

  private long scan(final long from, final long tag) {
    long slot = from;
    long entry;
    while ((entry = slots.getLong(slot << 3)) != EMPTY) {
      if (entry >>> 32 == tag) {
        return slot;
      }
      slot = successor(slot);
    }
    return ABSENT;
  }

  /**
   * The slot with the entry of this hash and value; cheaper than going through the candidates.
   *
   * @throws IllegalStateException if there is none
   */
  public long slotOf(final long hash, final int value) {
    final long tag = hash >>> 32;
    final long wanted = tag << 32 | (value + 1);
    long slot = home(tag);
    long entry;
    while ((entry = slots.getLong(slot << 3)) != wanted) {
      if (entry == EMPTY) {
        throw noSuchEntry(value);
      }
      slot = successor(slot);
    }
    return slot;
  }

  private IllegalStateException noSuchEntry(final int value) {
    return new IllegalStateException("no such entry: name=" + slots.name() + " value=" + value);
  }

  /** The value in an occupied slot. */
  public int value(final long slot) {
    return (int) (slots.getLong(slot << 3) & LOW_HALF) - 1;
  }

  /**
   * Replaces the value in an occupied slot.
   *
   * @param value 0 to 2^31-2
   * @throws IllegalArgumentException if {@code value} is out of range
   */
  public void setValue(final long slot, final int value) {
    checkValue(value);
    slots.putLong(slot << 3, (slots.getLong(slot << 3) & ~LOW_HALF) | (value + 1));
  }

  /**
   * Adds an entry, whether or not there is another for the same key.
   *
   * @param value 0 to 2^31-2
   * @return true if some entry has the same tag, so that its key may be the same
   * @throws IllegalArgumentException if {@code value} is out of range
   * @throws CapacityExceededException if the table is full; nothing changes then
   */
  public boolean insert(final long hash, final int value) {
    checkValue(value);
    if (size == maxEntries) {
      throw full();
    }
    final long tag = hash >>> 32;
    long slot = home(tag);
    long same = 0;
    long entry;
    while ((entry = slots.getLong(slot << 3)) != EMPTY) {
      same |= (entry >>> 32 ^ tag) - 1;
      slot = successor(slot);
    }
    slots.putLong(slot << 3, tag << 32 | (value + 1));
    size++;
    return same < 0;
  }

  /** A value is stored plus one, in 32 bits, and an empty slot is all zeros. */
  private static void checkValue(final int value) {
    if (value < 0 || value == Integer.MAX_VALUE) {
      throw illegalValue(value);
    }
  }

  private static IllegalArgumentException illegalValue(final int value) {
    return new IllegalArgumentException(
        "value out of range: value=" + value + " min=0 max=2147483646");
  }

  private CapacityExceededException full() {
    return new CapacityExceededException(
        "table is full: name=" + slots.name() + " maxEntries=" + maxEntries);
  }

  /** Removes the entry in {@code slot}; entries behind it may move to lower slots. */
  public void remove(final long slot) {
    long hole = slot;
    long probe = successor(slot);
    long entry;
    while ((entry = slots.getLong(probe << 3)) != EMPTY) {
      if (mayMove(home(entry >>> 32), hole, probe)) {
        slots.putLong(hole << 3, entry);
        hole = probe;
      }
      probe = successor(probe);
    }
    slots.putLong(hole << 3, EMPTY);
    size--;
  }

  /**
   * True if an entry at {@code probe} whose home is {@code home} is still found from {@code hole}.
   */
  public static boolean mayMove(final long home, final long hole, final long probe) {
    return hole <= probe ? home <= hole || home > probe : home <= hole && home > probe;
  }

  /** Hands out the value of every entry, in no order. */
  public void forEachValue(final IntConsumer action) {
    for (long slot = 0; slot < slotCount; slot++) {
      final long entry = slots.getLong(slot << 3);
      if (entry != EMPTY) {
        action.accept((int) (entry & LOW_HALF) - 1);
      }
    }
  }

  /** Removes all entries. */
  public void clear() {
    slots.fill(0, slots.length(), (byte) 0);
    size = 0;
  }

  private long home(final long tag) {
    return (tag * slotCount) >>> 32;
  }

  private long successor(final long slot) {
    return slot + 1 == slotCount ? 0 : slot + 1;
  }
}
