package io.kvroute.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * Which block positions of a prompt a store that all workers share holds: ranges, because there are
 * few of them even if there are many blocks.
 *
 * @param ranges sorted, without overlap
 * @param totalHits how many positions they cover, unsigned 32-bit
 */
public record SharedCacheHits(List<BlockRange> ranges, int totalHits) {
  private static final long U32_MAX = 0xFFFF_FFFFL;

  /** Copies the list; whether ranges and total fit together is the caller's word. */
  public SharedCacheHits {
    ranges = List.copyOf(ranges);
  }

  /** No hits. */
  public SharedCacheHits() {
    this(List.of(), 0);
  }

  /**
   * Hits of the given ranges.
   *
   * @param ranges sorted, without overlap
   * @throws IllegalArgumentException if a range ends before it starts, or starts before the one
   *     before it ends
   */
  public static SharedCacheHits fromRanges(final List<BlockRange> ranges) {
    int previousEnd = 0;
    int total = 0;
    for (int i = 0; i < ranges.size(); i++) {
      final BlockRange range = ranges.get(i);
      if (Integer.compareUnsigned(range.end(), range.start()) < 0
          || Integer.compareUnsigned(range.start(), previousEnd) < 0) {
        throw badRange(i, range, previousEnd);
      }
      total += range.end() - range.start();
      previousEnd = range.end();
    }
    return new SharedCacheHits(ranges, total);
  }

  /** Hits of the positions whose flag is set; neighbours become one range. */
  public static SharedCacheHits fromHits(final boolean... hits) {
    final List<BlockRange> ranges = new ArrayList<>();
    int i = 0;
    while (i < hits.length) {
      final int start = i;
      while (i < hits.length && hits[i]) {
        i++;
      }
      if (i > start) {
        ranges.add(new BlockRange(start, i));
      } else {
        i++;
      }
    }
    return fromRanges(ranges);
  }

  /**
   * How many hits there are from a position on. Cost is that of the ranges, not of the blocks;
   * allocates nothing. A range that ends before it starts counts as none, and the sum of ranges
   * that overlap stops at 2^32-1.
   *
   * @param fromPosition unsigned 32-bit
   * @return unsigned 32-bit
   */
  public int hitsBeyond(final int fromPosition) {
    final long from = Integer.toUnsignedLong(fromPosition);
    long hits = 0;
    for (int i = 0; i < ranges.size(); i++) {
      final BlockRange range = ranges.get(i);
      final long start = Math.max(from, Integer.toUnsignedLong(range.start()));
      hits += Math.max(0, Integer.toUnsignedLong(range.end()) - start);
    }
    return (int) Math.min(hits, U32_MAX);
  }

  private static IllegalArgumentException badRange(
      final int index, final BlockRange range, final int previousEnd) {
    return new IllegalArgumentException(
        "ranges must be sorted and must not overlap: index="
            + index
            + " range="
            + range
            + " previousEnd="
            + Integer.toUnsignedString(previousEnd));
  }

  @Override
  public String toString() {
    return "SharedCacheHits[ranges="
        + ranges
        + ", totalHits="
        + Integer.toUnsignedString(totalHits)
        + ']';
  }
}
