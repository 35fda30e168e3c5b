package io.kvroute.cache;

import static io.kvroute.cache.PageLayout.isSingle;
import static io.kvroute.cache.PageLayout.link;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.Region;

/**
 * The pages of one worker: which are free, and for each page its local hash, its published hash and
 * its place in a {@link PageChain}. 24 bytes and one bit a page.
 *
 * <p>Recycled pages are taken from the end of the free list in list order, then fresh pages upward;
 * freed pages are appended in the order in which they are freed. Operations cost one step per
 * extent and not per page. Not thread-safe; nothing allocates after construction.
 */
public final class PagePool {
  private final int pageCount;
  private final int boundaryMask;
  private final Region keys;
  private final Region hashes;
  private final Region links;
  private final Region published;
  private final PageChain free = new PageChain();
  private final PageChain scratch = new PageChain();
  private int fresh;

  /**
   * Makes a pool with all pages free.
   *
   * @param pageCount 1 to 2^31-1
   * @throws IllegalArgumentException if there are fewer
   * @throws CapacityExceededException if there are more, or if the arena has too little room;
   *     nothing is allocated then
   */
  public PagePool(final Arena arena, final long pageCount) {
    this(arena, pageCount, PageLayout.EXTENT_BOUNDARY);
  }

  /** Makes a pool whose extents never reach over a multiple of a power of two. */
  PagePool(final Arena arena, final long pageCount, final int extentBoundary) {
    if (pageCount < 1) {
      throw new IllegalArgumentException("a pool has at least one page: pageCount=" + pageCount);
    }
    if (pageCount > Integer.MAX_VALUE) {
      throw new CapacityExceededException(
          "too many pages: pageCount=" + pageCount + " limit=" + Integer.MAX_VALUE);
    }
    arena.requireRoom("pages", length(pageCount));
    this.pageCount = (int) pageCount;
    boundaryMask = extentBoundary - 1;
    keys = arena.allocate("pages.key", pageCount * Long.BYTES);
    hashes = arena.allocate("pages.hash", pageCount * Long.BYTES);
    links = arena.allocate("pages.link", pageCount * Long.BYTES);
    published = arena.allocate("pages.published", publishedLength(pageCount));
  }

  /** Off-heap bytes of a pool. */
  public static long length(final long pageCount) {
    return pageCount * PageLayout.COLUMN_BYTES + publishedLength(pageCount);
  }

  private static long publishedLength(final long pageCount) {
    return (pageCount + 63) / 64 * Long.BYTES;
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    arena.free(keys);
    arena.free(hashes);
    arena.free(links);
    arena.free(published);
  }

  /** Number of pages in all. */
  public int pageCount() {
    return pageCount;
  }

  /** Number of free pages. */
  public int available() {
    return free.count + (pageCount - fresh);
  }

  /** The column of local hashes, one native-order long a page. */
  public Region keys() {
    return keys;
  }

  /** The column of published chain hashes, one native-order long a page. */
  public Region hashes() {
    return hashes;
  }

  /**
   * Takes pages and appends them to {@code target}.
   *
   * @return false, with nothing changed, if there are fewer free pages than {@code count}
   */
  public boolean allocate(final int count, final PageChain target) {
    if (count > available()) {
      return false;
    }
    final int recycled = Math.min(count, free.count);
    if (recycled > 0) {
      cutRear(free, recycled, scratch);
      append(target, scratch);
    }
    int rest = count - recycled;
    while (rest > 0) {
      final int step = Math.min(rest, boundaryMask + 1 - (fresh & boundaryMask));
      writeExtent(fresh, step, 0, 0);
      scratch.set(fresh, fresh, step);
      append(target, scratch);
      fresh += step;
      rest -= step;
    }
    return true;
  }

  /** Frees all pages of a chain in their order and empties it. */
  public void release(final PageChain chain) {
    append(free, chain);
  }

