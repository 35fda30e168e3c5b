package io.kvroute.load;

import org.agrona.collections.LongHashSet;

/** The routers that have left, as far as they are among the latest to do so. */
final class DepartedReplicas {
  private static final int CAPACITY = 1024;

  private final LongHashSet ids = new LongHashSet(2 * CAPACITY);
  private final long[] oldestFirst = new long[CAPACITY];

  boolean contains(final long routerId) {
    return !ids.isEmpty() && ids.contains(routerId);
  }

  void add(final long routerId) {
    if (ids.contains(routerId)) {
      return;
    }
    if (ids.size() == CAPACITY) {
      remove(oldestFirst[0]);
    }
    oldestFirst[ids.size()] = routerId;
    ids.add(routerId);
  }

  void remove(final long routerId) {
    if (!ids.contains(routerId)) {
      return;
    }
    int at = 0;
    while (oldestFirst[at] != routerId) {
      at++;
    }
    System.arraycopy(oldestFirst, at + 1, oldestFirst, at, ids.size() - at - 1);
    ids.remove(routerId);
  }
}
