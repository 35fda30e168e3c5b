package io.kvroute.cache;

import io.kvroute.memory.LayoutPrinter;

/**
 * What pages cost off-heap. Columns over the places, of which there are a thirty-second more than
 * pages:
 *
 * <pre>
 *   key        local hash of the page's tokens, once the page is complete;
 *              at the first and the last place of a free extent: its length
 *   hash       chain hash under which the page was published
 *   link       at the first page of an extent:
 *                bits  0-30  first page of the next extent (undefined in the last one)
 *                bit   31    1 if the extent is this page alone
 *                bits 32-62  first page of the previous extent (undefined in the first one)
 *              at the second page of an extent: its number of pages
 *              elsewhere: undefined
 *              at the first place of a free extent: neighbours in the list of its size class
 *   number     what the worker calls the page
 *   published  one bit
 *   free       one bit: first or last place of a free extent
 * </pre>
 *
 * <p>And one column over the pages: the numbers that are free, as a stack.
 */
final class PageLayout {
  static final int KEY_OFFSET = 0;
  static final int HASH_OFFSET = 8;
  static final int LINK_OFFSET = 16;
  static final int NUMBER_OFFSET = 24;
  static final int PLACE_BYTES = 28;
  static final int FREE_NUMBER_BYTES = 4;

  /** Places beyond the number of pages: this power of two is their share. */
  static final int SPARE_SHIFT = 5;

  static final long SINGLE = 1L << 31;
  static final long NEXT_MASK = SINGLE - 1;
  static final int PREVIOUS_SHIFT = 32;

  /** An extent never reaches over a multiple of this: a column's longs stay in one slab. */
  static final int EXTENT_BOUNDARY = 1 << 27;

  private PageLayout() {}

  static long link(final boolean single, final int previous, final int next) {
    return (long) previous << PREVIOUS_SHIFT | (single ? SINGLE : 0) | next;
  }

  static boolean isSingle(final long link) {
    return (link & SINGLE) != 0;
  }

  static int next(final long link) {
    return (int) (link & NEXT_MASK);
  }

  static int previous(final long link) {
    return (int) (link >>> PREVIOUS_SHIFT);
  }

  static String table() {
    return new LayoutPrinter("PageLayout, per place, one column each", PLACE_BYTES)
        .field("key", KEY_OFFSET, 8, "local hash of the page's tokens")
        .field("hash", HASH_OFFSET, 8, "chain hash under which it was published")
        .field("link", LINK_OFFSET, 8, "next, single, previous; or the extent's length")
        .field("number", NUMBER_OFFSET, 4, "what the worker calls the page")
        .print();
  }
}
