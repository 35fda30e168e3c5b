package io.kvroute.twin;

import java.util.ArrayList;
import java.util.List;

/** Pages by number: a list of recycled ones and a counter of those never used. */
final class NaivePagePool {
  private final int total;
  private final List<Integer> recycled = new ArrayList<>();
  private int nextFresh;

  NaivePagePool(final int total) {
    this.total = total;
  }

  int total() {
    return total;
  }

  int available() {
    return recycled.size() + total - nextFresh;
  }

  /** Pages that were used before and are free, in the order in which they came back. */
  List<Integer> recycled() {
    return List.copyOf(recycled);
  }

  /** The lowest page that was never used. */
  int nextFresh() {
    return nextFresh;
  }

  /** Every free page, in no particular order. */
  List<Integer> freePages() {
    final List<Integer> free = new ArrayList<>(recycled);
    for (int page = nextFresh; page < total; page++) {
      free.add(page);
    }
    return free;
  }

  /**
   * Takes pages: recycled ones from the end of the list in list order, then fresh ones; null if too
   * few.
   */
  List<Integer> take(final int count) {
    if (count > available()) {
      return null;
    }
    final int reused = Math.min(count, recycled.size());
    final List<Integer> end = recycled.subList(recycled.size() - reused, recycled.size());
    final List<Integer> pages = new ArrayList<>(end);
    end.clear();
    while (pages.size() < count) {
      pages.add(nextFresh++);
    }
    return pages;
  }

  void give(final List<Integer> pages) {
    recycled.addAll(pages);
  }
}
