package io.kvroute.cache;

import static io.kvroute.cache.PageLayout.link;

import io.kvroute.memory.BitColumn;
import io.kvroute.memory.Region;

/**
 * The places of a pool that hold no page: extents that are as long as they can be, in a doubly
 * linked list per size class (powers of two), and all places above the highest one ever used. Pages
 * may lie anywhere, so the choice is free, and what counts is that extents stay long: a request
 * gets an extent of the smallest size class in which one holds all its pages is found, or else the
 * longest ones there are.
 *
 * <p>A free extent keeps its length in the key column of its first and last place, and both are
 * marked in a bit map, so that a neighbour that becomes free finds it. Not thread-safe; nothing is
 * allocated.
 */
final class FreePlaces {
  static final int NONE = Integer.MAX_VALUE;
  static final int CLASSES = 31;

  /** How many extents of the request's own size class are tried before a larger class is used. */
  private static final int TRIES = 8;

  private final Region lengths;
  private final Region links;
  private final BitColumn marks;
  private final int placeCount;
  private final int boundaryMask;
  private final int[] heads = new int[CLASSES];
  private int classes;
  private int fresh;
  private int taken;

  FreePlaces(
      final Region lengths,
      final Region links,
      final BitColumn marks,
      final int placeCount,
      final int boundaryMask) {
    this.lengths = lengths;
    this.links = links;
    this.marks = marks;
    this.placeCount = placeCount;
    this.boundaryMask = boundaryMask;
  }

  /**
   * Takes at most {@code wanted} consecutive places; {@link #taken()} says how many. There must be
   * one.
   *
   * @return the first of them
   */
  int take(final int wanted) {
    final int extent = choose(wanted);
    if (extent == NONE) {
      return takeFresh(wanted);
    }
    final int length = length(extent);
    unlink(extent, length);
    taken = Math.min(wanted, length);
    if (taken < length) {
      insert(extent + taken, length - taken);
    }
    return extent;
  }

  int taken() {
    return taken;
  }

  /**
   * A free extent that holds {@code wanted} places, or the longest; NONE if fresh ones are better.
   */
  private int choose(final int wanted) {
    final int own = sizeClass(wanted);
    int extent = head(own);
    for (int i = 0; i < TRIES && extent != NONE; i++) {
      if (length(extent) >= wanted) {
        return extent;
      }
      extent = next(extent);
    }
    final int larger = classes & -2 << own;
    if (larger != 0) {
      return heads[Integer.numberOfTrailingZeros(larger)];
    }
    final int freshRoom = freshRoom();
    if (freshRoom >= wanted || classes == 0) {
      return NONE;
    }
    final int longest = heads[31 - Integer.numberOfLeadingZeros(classes)];
    return length(longest) >= freshRoom ? longest : NONE;
  }

  /** Fresh places up to the next boundary. */
  private int freshRoom() {
    return Math.min(placeCount - fresh, boundaryMask + 1 - (fresh & boundaryMask));
  }

  private int takeFresh(final int wanted) {
    taken = Math.min(wanted, freshRoom());
    final int first = fresh;
    fresh += taken;
    return first;
  }

  /** Gives consecutive places back. */
  void put(final int first, final int count) {
    int start = first;
    int end = first + count;
    if ((start & boundaryMask) != 0 && isMarked(start - 1)) {
      final int length = length(start - 1);
      start -= length;
      unlink(start, length);
    }
    if (end == fresh) {
      fresh = start;
      return;
    }
    if ((end & boundaryMask) != 0 && isMarked(end)) {
      final int length = length(end);
      unlink(end, length);
      end += length;
    }
    insert(start, end - start);
  }

  private void insert(final int extent, final int length) {
    final int sizeClass = sizeClass(length);
    final int next = head(sizeClass);
    links.putLong((long) extent << 3, link(false, NONE, next));
    if (next != NONE) {
      setPrevious(next, extent);
    }
    heads[sizeClass] = extent;
    classes |= 1 << sizeClass;
    lengths.putLong((long) extent << 3, length);
    lengths.putLong((long) (extent + length - 1) << 3, length);
    marks.set(extent, true);
    marks.set(extent + length - 1, true);
  }

  private void unlink(final int extent, final int length) {
    final int sizeClass = sizeClass(length);
    final long link = links.getLong((long) extent << 3);
    final int previous = PageLayout.previous(link);
    final int next = PageLayout.next(link);
    if (next != NONE) {
      setPrevious(next, previous);
    }
    if (previous != NONE) {
      setNext(previous, next);
    } else {
      heads[sizeClass] = next;
      if (next == NONE) {
        classes &= ~(1 << sizeClass);
      }
    }
    marks.set(extent, false);
    marks.set(extent + length - 1, false);
  }

  private void setPrevious(final int extent, final int previous) {
    links.putLong((long) extent << 3, link(false, previous, next(extent)));
  }

  private void setNext(final int extent, final int next) {
    final int previous = PageLayout.previous(links.getLong((long) extent << 3));
    links.putLong((long) extent << 3, link(false, previous, next));
  }

  /** The extent behind one in the list of its size class, or {@link #NONE}. */
  int next(final int extent) {
    return PageLayout.next(links.getLong((long) extent << 3));
  }

  /** The first extent of a size class, or {@link #NONE}. */
  int head(final int sizeClass) {
    return (classes >>> sizeClass & 1) != 0 ? heads[sizeClass] : NONE;
  }

  /** The lowest place that no extent reaches. */
  int fresh() {
    return fresh;
  }

  int length(final int firstOrLast) {
    return (int) lengths.getLong((long) firstOrLast << 3);
  }

  private static int sizeClass(final int length) {
    return 31 - Integer.numberOfLeadingZeros(length);
  }

  boolean isMarked(final int place) {
    return marks.get(place);
  }
}
