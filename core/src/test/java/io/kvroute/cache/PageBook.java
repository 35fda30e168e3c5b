package io.kvroute.cache;

import static io.kvroute.cache.CacheInspector.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Who owns which page of a pool: every page that was ever taken belongs to exactly one chain. */
final class PageBook {
  private final PagePool pool;
  private final BitSet owned = new BitSet();

  /** Opens a book in which the free list is entered. */
  PageBook(final PagePool pool) {
    this.pool = pool;
    final int fresh = pool.freshPage();
    check(fresh >= 0 && fresh <= pool.pageCount(), "the first fresh page is no page", fresh);
    check(
        pool.available() == pool.freeList().count() + pool.pageCount() - fresh,
        "available pages",
        pool.available());
    claim("free list", pool.freeList());
  }

  /** Fails if a page that nobody uses is marked as published; only the free list is entered yet. */
  void verifyFreePagesAreUnpublished() {
    final int fresh = pool.freshPage();
    check(
        pool.publishedCount(fresh, pool.pageCount() - fresh) == 0,
        "a page that was never taken is published");
    for (int page = owned.nextSetBit(0); page >= 0; page = owned.nextSetBit(page + 1)) {
      check(!pool.isPublished(page), "a free page is published", page);
    }
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
      check(taken < 0 || taken >= end, owner + ": page is owned twice", taken);
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
    check(extent >= 0 && extent < pool.freshPage(), owner + ": no such page", extent);
    final int length = pool.extentLength(extent);
    check(
        length >= 1 && length <= pagesLeft && extent + length <= pool.freshPage(),
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

  /** Fails unless all pages that were ever taken are entered. */
  void verifyComplete() {
    check(
        owned.cardinality() == pool.freshPage(),
        "a page belongs to nobody (first such page)",
        owned.nextClearBit(0));
  }

  /** The pages of a chain in order, extent by extent. */
  static List<Integer> pages(final PagePool pool, final PageChain chain) {
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