  /** Number of pages in the extent that starts at {@code extent}. */
  public int extentLength(final int extent) {
    final long offset = (long) extent << 3;
    return isSingle(links.getLong(offset)) ? 1 : (int) links.getLong(offset + Long.BYTES);
  }

  /** First page of the first extent of a chain that is not empty. */
  public int firstExtent(final PageChain chain) {
    return chain.head;
  }

  /** First page of the extent after {@code extent}; undefined at the last one. */
  public int nextExtent(final int extent) {
    return PageLayout.next(links.getLong((long) extent << 3));
  }

  /** Local hash of the first page of a chain that is not empty. */
  public long firstKey(final PageChain chain) {
    return keys.getLong((long) chain.head << 3);
  }

  /** The last page of a chain that is not empty. */
  public int lastPage(final PageChain chain) {
    return lastPage(chain.tail);
  }

  int lastPage(final int tailExtent) {
    return tailExtent + extentLength(tailExtent) - 1;
  }

  /**
   * The page at {@code position} of a chain that has more pages than that. Costs a step per extent.
   */
  public int pageAt(final PageChain chain, final int position) {
    return pageAt(chain.head, position);
  }

  int pageAt(final int firstExtent, final int position) {
    int extent = firstExtent;
    int rest = position;
    int length;
    while (rest >= (length = extentLength(extent))) {
      rest -= length;
      extent = nextExtent(extent);
    }
    return extent + rest;
  }

  /** First page of the extent before {@code extent}; undefined at the first one. */
  int previousExtent(final int extent) {
    return PageLayout.previous(links.getLong((long) extent << 3));
  }

  private void writeExtent(final int first, final int length, final int previous, final int next) {
    final long offset = (long) first << 3;
    links.putLong(offset, link(length == 1, previous, next));
    if (length > 1) {
      links.putLong(offset + Long.BYTES, length);
    }
  }

  private void setNext(final int extent, final int next) {
    final long offset = (long) extent << 3;
    links.putLong(offset, (links.getLong(offset) & ~PageLayout.NEXT_MASK) | next);
  }

  private void setPrevious(final int extent, final int previous) {
    final long offset = (long) extent << 3;
    final long low = links.getLong(offset) & (PageLayout.SINGLE | PageLayout.NEXT_MASK);
    links.putLong(offset, low | (long) previous << PageLayout.PREVIOUS_SHIFT);
  }

  /**
   * Moves all pages of {@code source} behind those of {@code target}; {@code source} is empty then.
   */
  public void append(final PageChain target, final PageChain source) {
    if (source.count == 0) {
      return;
    }
    if (target.count == 0) {
      target.set(source);
    } else {
      join(target, source);
    }
    source.count = 0;
  }

  private void join(final PageChain target, final PageChain source) {
    final int tailLength = extentLength(target.tail);
    final int end = target.tail + tailLength;
    if (end == source.head && (end & boundaryMask) != 0) {
      merge(target, source, tailLength);
    } else {
      setNext(target.tail, source.head);
      setPrevious(source.head, target.tail);
      target.tail = source.tail;
    }
    target.count += source.count;
  }

  private void merge(final PageChain target, final PageChain source, final int tailLength) {
    final int merged = tailLength + extentLength(source.head);
    final boolean lastExtent = source.head == source.tail;
    final int next = lastExtent ? 0 : nextExtent(source.head);
    writeExtent(target.tail, merged, previousExtent(target.tail), next);
    if (!lastExtent) {
      setPrevious(next, target.tail);
      target.tail = source.tail;
    }
  }

  /**
   * Moves the last {@code count} pages of {@code chain} to {@code target}, which is overwritten.
   */
  public void cutRear(final PageChain chain, final int count, final PageChain target) {
    if (count == 0) {
      target.count = 0;
      return;
    }
    int extent = chain.tail;
    int behind = extentLength(extent);
    while (behind < count) {
      extent = previousExtent(extent);
      behind += extentLength(extent);
    }
    cutAt(chain, extent, behind - count, chain.count - count, target);
  }

