package io.kvroute.cache;

import static io.kvroute.cache.CacheInspector.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Who owns which place of a pool: each is free or belongs to exactly one chain. */
final class PageBook {
  private final PagePool pool;
  private final FreePlaces places;
  private final BitSet owned = new BitSet();
  private int marksExpected;

  /** Opens a book in which the free places are entered. */
  PageBook(final PagePool pool) {
    this.pool = pool;
    this.places = pool.places();
    final int fresh = places.fresh();
    check(fresh >= 0 && fresh <= pool.placeCount(), "the first fresh place is no place", fresh);
    claimFreeExtents();
    check(marked() == marksExpected, "a place is marked as the end of a free extent", marked());
    owned.set(fresh, pool.placeCount());
    final int numbers = pool.freeCount() + pool.pageCount() - pool.freshNumber();
    check(pool.available() == numbers, "available pages", pool.available(), numbers);
    check(
        owned.cardinality() - pool.available() == pool.placeCount() - pool.pageCount(),
        "free places and free pages",
        owned.cardinality(),
        pool.available());
  }

  private void claimFreeExtents() {
    for (int sizeClass = 0; sizeClass < FreePlaces.CLASSES; sizeClass++) {
      int previous = FreePlaces.NONE;
      for (int extent = places.head(sizeClass);
          extent != FreePlaces.NONE;
          extent = places.next(extent)) {
        check(pool.previousExtent(extent) == previous, "free: bad back link", extent);
        claimFree(extent, places.length(extent), sizeClass);
        previous = extent;
      }
    }
  }

  private void claimFree(final int extent, final int length, final int sizeClass) {
    final int end = extent + length;
    check(length >= 1 && end <= places.fresh(), "free: bad extent", extent, length);
    check(31 - Integer.numberOfLeadingZeros(length) == sizeClass, "free: wrong class", extent);
    check(places.length(end - 1) == length, "free: the lengths at both ends differ", extent);
    check(places.isMarked(extent) && places.isMarked(end - 1), "free: no marks", extent);
    check(isEdge(extent) || !owned.get(extent - 1), "free: not joined to the left", extent);
    check(isEdge(end) || !owned.get(end), "free: not joined to the right", extent);
    check(end != places.fresh() || isEdge(end), "free: not joined to the fresh places", extent);
    check(
        extent / pool.extentBoundary() == (end - 1) / pool.extentBoundary(),
        "free: crosses a boundary",
        extent);
    final int taken = owned.nextSetBit(extent);
    check(taken < 0 || taken >= end, "free: place is owned twice", taken);
    owned.set(extent, end);
    marksExpected += length == 1 ? 1 : 2;
  }

  private boolean isEdge(final int place) {
    return place % pool.extentBoundary() == 0;
  }

  private int marked() {
    int marked = 0;
    for (int place = 0; place < pool.placeCount(); place++) {
      marked += places.isMarked(place) ? 1 : 0;
    }
    return marked;
  }

  /** Fails if a free place is marked as published; only the free places are entered yet. */
  void verifyFreePagesAreUnpublished() {
    for (int place = owned.nextSetBit(0); place >= 0; place = owned.nextSetBit(place + 1)) {
      check(!pool.isPublished(place), "a free place is published", place);
    }
  }

  /** The free places, ascending; only they are entered yet. */
  List<Integer> freePlaces() {
    return owned.stream().boxed().toList();
  }

  /** Enters the pages of a chain and checks its links. */
  void claim(final String owner, final PageChain chain) {
    int extent = chain.head;
    int done = 0;
    int previous = -1;
    int previousEnd = -1;
    while (done < chain.count) {
      final int end = checkExtent(owner, extent, chain.count - done);
      if (previous >= 0) {
        check(pool.previousExtent(extent) == previous, owner + ": bad back link", extent);
        check(
            previousEnd != extent || extent % pool.extentBoundary() == 0,
            owner + ": neighbouring extents were not joined",
            previous,
            extent);
      }
      final int taken = owned.nextSetBit(extent);
      check(taken < 0 || taken >= end, owner + ": place is owned twice", taken);
      owned.set(extent, end);
      previous = extent;
      previousEnd = end;
      done += end - extent;
      if (done < chain.count) {
        extent = pool.nextExtent(extent);
      }
    }
    check(chain.count >= 0, owner + ": negative count", chain);
    check(chain.count == 0 || extent == chain.tail, owner + ": bad tail", chain, extent);
  }

  private int checkExtent(final String owner, final int extent, final int pagesLeft) {
    check(extent >= 0 && extent < places.fresh(), owner + ": no such place", extent);
    final int length = pool.extentLength(extent);
    check(
        length >= 1 && length <= pagesLeft && extent + length <= places.fresh(),
        owner + ": bad extent",
        extent,
        length,
        pagesLeft);
    check(
        extent / pool.extentBoundary() == (extent + length - 1) / pool.extentBoundary(),
        owner + ": an extent crosses a boundary",
        extent,
        length);
    return extent + length;
  }

  /** Fails unless all places are entered. */
  void verifyComplete() {
    check(
        owned.cardinality() == pool.placeCount(),
        "a place belongs to nobody (first such place)",
        owned.nextClearBit(0));
  }

  /** The free numbers that were used before, in list order. */
  static List<Integer> freeNumbers(final PagePool pool) {
    return IntStream.range(0, pool.freeCount()).mapToObj(pool::freeNumber).toList();
  }

  /** The numbers of the pages of a chain in order. */
  static List<Integer> numbers(final PagePool pool, final PageChain chain) {
    return places(pool, chain).stream().map(pool::number).toList();
  }

  /** The places of the pages of a chain in order, extent by extent. */
  static List<Integer> places(final PagePool pool, final PageChain chain) {
    final List<Integer> pages = new ArrayList<>();
    int extent = chain.isEmpty() ? 0 : pool.firstExtent(chain);
    while (pages.size() < chain.count()) {
      final int length = pool.extentLength(extent);
      for (int i = 0; i < length; i++) {
        pages.add(extent + i);
      }
      if (pages.size() < chain.count()) {
        extent = pool.nextExtent(extent);
      }
    }
    return pages;
  }
}
