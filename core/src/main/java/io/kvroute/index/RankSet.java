package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;

/** A set of small numbers that gives them back in ascending order: a bit each. */
final class RankSet {
  static final int NONE = -1;

  private final Region words;
  private int first;
  private int end;

  RankSet(final Arena arena, final int capacity) {
    words = arena.allocate("timer due ranks", length(capacity));
  }

  static long length(final int capacity) {
    return ((capacity + 63L) >>> 6) * Long.BYTES;
  }

  void free(final Arena arena) {
    arena.free(words);
  }

  void add(final int number) {
    final int word = number >>> 6;
    words.putLong((long) word << 3, words.getLong((long) word << 3) | 1L << number);
    first = end == 0 ? word : Math.min(first, word);
    end = Math.max(end, word + 1);
  }

  /** Takes the lowest number out; {@link #NONE} if there is none. */
  int removeFirst() {
    while (first < end) {
      final long bits = words.getLong((long) first << 3);
      if (bits != 0) {
        words.putLong((long) first << 3, bits & (bits - 1));
        return (first << 6) + Long.numberOfTrailingZeros(bits);
      }
      first++;
    }
    first = 0;
    end = 0;
    return NONE;
  }
}
