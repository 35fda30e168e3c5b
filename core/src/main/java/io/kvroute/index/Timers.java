package io.kvroute.index;

import static io.kvroute.index.TimerLayout.BUCKET;
import static io.kvroute.index.TimerLayout.HASH;
import static io.kvroute.index.TimerLayout.LENGTH;
import static io.kvroute.index.TimerLayout.NEXT;
import static io.kvroute.index.TimerLayout.POSITION;
import static io.kvroute.index.TimerLayout.PREVIOUS;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;

/**
 * One timer per (rank, hash, position), found by these three, and linked to the others of its
 * bucket.
 */
final class Timers {
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long RANK_MIX = 0xC2B2AE3D27D4EB4FL;
  private static final long POSITION_MIX = 0x165667B19E3779F9L;

  private final Region records;
  private final TagTable table;
  private final TimerBuckets buckets;
  private final int capacity;
  private int fresh;
  private int free = NONE;
  private int used;

  Timers(final Arena arena, final int capacity, final TimerBuckets buckets) {
    this.capacity = capacity;
    this.buckets = buckets;
    records = arena.allocate("timers", (long) capacity * LENGTH);
    table = new TagTable(arena, "timer table", capacity);
  }

  static long length(final int capacity) {
    return (long) capacity * LENGTH + TagTable.length(capacity);
  }

  void free(final Arena arena) {
    arena.free(records);
    table.free(arena);
  }

  int used() {
    return used;
  }

  int freeCount() {
    return capacity - used;
  }

  private static long offset(final int timer) {
    return (long) timer * LENGTH;
  }

  long hash(final int timer) {
    return records.getLong(offset(timer) + HASH);
  }

  private int position(final int timer) {
    return records.getInt(offset(timer) + POSITION);
  }

  int bucket(final int timer) {
    return records.getInt(offset(timer) + BUCKET);
  }

  int next(final int timer) {
    return records.getInt(offset(timer) + NEXT) - 1;
  }

  private void next(final int timer, final int other) {
    records.putInt(offset(timer) + NEXT, other + 1);
  }

  private int previous(final int timer) {
    return records.getInt(offset(timer) + PREVIOUS) - 1;
  }

  private void previous(final int timer, final int other) {
    records.putInt(offset(timer) + PREVIOUS, other + 1);
  }

  private static long key(final int rank, final long hash, final int position) {
    return (hash ^ rank * RANK_MIX ^ position * POSITION_MIX) * MIX;
  }

  /** Loads what a look-up of a block begins with, so that many misses run side by side. */
  long touch(final int rank, final long hash, final int position) {
    return table.touch(key(rank, hash, position));
  }

  /** Loads what the end of a timer begins with. */
  long touch(final int rank, final int timer) {
    return table.touch(key(rank, hash(timer), position(timer)));
  }

  /** The timer of a block, or {@link #NONE}. */
  int find(final int rank, final long hash, final int position) {
    final long key = key(rank, hash, position);
    long slot = table.first(key);
    while (slot != TagTable.ABSENT) {
      final int timer = table.value(slot);
      if (hash(timer) == hash
          && position(timer) == position
          && buckets.rank(bucket(timer)) == rank) {
        return timer;
      }
      slot = table.next(slot, key);
    }
    return NONE;
  }

  /** Makes a timer that is not there yet, in a bucket of its rank; there is room. */
  void add(final long hash, final int position, final int bucket) {
    final int timer;
    if (free == NONE) {
      timer = fresh++;
    } else {
      timer = free;
      free = next(timer);
    }
    used++;
    records.putLong(offset(timer) + HASH, hash);
    records.putInt(offset(timer) + POSITION, position);
    link(timer, bucket);
    table.insert(key(buckets.rank(bucket), hash, position), timer);
  }

  /** Moves a timer to another bucket of its rank. */
  void move(final int timer, final int bucket) {
    unlink(timer);
    link(timer, bucket);
  }

  private void link(final int timer, final int bucket) {
    final int first = buckets.first(bucket);
    records.putInt(offset(timer) + BUCKET, bucket);
    next(timer, first);
    previous(timer, NONE);
    if (first != NONE) {
      previous(first, timer);
    }
    buckets.first(bucket, timer);
  }

  private void unlink(final int timer) {
    final int next = next(timer);
    final int previous = previous(timer);
    if (previous == NONE) {
      buckets.first(bucket(timer), next);
    } else {
      next(previous, next);
    }
    if (next != NONE) {
      previous(next, previous);
    }
  }

  /** Ends a timer. Its bucket stays, even if it is empty now. */
  void remove(final int timer) {
    unlink(timer);
    final int rank = buckets.rank(bucket(timer));
    table.remove(table.slotOf(key(rank, hash(timer), position(timer)), timer));
    next(timer, free);
    free = timer;
    used--;
  }
}
