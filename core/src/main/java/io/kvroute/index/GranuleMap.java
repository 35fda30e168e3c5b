package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;

/**
 * Which granules are in use: a bit each, and a second level with a bit for each full word. A
 * granule behind the tail of an edge is preferred, so that edges lie in consecutive memory; else
 * the search goes on where the last one ended.
 */
final class GranuleMap {
  static final int NONE = -1;

  private final Region bits;
  private final long fullOffset;
  private final int granuleCount;
  private final int wordCount;
  private int used;
  private int cursor;

  GranuleMap(final Arena arena, final int granuleCount) {
    this.granuleCount = granuleCount;
    this.wordCount = words(granuleCount);
    this.fullOffset = (long) wordCount << 3;
    this.bits = arena.allocate("index granule bits", length(granuleCount));
    reserveEnd();
  }

  private static int words(final int count) {
    return (int) ((count + 63L) >>> 6);
  }

  static long length(final int granuleCount) {
    return (words(granuleCount) + (long) words(words(granuleCount))) << 3;
  }

  void free(final Arena arena) {
    arena.free(bits);
  }

  /**
   * Marks what lies behind the last granule of the last word, and the last word of words, as used.
   */
  private void reserveEnd() {
    if ((granuleCount & 63) != 0) {
      putWord(wordCount - 1, -1L << granuleCount);
    }
    if ((wordCount & 63) != 0) {
      final int last = wordCount >>> 6;
      putFull(last, full(last) | -1L << wordCount);
    }
  }

  int freeCount() {
    return granuleCount - used;
  }

  int usedCount() {
    return used;
  }

  /** Takes {@code preferred} if it exists and is free, else some free granule; one must be free. */
  int take(final int preferred) {
    final boolean fits = preferred >= 0 && preferred < granuleCount && !isUsed(preferred);
    final int granule = fits ? preferred : search();
    final int word = granule >>> 6;
    putWord(word, word(word) | 1L << granule);
    used++;
    cursor = word;
    return granule;
  }

  private int search() {
    long free = ~word(cursor);
    int word = cursor;
    if (free == 0) {
      word = searchFullBits();
      free = ~word(word);
    }
    return (word << 6) + Long.numberOfTrailingZeros(free);
  }

  private int searchFullBits() {
    final int count = words(wordCount);
    int at = cursor >>> 6;
    long open = ~full(at) & -1L << cursor;
    for (int i = 0; open == 0; i++) {
      if (i > count) {
        throw new IllegalStateException(
            "no free granule: granules=" + granuleCount + " used=" + used);
      }
      at = at + 1 == count ? 0 : at + 1;
      open = ~full(at);
    }
    return (at << 6) + Long.numberOfTrailingZeros(open);
  }

  void release(final int granule) {
    final int word = granule >>> 6;
    putWord(word, word(word) & ~(1L << granule));
    used--;
  }

  boolean isUsed(final int granule) {
    return (word(granule >>> 6) >>> granule & 1) != 0;
  }

  private long word(final int index) {
    return bits.getLong((long) index << 3);
  }

  private void putWord(final int index, final long value) {
    bits.putLong((long) index << 3, value);
    final int at = index >>> 6;
    final long bit = 1L << index;
    putFull(at, value == -1 ? full(at) | bit : full(at) & ~bit);
  }

  private long full(final int index) {
    return bits.getLong(fullOffset + ((long) index << 3));
  }

  private void putFull(final int index, final long value) {
    bits.putLong(fullOffset + ((long) index << 3), value);
  }
}
