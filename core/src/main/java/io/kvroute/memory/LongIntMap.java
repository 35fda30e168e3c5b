package io.kvroute.memory;

/**
 * An off-heap map from any 64-bit key to a positive int; 0 stands for absent. Linear probing with
 * backward-shift deletion; keys and values lie in two columns of one region: 15 bytes an entry at
 * the full load of four fifths.
 *
 * <p>The memory is reserved for the full capacity, but only as many slots are in use as the entries
 * need: the map grows by rehashing in place, and shrinks when it becomes empty, so that a map that
 * is mostly small stays in the processor's cache.
 *
 * <p>Not thread-safe. No method allocates after construction. Capacity is fixed.
 */
public final class LongIntMap {
  /** What a look-up of an absent key gives; not a legal value. */
  public static final int ABSENT = 0;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long SMALLEST = 64;
  private static final long SMALLEST_AFTER_GROWTH = 4096;
  private static final int PLACED = Integer.MIN_VALUE;

  private final Region slots;
  private final long valuesOffset;
  private final long maxSlots;
  private final long maxEntries;
  private long slotCount;
  private long growAt;
  private long size;
  private long peakSize;

  /**
   * Makes a map.
   *
   * @param maxEntries the most entries it can hold
   */
  public LongIntMap(final Arena arena, final String name, final long maxEntries) {
    this.maxEntries = maxEntries;
    this.maxSlots = slotCount(maxEntries);
    this.valuesOffset = maxSlots * Long.BYTES;
    this.slots = arena.allocate(name, maxSlots * (Long.BYTES + Integer.BYTES));
    use(SMALLEST);
  }

  /** Puts {@code count} slots to use, or all there are. */
  private void use(final long count) {
    slotCount = Math.min(count, maxSlots);
    growAt = slotCount == maxSlots ? maxEntries : slotCount >> 1;
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
    return valueAt(slot(key));
  }

  /**
   * Sets the value of {@code key}.
   *
   * @param value positive
   * @throws IllegalArgumentException if {@code value} is not positive
   * @throws CapacityExceededException if a new key does not fit; nothing changes then
   */
  public void put(final long key, final int value) {
    if (value <= ABSENT) {
      throw illegalValue(key, value);
    }
    final long slot = slot(key);
    if (valueAt(slot) == ABSENT) {
      insertAt(slot, key, value);
    } else {
      setAt(slot, value);
    }
  }

  private static IllegalArgumentException illegalValue(final long key, final int value) {
    return new IllegalArgumentException(
        "only positive values can be stored: key="
            + Long.toUnsignedString(key)
            + " value="
            + value);
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
    final long slot = slot(key);
    final int value = valueAt(slot);
    if (value != ABSENT) {
      removeAt(slot);
    }
    return value;
  }

  /**
   * The slot of {@code key}, or the empty slot where it would go. Good until the next insert or
   * removal.
   */
  public long slot(final long key) {
    long slot = home(key);
    while (valueAt(slot) != ABSENT && slots.getLong(slot << 3) != key) {
      slot = successor(slot);
    }
    return slot;
  }

  /** The value in a slot, {@link #ABSENT} if it is empty. */
  public int valueAt(final long slot) {
    return slots.getInt(valuesOffset + (slot << 2));
  }

  /** Replaces the value in an occupied slot by another positive one. */
  public void setAt(final long slot, final int value) {
    slots.putInt(valuesOffset + (slot << 2), value);
  }

  /**
   * Adds a key at the empty slot that {@link #slot} gave for it.
   *
   * @throws CapacityExceededException if the map is full; nothing changes then
   */
  public void insertAt(final long slot, final long key, final int value) {
    if (size == growAt) {
      grow(key);
      insertAt(slot(key), key, value);
      return;
    }
    slots.putLong(slot << 3, key);
    setAt(slot, value);
    size++;
  }

  private void grow(final long key) {
    if (slotCount == maxSlots) {
      throw full(key);
    }
    final long before = slotCount;
    use(slotCount << 1);
    for (long slot = 0; slot < before; slot++) {
      final int value = valueAt(slot);
      if (value > ABSENT) {
        setAt(slot, ABSENT);
        settle(slots.getLong(slot << 3), value);
      }
    }
    for (long slot = 0; slot < slotCount; slot++) {
      setAt(slot, valueAt(slot) & ~PLACED);
    }
  }

  /**
   * Places an entry by the new slot count, over placed entries only; an entry that still stands
   * where it stood before gives its slot up and is placed next.
   */
  private void settle(final long firstKey, final int firstValue) {
    long key = firstKey;
    int value = firstValue;
    while (value != ABSENT) {
      long slot = home(key);
      while (valueAt(slot) < ABSENT) {
        slot = successor(slot);
      }
      final long oldKey = slots.getLong(slot << 3);
      final int oldValue = valueAt(slot);
      slots.putLong(slot << 3, key);
      setAt(slot, value | PLACED);
      key = oldKey;
      value = oldValue;
    }
  }

  /** Empties an occupied slot; entries behind it may move to lower slots. */
  public void removeAt(final long slot) {
    long hole = slot;
    long probe = successor(slot);
    int value;
    while ((value = valueAt(probe)) != ABSENT) {
      final long key = slots.getLong(probe << 3);
      if (TagTable.mayMove(home(key), hole, probe)) {
        slots.putLong(hole << 3, key);
        setAt(hole, value);
        hole = probe;
      }
      probe = successor(probe);
    }
    setAt(hole, ABSENT);
    peakSize = Math.max(peakSize, size);
    if (--size == 0) {
      shrink();
    }
  }

  /**
   * An empty map has nothing to move: it goes back to what its latest peak needed, unless that is
   * small change or so little that it would only have to grow again.
   */
  private void shrink() {
    final long needed = Math.max(SMALLEST_AFTER_GROWTH, Long.highestOneBit(peakSize) << 2);
    if (needed << 2 <= slotCount) {
      use(needed);
    }
    peakSize = 0;
  }

  private long home(final long key) {
    return (((key * MIX) >>> 32) * slotCount) >>> 32;
  }

  private long successor(final long slot) {
    return slot + 1 == slotCount ? 0 : slot + 1;
  }
}
