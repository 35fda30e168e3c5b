package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.Region;

/**
 * In which partition a name may be known: an open-addressing table of 8-byte slots, each with 56
 * bits of the name's hash and the partition's number, or that there are several. It may say too
 * much, never too little: a name that is not in it is known nowhere. Names are not taken out one by
 * one; when it is full its owner makes it anew from what the partitions know.
 */
final class NameDirectory {
  /** No partition knows the name. */
  static final int NOWHERE = -1;

  /** Several partitions may know it. */
  static final int SEVERAL = 254;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long EMPTY = 0;
  private static final int CODE_MASK = 0xFF;

  private final Region slots;
  private final long slotCount;
  private final long maxEntries;
  private long size;

  /**
   * Makes a directory at a load of at most two thirds: 12 bytes a name.
   *
   * @param maxEntries the most names
   */
  NameDirectory(final Arena arena, final long maxEntries) {
    this.maxEntries = maxEntries;
    this.slotCount = slotCount(maxEntries);
    this.slots = arena.allocate("index name directory", length(maxEntries));
  }

  private static long slotCount(final long maxEntries) {
    if (maxEntries < 1 || maxEntries > Integer.MAX_VALUE) {
      throw new CapacityExceededException(
          "directory capacity out of range: names=" + maxEntries + " limit=" + Integer.MAX_VALUE);
    }
    return maxEntries + (maxEntries >> 1) + 2;
  }

  static long length(final long maxEntries) {
    return slotCount(maxEntries) << 3;
  }

  void free(final Arena arena) {
    arena.free(slots);
  }

  long size() {
    return size;
  }

  /** True if so many names more fit. */
  boolean hasRoom(final long names) {
    return names <= maxEntries - size;
  }

  /** The partition that may know a name, {@link #SEVERAL} or {@link #NOWHERE}. */
  int partitionOf(final long name) {
    final long hash = name * MIX;
    long slot = home(hash);
    long entry;
    while ((entry = slots.getLong(slot << 3)) != EMPTY) {
      if ((entry ^ hash) >>> 8 == 0) {
        return (int) (entry & CODE_MASK) - 1;
      }
      slot = successor(slot);
    }
    return NOWHERE;
  }

  /** Notes that a partition may know a name; there is room. */
  void add(final long name, final int partition) {
    final long hash = name * MIX;
    long slot = home(hash);
    long entry;
    while ((entry = slots.getLong(slot << 3)) != EMPTY) {
      if ((entry ^ hash) >>> 8 == 0) {
        if ((entry & CODE_MASK) != partition + 1) {
          put(slot, hash, SEVERAL);
        }
        return;
      }
      slot = successor(slot);
    }
    put(slot, hash, partition);
    size++;
  }

  private void put(final long slot, final long hash, final int partition) {
    slots.putLong(slot << 3, (hash & ~CODE_MASK) | (partition + 1));
  }

  /** Loads where a name's look-up begins; the result is to be used, lest the load be dropped. */
  long touch(final long name) {
    return slots.getLong(home(name * MIX) << 3);
  }

  void clear() {
    slots.fill(0, slots.length(), (byte) 0);
    size = 0;
  }

  private long home(final long hash) {
    return ((hash >>> 32) * slotCount) >>> 32;
  }

  private long successor(final long slot) {
    return slot + 1 == slotCount ? 0 : slot + 1;
  }
}
