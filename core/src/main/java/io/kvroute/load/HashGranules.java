package io.kvroute.load;

import static io.kvroute.load.HashGranuleLayout.LENGTH;
import static io.kvroute.load.HashGranuleLayout.LENGTH_SHIFT;
import static io.kvroute.load.HashGranuleLayout.SHIFT;
import static io.kvroute.load.HashGranuleLayout.SLOTS;
import static io.kvroute.load.HashGranuleLayout.SLOT_MASK;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;

/** The hashes of active prompts, in chained granules; each chain belongs to one edge. */
final class HashGranules {
  static final int NONE = -1;

  private final Region hashes;
  private final Region links;
  private int fresh;
  private int free = NONE;
  private int last;

  HashGranules(final Arena arena, final int granuleCount) {
    hashes = arena.allocate("load hashes", (long) granuleCount << LENGTH_SHIFT);
    links = arena.allocate("load hash links", (long) granuleCount * Integer.BYTES);
  }

  static long length(final int granuleCount) {
    return (long) granuleCount * (LENGTH + Integer.BYTES);
  }

  void free(final Arena arena) {
    arena.free(hashes);
    arena.free(links);
  }

  private static long offset(final int granule, final int position) {
    return ((long) granule << LENGTH_SHIFT) + ((long) (position & SLOT_MASK) << 3);
  }

  int next(final int granule) {
    return links.getInt((long) granule << 2);
  }

  void link(final int granule, final int next) {
    links.putInt((long) granule << 2, next);
  }

  /** The hash of the block at a position, which is in the granule. */
  long hash(final int granule, final int position) {
    return hashes.getLong(offset(granule, position));
  }

  /** Takes a granule; there is one. */
  private int take() {
    if (free == NONE) {
      return fresh++;
    }
    final int granule = free;
    free = next(granule);
    return granule;
  }

  /** Gives a chain back. */
  void release(final int first, final int last) {
    link(last, free);
    free = first;
  }

  /**
   * Writes hashes into new granules.
   *
   * @param position of the first
   * @param count at least 1
   * @return the first granule; the last one is {@link #last}
   */
  int write(final int position, final long[] source, final int index, final int count) {
    final int first = take();
    int granule = first;
    int done = 0;
    while (true) {
      final int here = Math.min(count - done, SLOTS - (position + done & SLOT_MASK));
      long to = offset(granule, position + done);
      for (int i = 0; i < here; i++) {
        hashes.putLong(to, source[index + done + i]);
        to += Long.BYTES;
      }
      done += here;
      if (done == count) {
        break;
      }
      final int next = take();
      link(granule, next);
      granule = next;
    }
    link(granule, NONE);
    last = granule;
    return first;
  }

  /** The last granule of what was written last. */
  int last() {
    return last;
  }

  /** How many hashes from a position on are equal to those of a prompt, at most {@code count}. */
  int match(
      final int first, final int position, final long[] prompt, final int index, final int count) {
    int granule = first;
    int done = 0;
    while (done < count) {
      final int here = Math.min(count - done, SLOTS - (position + done & SLOT_MASK));
      long at = offset(granule, position + done);
      for (int i = 0; i < here; i++) {
        if (hashes.getLong(at) != prompt[index + done + i]) {
          return done + i;
        }
        at += Long.BYTES;
      }
      done += here;
      granule = next(granule);
    }
    return count;
  }

  /** The granule of a position in a chain that starts with the granule of another one. */
  int at(final int first, final int firstPosition, final int position) {
    int granule = first;
    for (int i = (position >>> SHIFT) - (firstPosition >>> SHIFT); i > 0; i--) {
      granule = next(granule);
    }
    return granule;
  }

  /**
   * Cuts a chain behind a granule that both parts need; the copy that the later part begins with.
   */
  int cutInside(final int granule) {
    final int copy = take();
    hashes.move((long) granule << LENGTH_SHIFT, (long) copy << LENGTH_SHIFT, LENGTH);
    link(copy, next(granule));
    link(granule, NONE);
    return copy;
  }

  /**
   * Joins two chains that have the granule of a position in common, each its part; undoes a cut.
   */
  void joinInside(final int granule, final int copy, final int position) {
    final long rest = (long) (SLOTS - (position & SLOT_MASK)) << 3;
    hashes.move(offset(copy, position), offset(granule, position), rest);
    link(granule, next(copy));
    release(copy, copy);
  }
}
