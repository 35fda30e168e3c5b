package io.kvroute.index;

import static io.kvroute.index.TimerBucketLayout.EARLIER;
import static io.kvroute.index.TimerBucketLayout.EXPIRY;
import static io.kvroute.index.TimerBucketLayout.FIRST;
import static io.kvroute.index.TimerBucketLayout.LATER;
import static io.kvroute.index.TimerBucketLayout.LENGTH;
import static io.kvroute.index.TimerBucketLayout.RANK;
import static io.kvroute.index.TimerRankLayout.EARLIEST;
import static io.kvroute.index.TimerRankLayout.LATEST;
import static io.kvroute.index.TimerRankLayout.LENGTH_SHIFT;
import static io.kvroute.index.TimerRankLayout.ORIGIN;

import io.kvroute.memory.Arena;
import io.kvroute.memory.IndexedHeap;
import io.kvroute.memory.Region;

/**
 * The buckets of all ranks, and which rank has the one that ends first. With one time to live for
 * all, a new bucket is always the last of its rank; with several, its place is looked for from the
 * last one down.
 */
final class TimerBuckets {
  static final int NONE = -1;

  private final Region records;
  private final Region rankRecords;
  private final IndexedHeap byExpiry;
  private final int capacity;
  private int fresh;
  private int free = NONE;
  private int used;

  TimerBuckets(final Arena arena, final int capacity, final int rankCapacity) {
    this.capacity = capacity;
    records = arena.allocate("timer buckets", (long) capacity * LENGTH);
    rankRecords = arena.allocate("timer ranks", (long) rankCapacity << LENGTH_SHIFT);
    byExpiry = new IndexedHeap(arena, "timer rank order", rankCapacity);
  }

  static long length(final int capacity, final int rankCapacity) {
    return (long) capacity * LENGTH
        + ((long) rankCapacity << LENGTH_SHIFT)
        + IndexedHeap.length(rankCapacity);
  }

  void free(final Arena arena) {
    arena.free(records);
    arena.free(rankRecords);
    byExpiry.free(arena);
  }

  int used() {
    return used;
  }

  boolean isFull() {
    return used == capacity;
  }

  // ------ ranks

  private static long rankOffset(final int rank) {
    return (long) rank << LENGTH_SHIFT;
  }

  void addRank(final int rank, final long origin) {
    rankRecords.putLong(rankOffset(rank) + ORIGIN, origin);
    latest(rank, NONE);
    earliest(rank, NONE);
  }

  long origin(final int rank) {
    return rankRecords.getLong(rankOffset(rank) + ORIGIN);
  }

  private int latest(final int rank) {
    return rankRecords.getInt(rankOffset(rank) + LATEST) - 1;
  }

  private void latest(final int rank, final int bucket) {
    rankRecords.putInt(rankOffset(rank) + LATEST, bucket + 1);
  }

  /** The bucket of a rank that ends first, or {@link #NONE}. */
  int earliest(final int rank) {
    return rankRecords.getInt(rankOffset(rank) + EARLIEST) - 1;
  }

  private void earliest(final int rank, final int bucket) {
    rankRecords.putInt(rankOffset(rank) + EARLIEST, bucket + 1);
  }

  /** The rank whose earliest bucket ends first of all, or {@link #NONE}. */
  int firstRank() {
    return byExpiry.peekItem();
  }

  /** When the first bucket of all ends; there is one. */
  long firstExpiry() {
    return byExpiry.peekKey();
  }

  /** Takes a rank out of the order, until {@link #order} or its next bucket puts it in again. */
  void suspend(final int rank) {
    byExpiry.remove(rank);
  }

  /** Puts a rank in its place in the order of all ranks, by its earliest bucket. */
  void order(final int rank) {
    final int bucket = earliest(rank);
    if (bucket == NONE) {
      if (byExpiry.contains(rank)) {
        byExpiry.remove(rank);
      }
    } else if (byExpiry.contains(rank)) {
      byExpiry.update(rank, expiry(bucket));
    } else {
      byExpiry.push(rank, expiry(bucket));
    }
  }

  // ------ buckets

  private static long offset(final int bucket) {
    return (long) bucket * LENGTH;
  }

  long expiry(final int bucket) {
    return records.getLong(offset(bucket) + EXPIRY);
  }

  int rank(final int bucket) {
    return records.getInt(offset(bucket) + RANK);
  }

  /** A timer of the bucket, or {@link #NONE}. */
  int first(final int bucket) {
    return records.getInt(offset(bucket) + FIRST) - 1;
  }

  void first(final int bucket, final int timer) {
    records.putInt(offset(bucket) + FIRST, timer + 1);
  }

  private int later(final int bucket) {
    return records.getInt(offset(bucket) + LATER) - 1;
  }

  private void later(final int bucket, final int other) {
    records.putInt(offset(bucket) + LATER, other + 1);
  }

  private int earlier(final int bucket) {
    return records.getInt(offset(bucket) + EARLIER) - 1;
  }

  private void earlier(final int bucket, final int other) {
    records.putInt(offset(bucket) + EARLIER, other + 1);
  }

  /**
   * The bucket of a rank that ends at {@code expiry}, made if need be; NONE if there is no room.
   */
  int obtain(final int rank, final long expiry) {
    int later = NONE;
    int bucket = latest(rank);
    while (bucket != NONE && expiry(bucket) > expiry) {
      later = bucket;
      bucket = earlier(bucket);
    }
    if (bucket != NONE && expiry(bucket) == expiry) {
      return bucket;
    }
    return used == capacity ? NONE : insert(rank, expiry, bucket, later);
  }

  private int insert(final int rank, final long expiry, final int earlier, final int later) {
    final int bucket;
    if (free == NONE) {
      bucket = fresh++;
    } else {
      bucket = free;
      free = later(bucket);
    }
    used++;
    records.putLong(offset(bucket) + EXPIRY, expiry);
    records.putInt(offset(bucket) + RANK, rank);
    first(bucket, NONE);
    link(rank, earlier, bucket);
    link(rank, bucket, later);
    if (earlier == NONE) {
      order(rank);
    }
    return bucket;
  }

  private void link(final int rank, final int earlier, final int later) {
    if (earlier == NONE) {
      earliest(rank, later);
    } else {
      later(earlier, later);
    }
    if (later == NONE) {
      latest(rank, earlier);
    } else {
      earlier(later, earlier);
    }
  }

  /** Gives an empty bucket back; the rank's place in the order is the caller's business. */
  void release(final int bucket) {
    link(rank(bucket), earlier(bucket), later(bucket));
    later(bucket, free);
    free = bucket;
    used--;
  }
}
