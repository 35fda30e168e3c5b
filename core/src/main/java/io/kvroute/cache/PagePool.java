package io.kvroute.cache;

import static io.kvroute.cache.PageLayout.isSingle;
import static io.kvroute.cache.PageLayout.link;

import io.kvroute.memory.Arena;
import io.kvroute.memory.BitColumn;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.Region;

/**
 * The pages of one worker. A page has a number, which is what the worker calls it, and a place,
 * where its columns are: its local hash, its published hash, its link in a {@link PageChain}, its
 * number. Everything but {@link #number} speaks of places.
 *
 * <p>Numbers are handed out in a prescribed order that scatters them in time: recycled ones from
 * the end of the free list in list order, then fresh ones upward; those of freed pages are appended
 * in the order in which they are freed. Places are chosen so that the pages of a chain lie
 * together, and there are a thirty-second more of them than pages, so that there is a choice in a
 * full pool too. Operations cost one step per extent and not per page, besides copying four bytes a
 * page. Not thread-safe; nothing allocates after construction.
 */
public final class PagePool {
  private final int pageCount;
  private final int placeCount;
  private final int boundaryMask;
  private final Region keys;
  private final Region hashes;
  private final Region links;
  private final BitColumn published;
  private final BitColumn freeMarks;
  private final Region numbers;
  private final Region freeNumbers;
  private final FreePlaces places;
  private final PageChain scratch = new PageChain();
  private int freeCount;
  private int freshNumber;

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
    placeCount = (int) placeCount(pageCount);
    keys = arena.allocate("pages.key", (long) placeCount * Long.BYTES);
    hashes = arena.allocate("pages.hash", (long) placeCount * Long.BYTES);
    links = arena.allocate("pages.link", (long) placeCount * Long.BYTES);
    published = new BitColumn(arena, "pages.published", placeCount);
    freeMarks = new BitColumn(arena, "pages.free", placeCount);
    numbers = arena.allocate("pages.number", (long) placeCount * Integer.BYTES);
    freeNumbers = arena.allocate("pages.freeNumber", pageCount * Integer.BYTES);
    places = new FreePlaces(keys, links, freeMarks, placeCount, boundaryMask);
  }

  /** Off-heap bytes of a pool. */
  public static long length(final long pageCount) {
    final long places = placeCount(pageCount);
    return places * PageLayout.PLACE_BYTES
        + 2 * BitColumn.length(places)
        + pageCount * PageLayout.FREE_NUMBER_BYTES;
  }

  private static long placeCount(final long pageCount) {
    return Math.min(Integer.MAX_VALUE, pageCount + (pageCount >> PageLayout.SPARE_SHIFT));
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    arena.free(keys);
    arena.free(hashes);
    arena.free(links);
    published.free(arena);
    freeMarks.free(arena);
    arena.free(numbers);
    arena.free(freeNumbers);
  }

  /** Number of pages in all. */
  public int pageCount() {
    return pageCount;
  }

  /** Number of free pages. */
  public int available() {
    return freeCount + (pageCount - freshNumber);
  }

  /** Number of places; a page is at one of them. */
  public int placeCount() {
    return placeCount;
  }

  /** The column of local hashes, one native-order long a place. */
  public Region keys() {
    return keys;
  }

  /** The column of published chain hashes, one native-order long a place. */
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
    final int end = freeCount;
    freeCount -= Math.min(count, end);
    int position = freeCount;
    for (int rest = count; rest > 0; ) {
      final int first = places.take(rest);
      final int step = places.taken();
      final int recycled = Math.min(step, end - position);
      recycleNumbers(position, first, recycled);
      for (int i = recycled; i < step; i++) {
        numbers.putInt((long) (first + i) << 2, freshNumber++);
      }
      writeExtent(first, step, 0, 0);
      scratch.set(first, first, step);
      append(target, scratch);
      position += recycled;
      rest -= step;
    }
    return true;
  }

  private void recycleNumbers(final int position, final int first, final int count) {
    if (count > 0) {
      freeNumbers.copyTo((long) position << 2, numbers, (long) first << 2, (long) count << 2);
    }
  }

  /** Frees all pages of a chain in their order and empties it. */
  public void release(final PageChain chain) {
    int extent = chain.head;
    for (int done = 0; done < chain.count; ) {
      final int length = extentLength(extent);
      final int next = nextExtent(extent);
      numbers.copyTo((long) extent << 2, freeNumbers, (long) freeCount << 2, (long) length << 2);
      freeCount += length;
      places.put(extent, length);
      done += length;
      extent = next;
    }
    chain.count = 0;
  }

  /** The number of the page at a place. */
  public int number(final int place) {
    return numbers.getInt((long) place << 2);
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
    return published.get(page);
  }

  /** Marks a page as announced or not. */
  public void setPublished(final int page, final boolean value) {
    published.set(page, value);
  }

  /** Marks all pages of an extent as announced or not. */
  public void setPublished(final int first, final int count, final boolean value) {
    published.set(first, count, value);
  }

  /** Number of announced pages among the {@code count} from {@code first} on. */
  public int publishedCount(final int first, final int count) {
    return (int) published.count(first, count);
  }

  /**
   * Makes {@code chain} show all places in their order, free ones too, and with that forgets every
   * other chain. For the very end of a pool's life.
   */
  public void wholePool(final PageChain chain) {
    chain.count = 0;
    int step;
    for (int first = 0; first < placeCount; first += step) {
      step = Math.min(placeCount - first, boundaryMask + 1);
      writeExtent(first, step, 0, 0);
      scratch.set(first, first, step);
      append(chain, scratch);
    }
  }

  /** Extents never reach over a multiple of this; for inspection. */
  int extentBoundary() {
    return boundaryMask + 1;
  }

  /** Numbers that were used before and are free; for inspection. */
  int freeCount() {
    return freeCount;
  }

  /** The number at a position of the free list; for inspection. */
  int freeNumber(final int position) {
    return freeNumbers.getInt((long) position << 2);
  }

  /** The lowest number that was never used; for inspection. */
  int freshNumber() {
    return freshNumber;
  }

  FreePlaces places() {
    return places;
  }
}
