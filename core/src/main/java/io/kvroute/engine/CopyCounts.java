package io.kvroute.engine;

import io.kvroute.memory.Arena;
import io.kvroute.memory.LongIntMap;

/**
 * How many published physical copies of a block exist, for blocks of which at least one copy is in
 * flight (in a lease and not in the tree). A block whose only copy is the tree's has no entry, so
 * the map holds the pages of active requests and no others.
 *
 * <p>A value is twice the number of copies in flight, plus one if the tree holds a published copy.
 */
final class CopyCounts {
  private static final int IN_TREE = 1;
  private static final int ONE_IN_FLIGHT = 2;

  private final LongIntMap counts;

  CopyCounts(final Arena arena, final long pageCount) {
    counts = new LongIntMap(arena, "engine.copies", pageCount);
  }

  static long length(final long pageCount) {
    return LongIntMap.length(pageCount);
  }

  void free(final Arena arena) {
    counts.free(arena);
  }

  boolean isEmpty() {
    return counts.size() == 0;
  }

  /**
   * A copy in flight was published.
   *
   * @param inTree whether the tree holds a published copy; only asked if there is no entry
   * @return true if it is the first copy of all
   */
  boolean publish(final long hash, final boolean inTree) {
    final long slot = counts.slot(hash);
    final int value = counts.valueAt(slot);
    if (value == LongIntMap.ABSENT) {
      counts.insertAt(slot, hash, inTree ? ONE_IN_FLIGHT | IN_TREE : ONE_IN_FLIGHT);
      return !inTree;
    }
    counts.setAt(slot, value + ONE_IN_FLIGHT);
    return false;
  }

  /** A copy in flight became the tree's. */
  void moveToTree(final long hash) {
    final long slot = counts.slot(hash);
    final int value = counts.valueAt(slot) - ONE_IN_FLIGHT;
    if (value < ONE_IN_FLIGHT) {
      counts.removeAt(slot);
    } else {
      counts.setAt(slot, value | IN_TREE);
    }
  }

  /** The tree's copy went; true if it was the last of all. */
  boolean removeFromTree(final long hash) {
    final long slot = counts.slot(hash);
    final int value = counts.valueAt(slot);
    if (value == LongIntMap.ABSENT) {
      return true;
    }
    counts.setAt(slot, value & ~IN_TREE);
    return false;
  }

  /** A copy in flight went; true if it was the last of all. */
  boolean removeInFlight(final long hash) {
    final long slot = counts.slot(hash);
    final int value = counts.valueAt(slot) - ONE_IN_FLIGHT;
    if (value >= ONE_IN_FLIGHT) {
      counts.setAt(slot, value);
      return false;
    }
    counts.removeAt(slot);
    return value == 0;
  }

  /** Any one copy went, wherever it was; true if it was the last of all. For closing only. */
  boolean removeAny(final long hash) {
    final int value = counts.get(hash);
    final int copies = (value >> 1) + (value & IN_TREE);
    if (copies <= 1) {
      counts.remove(hash);
      return true;
    }
    counts.put(hash, (copies - 1) * ONE_IN_FLIGHT);
    return false;
  }
}
