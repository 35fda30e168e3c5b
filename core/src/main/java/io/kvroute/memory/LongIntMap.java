package io.kvroute.memory;

/**
 * An off-heap map from any 64-bit key to a non-zero int; 0 stands for absent. Linear probing with
 * backward-shift deletion; keys and values lie in two columns of one region: 15 bytes an entry at
 * the full load of four fifths.
 *
 * <p>Not thread-safe. No method allocates after construction. Capacity is fixed.
 */
public final class LongIntMap {
  /** What a look-up of an absent key gives; not a legal value. */
  public static final int ABSENT = 0;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Region slots;
  private final long valuesOffset;
  private final long slotCount;
  private final long maxEntries;
  private long size;

  /**
   * Makes a map.
   *
   * @param maxEntries the most entries it can hold
   */
  public LongIntMap(final Arena arena, final String name, final long maxEntries) {
    this.maxEntries = maxEntries;
    this.slotCount = slotCount(maxEntries);
    this.valuesOffset = slotCount * Long.BYTES;
    this.slots = arena.allocate(name, slotCount * (Long.BYTES + Integer.BYTES));
  }

  /** Off-heap bytes of a map for {@code maxEntries} entries. */
  public static long length(final long maxEntries) {
    return slotCount(maxEntries) * (Long.BYTES + Integer.BYTES);
  }

  private static long slotCount(final long maxEntries) {
    if (maxEntries < 0 || maxEntries > Integer.MAX_VALUE) {
      throw new CapacityExceededException(
          "map capacity out of range: maxEntries=" + maxEntries + " limit=2147483647");
    }
    return maxEntries + (maxEntries >> 2) + 1;
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    arena.free(slots);
  }

  /** Number of entries. */
  public long size() {
    return size;
  }

  /** The value of {@code key}, or {@link #ABSENT}. */
  public int get(final long key) {
    final long slot = find(key);
    return slots.getInt(valuesOffset + (slot << 2));
  }

  /**
   * Sets the value of {@code key}.
   *
   * @param value not 0
   * @throws IllegalArgumentException if {@code value} is 0
   * @throws CapacityExceededException if a new key does not fit; nothing changes then
   */
  public void put(final long key, final int value) {
    if (value == ABSENT) {
      throw illegalValue(key);
    }
    final long slot = find(key);
    final long valueOffset = valuesOffset + (slot << 2);
    if (slots.getInt(valueOffset) == ABSENT) {
      if (size == maxEntries) {
        throw full(key);
      }
      slots.putLong(slot << 3, key);
      size++;
    }
    slots.putInt(valueOffset, value);
  }

  private static IllegalArgumentException illegalValue(final long key) {
    return new IllegalArgumentException(
        "0 means absent and cannot be stored: key=" + Long.toUnsignedString(key));
  }

  private CapacityExceededException full(final long key) {
    return new CapacityExceededException(
        "map is full: name="
            + slots.name()
            + " maxEntries="
            + maxEntries
            + " key="
            + Long.toUnsignedString(key));
  }

  /** Removes {@code key} and returns the value that it had, or {@link #ABSENT}. */
  public int remove(final long key) {
    final long slot = find(key);
    final int value = slots.getInt(valuesOffset + (slot << 2));
    if (value != ABSENT) {
      shiftBack(slot);
      size--;
    }
    return value;
  }

  private void shiftBack(final long slot) {
    long hole = slot;
    long probe = successor(slot);
    int value;
    while ((value = slots.getInt(valuesOffset + (probe << 2))) != ABSENT) {
      final long key = slots.getLong(probe << 3);
      if (TagTable.mayMove(home(key), hole, probe)) {
        slots.putLong(hole << 3, key);
        slots.putInt(valuesOffset + (hole << 2), value);
        hole = probe;
      }
      probe = successor(probe);
    }
    slots.putInt(valuesOffset + (hole << 2), ABSENT);
  }

  /** The slot of {@code key}, or the empty slot where it would go. One slot is always empty. */
  private long find(final long key) {
    long slot = home(key);
    while (slots.getInt(valuesOffset + (slot << 2)) != ABSENT && slots.getLong(slot << 3) != key) {
      slot = successor(slot);
    }
    return slot;
  }

  private long home(final long key) {
    return (((key * MIX) >>> 32) * slotCount) >>> 32;
  }

  private long successor(final long slot) {
    return slot + 1 == slotCount ? 0 : slot + 1;
  }
}
