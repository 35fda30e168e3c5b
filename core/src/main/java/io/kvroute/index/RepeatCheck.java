package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;

/**
 * Finds out whether a list names a hash twice, exactly and in a fixed amount of memory: long lists
 * are gone through several times, each time for the hashes of one class. Off the hot path: lists
 * whose hashes are all new, or all known in their places, are cleared by the reverse map alone.
 */
final class RepeatCheck {
  private static final int SHORT = 32;
  private static final int SLOTS = 8192;
  private static final int MAX_ENTRIES = SLOTS / 2;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Region slots;

  RepeatCheck(final Arena arena) {
    slots = arena.allocate("index repeat check", length());
  }

  static long length() {
    return (long) SLOTS * (Long.BYTES + 1);
  }

  void free(final Arena arena) {
    arena.free(slots);
  }

  boolean hasRepeat(final HashList list) {
    final int count = list.count();
    if (count <= SHORT) {
      for (int i = 1; i < count; i++) {
        for (int j = 0; j < i; j++) {
          if (list.get(i) == list.get(j)) {
            return true;
          }
        }
      }
      return false;
    }
    return hasRepeat(list, 1 + count / (MAX_ENTRIES / 2));
  }

  private boolean hasRepeat(final HashList list, final int firstClasses) {
    int classes = firstClasses;
    int at = 0;
    while (at < classes) {
      final int entries = pass(list, at, classes);
      if (entries < 0) {
        return true;
      }
      if (entries == MAX_ENTRIES) {
        classes *= 2;
        at = 0;
      } else {
        at++;
      }
    }
    return false;
  }

  /** Enters one class of hashes; its size, or -1 if one is there twice, or the most it can hold. */
  private int pass(final HashList list, final int wanted, final int classes) {
    slots.fill(0, slots.length(), (byte) 0);
    int entries = 0;
    for (int i = 0; i < list.count(); i++) {
      final long hash = list.get(i);
      final long mixed = hash * MIX;
      if ((((mixed >>> 32) * classes) >>> 32) == wanted) {
        if (entries == MAX_ENTRIES) {
          return MAX_ENTRIES;
        }
        if (!enter(hash, (int) (mixed >>> 8) & (SLOTS - 1))) {
          return -1;
        }
        entries++;
      }
    }
    return entries;
  }

  private boolean enter(final long hash, final int home) {
    final long usedOffset = (long) SLOTS << 3;
    int slot = home;
    while (slots.getByte(usedOffset + slot) != 0) {
      if (slots.getLong((long) slot << 3) == hash) {
        return false;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    slots.putByte(usedOffset + slot, (byte) 1);
    slots.putLong((long) slot << 3, hash);
    return true;
  }
}