  /** Moves the pages behind the first {@code count} of {@code chain} to {@code target}. */
  public void cutBehind(final PageChain chain, final int count, final PageChain target) {
    if (count == chain.count) {
      target.count = 0;
      return;
    }
    int extent = chain.head;
    int before = 0;
    int length;
    while (before + (length = extentLength(extent)) <= count) {
      before += length;
      extent = nextExtent(extent);
    }
    cutAt(chain, extent, count - before, count, target);
  }

  /**
   * Moves the first {@code count} pages of {@code chain} to {@code target}, which is overwritten.
   */
  public void cutFront(final PageChain chain, final int count, final PageChain target) {
    cutBehind(chain, count, target);
    final int head = target.head;
    final int tail = target.tail;
    final int rest = target.count;
    target.set(chain);
    chain.set(head, tail, rest);
  }

  /**
   * Splits {@code chain} within {@code extent}: {@code keptInExtent} pages of it and all extents
   * before stay ({@code keptCount} pages in all), the rest goes to {@code target}.
   */
  private void cutAt(
      final PageChain chain,
      final int extent,
      final int keptInExtent,
      final int keptCount,
      final PageChain target) {
    final int movedCount = chain.count - keptCount;
    final int oldTail = chain.tail;
    if (keptInExtent == 0) {
      final int newTail = keptCount == 0 ? chain.head : previousExtent(extent);
      target.set(extent, oldTail, movedCount);
      chain.set(chain.head, newTail, keptCount);
      return;
    }
    final int length = extentLength(extent);
    final int rear = extent + keptInExtent;
    final int next = nextExtent(extent);
    writeExtent(extent, keptInExtent, previousExtent(extent), 0);
    writeExtent(rear, length - keptInExtent, 0, next);
    if (extent != oldTail) {
      setPrevious(next, rear);
    }
    target.set(rear, extent == oldTail ? rear : oldTail, movedCount);
    chain.set(chain.head, extent, keptCount);
  }

  /** True if the page's hash was announced and not yet taken back. */
  public boolean isPublished(final int page) {
    return (published.getLong((long) (page >> 6) << 3) & 1L << page) != 0;
  }

  /** Marks a page as announced or not. */
  public void setPublished(final int page, final boolean value) {
    final long offset = (long) (page >> 6) << 3;
    final long word = published.getLong(offset);
    published.putLong(offset, value ? word | 1L << page : word & ~(1L << page));
  }

  /** Marks all pages of an extent as announced or not. */
  public void setPublished(final int first, final int count, final boolean value) {
    long page = first;
    final long end = page + count;
    while (page < end) {
      final long offset = page >> 6 << 3;
      final long mask = mask(page, end);
      final long word = published.getLong(offset);
      published.putLong(offset, value ? word | mask : word & ~mask);
      page = (page | 63) + 1;
    }
  }

  /** Number of announced pages among the {@code count} from {@code first} on. */
  public int publishedCount(final int first, final int count) {
    long page = first;
    final long end = page + count;
    int sum = 0;
    while (page < end) {
      sum += Long.bitCount(published.getLong(page >> 6 << 3) & mask(page, end));
      page = (page | 63) + 1;
    }
    return sum;
  }

  /** Bits of the word that holds {@code page}, from it to the word's end or {@code end}. */
  private static long mask(final long page, final long end) {
    final long upward = -1L << page;
    return (page | 63) < end ? upward : upward & ~(-1L << end);
  }

  /**
   * Makes {@code chain} show all pages in the order of their numbers and with that forgets every
   * other chain. For the very end of a pool's life.
   */
  public void wholePool(final PageChain chain) {
    free.count = 0;
    chain.count = 0;
    fresh = 0;
    allocate(pageCount, chain);
  }

  /** Extents never reach over a multiple of this; for inspection. */
  int extentBoundary() {
    return boundaryMask + 1;
  }

  /** The recycled pages; for inspection. */
  PageChain freeList() {
    return free;
  }

  /** The lowest page that was never taken; for inspection. */
  int freshPage() {
    return fresh;
  }
}
