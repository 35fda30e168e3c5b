package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.SequenceLock;
import io.kvroute.protocol.KvEventListener;

/**
 * When blocks are to be forgotten: one timer per (worker, data-parallel rank, hash, position). A
 * timer ends at a multiple of {@link #BUCKET_NS}, counted from the rank's origin, that is not
 * before its time to live is over; with a time to live of 0 it ends at once, at the very instant. A
 * block that is inserted again gets a new end, be it later or earlier than the old one. The origin
 * of a rank is the instant of its first insertion; a rank that was removed starts anew.
 *
 * <p>What has ended comes out as one Removed event per rank, ranks ascending by (worker,
 * data-parallel rank), hashes ascending, each once, all unsigned.
 *
 * <p>An insertion costs a look-up per block, and a step per bucket of the rank that ends later than
 * the new one: none where all have one time to live. Memory is 44 bytes per timer, 24 per bucket
 * and 104 per rank, all laid out at once. Not thread-safe; no method allocates after construction.
 */
public final class BlockTimers implements AutoCloseable {
  /** Width of a bucket in nanoseconds. */
  public static final long BUCKET_NS = 100_000_000;

  /** Stands for an instant that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The most timers that one object can hold: what they leave must fit into one event. */
  public static final int MAX_TIMERS = ExpiredBlocks.MAX_HASHES;

  private static final int MAX_RANKS = 1 << 16;

  /** Only written: it keeps the compiler from dropping the loads that warm up the table. */
  long touched;

  private final Arena arena;
  private final Ranks ranks;
  private final TimerBuckets buckets;
  private final Timers timers;
  private final ExpiredBlocks expired;
  private final RankSet dueRanks;
  private boolean closed;

  /**
   * Makes an empty one.
   *
   * @param timerCapacity the most timers, 1 to {@link #MAX_TIMERS}
   * @param rankCapacity the most ranks, 1 to 65,536
   * @param bucketCapacity the most distinct (rank, end) pairs, at least 1; a rank whose insertions
   *     all have one time to live has at most {@code ttl / 100 ms + 2} of them, as long as what has
   *     ended is drained before each
   * @throws CapacityExceededException if a capacity is out of range, or the arena has too little
   *     room; nothing is allocated then
   */
  public BlockTimers(
      final Arena arena,
      final int timerCapacity,
      final int rankCapacity,
      final int bucketCapacity) {
    requireInRange("timerCapacity", timerCapacity, MAX_TIMERS);
    requireInRange("rankCapacity", rankCapacity, MAX_RANKS);
    requireInRange("bucketCapacity", bucketCapacity, Integer.MAX_VALUE - 1);
    arena.requireRoom("block timers", length(timerCapacity, rankCapacity, bucketCapacity));
    this.arena = arena;
    ranks = new Ranks(arena, rankCapacity, new SequenceLock());
    buckets = new TimerBuckets(arena, bucketCapacity, rankCapacity);
    timers = new Timers(arena, timerCapacity, buckets);
    expired = new ExpiredBlocks(arena, timerCapacity);
    dueRanks = new RankSet(arena, rankCapacity);
  }

  private static void requireInRange(final String name, final int value, final int limit) {
    if (value < 1 || value > limit) {
      throw new CapacityExceededException(
          "timer capacity out of range: " + name + '=' + value + " limit=" + limit);
    }
  }

  /** Off-heap bytes of an object with these capacities. */
  public static long length(
      final int timerCapacity, final int rankCapacity, final int bucketCapacity) {
    return Ranks.length(rankCapacity)
        + TimerBuckets.length(bucketCapacity, rankCapacity)
        + Timers.length(timerCapacity)
        + ExpiredBlocks.length(timerCapacity)
        + RankSet.length(rankCapacity);
  }

  /** Timers that run. */
  public int size() {
    return timers.used();
  }

  /** Distinct (rank, end) pairs of the timers that run. */
  public int bucketCount() {
    return buckets.used();
  }

  /** Ranks that were inserted and not removed. */
  public int rankCount() {
    return ranks.used();
  }

  /** The earliest end of all, in nanoseconds of the caller's clock, or {@link #NEVER}. */
  public long nextExpiryNs() {
    return buckets.firstRank() == TimerBuckets.NONE ? NEVER : buckets.firstExpiry();
  }

  /** When a timer ends, or {@link #NEVER} if there is no such timer. */
  public long expiryNs(final long workerId, final int dpRank, final long hash, final int position) {
    final int rank = ranks.find(workerId, dpRank);
    final int timer = rank == Ranks.NONE ? Timers.NONE : timers.find(rank, hash, position);
    return timer == Timers.NONE ? NEVER : buckets.expiry(timers.bucket(timer));
  }

  // ------ coming

  /**
   * Gives a rank an origin before its first insertion does.
   *
   * @param originNs what its buckets are counted from
   * @return false if it has one, or if there is no room for another rank; nothing changes then
   */
  public boolean addRank(final long workerId, final int dpRank, final long originNs) {
    checkOpen();
    if (ranks.isFull() || ranks.find(workerId, dpRank) != Ranks.NONE) {
      return false;
    }
    buckets.addRank(ranks.add(workerId, dpRank), originNs);
    return true;
  }

  /**
   * Starts the timers of consecutive blocks, or sets them anew.
   *
   * @param nowNs the instant
   * @param ttlNs time to live in nanoseconds, 0 or more
   * @param hashes of the blocks
   * @param index of the first of them
   * @param count how many
   * @param firstPosition of the first block in its sequence; the others follow
   * @return false if there is no room for all of them; nothing changes then
   * @throws IllegalArgumentException if {@code ttlNs} is negative
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public boolean insert(
      final long workerId,
      final int dpRank,
      final long nowNs,
      final long ttlNs,
      final long[] hashes,
      final int index,
      final int count,
      final int firstPosition) {
    checkOpen();
    checkRange(hashes, index, count);
    if (ttlNs < 0) {
      throw negativeTtl(ttlNs);
    }
    int rank = ranks.find(workerId, dpRank);
    if (!hasRoom(rank, hashes, index, count, firstPosition)) {
      return false;
    }
    if (count == 0) {
      return true;
    }
    if (rank == Ranks.NONE) {
      rank = ranks.add(workerId, dpRank);
      buckets.addRank(rank, nowNs);
    }
    for (int i = 0; i < count; i++) {
      touched |= timers.touch(rank, hashes[index + i], firstPosition + i);
    }
    final int bucket = buckets.obtain(rank, expiry(buckets.origin(rank), nowNs, ttlNs));
    for (int i = 0; bucket != TimerBuckets.NONE && i < count; i++) {
      start(rank, hashes[index + i], firstPosition + i, bucket);
    }
    return bucket != TimerBuckets.NONE;
  }

  private static void checkRange(final long[] hashes, final int index, final int count) {
    if ((index | count) < 0 || index > hashes.length - count) {
      throw outOfBounds(hashes, index, count);
    }
  }

  private static IndexOutOfBoundsException outOfBounds(
      final long[] hashes, final int index, final int count) {
    return new IndexOutOfBoundsException(
        "hashes out of bounds: index=" + index + " count=" + count + " capacity=" + hashes.length);
  }

  private static IllegalArgumentException negativeTtl(final long ttlNs) {
    return new IllegalArgumentException("time to live must not be negative: ttlNs=" + ttlNs);
  }

  /** True if blocks from a sequence's first on could be inserted, whatever their time to live. */
  boolean hasRoom(
      final long workerId,
      final int dpRank,
      final long[] hashes,
      final int index,
      final int count) {
    return !buckets.isFull() && hasRoom(ranks.find(workerId, dpRank), hashes, index, count, 0);
  }

  /** Blocks are only looked up one by one where room is so scarce that it matters. */
  private boolean hasRoom(
      final int rank,
      final long[] hashes,
      final int index,
      final int count,
      final int firstPosition) {
    if (rank == Ranks.NONE) {
      return !ranks.isFull() && !buckets.isFull() && count <= timers.freeCount();
    }
    int wanted = count;
    if (wanted > timers.freeCount()) {
      for (int i = 0; i < count; i++) {
        if (timers.find(rank, hashes[index + i], firstPosition + i) != Timers.NONE) {
          wanted--;
        }
      }
    }
    return wanted <= timers.freeCount();
  }

  private void start(final int rank, final long hash, final int position, final int bucket) {
    final int timer = timers.find(rank, hash, position);
    if (timer == Timers.NONE) {
      timers.add(hash, position, bucket);
      return;
    }
    final int before = timers.bucket(timer);
    if (before != bucket) {
      timers.move(timer, bucket);
      releaseIfEmpty(before);
    }
  }

  private void releaseIfEmpty(final int bucket) {
    if (buckets.first(bucket) == Timers.NONE) {
      final int rank = buckets.rank(bucket);
      buckets.release(bucket);
      buckets.order(rank);
    }
  }

  /** The end of a timer; saturates. */
  private static long expiry(final long origin, final long nowNs, final long ttlNs) {
    if (ttlNs == 0) {
      return nowNs;
    }
    final long age = nowNs - origin;
    if (age > Long.MAX_VALUE - BUCKET_NS - ttlNs) {
      return Long.MAX_VALUE - 1;
    }
    final long rounded = -Math.floorDiv(-(age + ttlNs), BUCKET_NS) * BUCKET_NS;
    final long expiry = origin + rounded;
    return rounded > 0 && expiry < origin ? Long.MAX_VALUE - 1 : expiry;
  }

  // ------ going

  /**
   * Ends a timer without an event.
   *
   * @return false if there was none
   */
  public boolean remove(
      final long workerId, final int dpRank, final long hash, final int position) {
    checkOpen();
    final int rank = ranks.find(workerId, dpRank);
    final int timer = rank == Ranks.NONE ? Timers.NONE : timers.find(rank, hash, position);
    if (timer == Timers.NONE) {
      return false;
    }
    final int bucket = timers.bucket(timer);
    timers.remove(timer);
    releaseIfEmpty(bucket);
    return true;
  }

  /**
   * Ends all timers of a rank without an event, and forgets it. Costs a step per timer.
   *
   * @return false if it was not known
   */
  public boolean removeRank(final long workerId, final int dpRank) {
    checkOpen();
    final int rank = ranks.find(workerId, dpRank);
    if (rank == Ranks.NONE) {
      return false;
    }
    remove(rank);
    return true;
  }

  /**
   * As {@link #removeRank}, for all ranks of a worker.
   *
   * @return false if none was known
   */
  public boolean removeWorker(final long workerId) {
    checkOpen();
    boolean known = false;
    for (int rank = 0; rank < ranks.bound(); rank++) {
      if (ranks.isUsed(rank) && ranks.workerId(rank) == workerId) {
        remove(rank);
        known = true;
      }
    }
    return known;
  }

  private void remove(final int rank) {
    int bucket;
    while ((bucket = buckets.earliest(rank)) != TimerBuckets.NONE) {
      empty(bucket);
    }
    buckets.order(rank);
    ranks.retire(rank);
    ranks.release(rank);
  }

  private int empty(final int bucket) {
    int count = 0;
    int timer;
    while ((timer = buckets.first(bucket)) != Timers.NONE) {
      timers.remove(timer);
      count++;
    }
    buckets.release(bucket);
    return count;
  }

  /**
   * Hands out what has ended: all timers whose end is not after {@code nowNs}. Costs nothing where
   * there is none. The listener must not call this object; if it throws, the other ranks are handed
   * out nevertheless, and the first exception comes out at the end.
   *
   * @param nowNs the instant
   * @param listener takes one Removed event per rank, with tier device and event id 0, in a buffer
   *     that is good during the call
   * @return how many timers ended
   */
  public int drain(final long nowNs, final KvEventListener listener) {
    return drain(nowNs, true, listener);
  }

  /**
   * As {@link #drain(long, KvEventListener)}, but for an index that is told to remove blocks it
   * matters that they come deepest first, so that edges only become shorter: unsorted, the blocks
   * of a bucket come in the opposite order of their latest insertions.
   */
  int drain(final long nowNs, final boolean sorted, final KvEventListener listener) {
    checkOpen();
    if (nextExpiryNs() > nowNs || buckets.firstRank() == TimerBuckets.NONE) {
      return 0;
    }
    while (buckets.firstRank() != TimerBuckets.NONE && buckets.firstExpiry() <= nowNs) {
      final int rank = buckets.firstRank();
      buckets.suspend(rank);
      dueRanks.add(ranks.order(rank));
    }
    int count = 0;
    RuntimeException failure = null;
    int order;
    while ((order = dueRanks.removeFirst()) != RankSet.NONE) {
      final int rank = ranks.sorted(order);
      count += collect(rank, nowNs);
      try {
        expired.emit(ranks.workerId(rank), ranks.dpRank(rank), sorted, listener);
      } catch (final RuntimeException e) {
        failure = failure == null ? e : suppressed(failure, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return count;
  }

  private static RuntimeException suppressed(
      final RuntimeException first, final RuntimeException other) {
    if (first != other) {
      first.addSuppressed(other);
    }
    return first;
  }

  private int collect(final int rank, final long nowNs) {
    int count = 0;
    int bucket = buckets.earliest(rank);
    while (bucket != TimerBuckets.NONE && buckets.expiry(bucket) <= nowNs) {
      for (int timer = buckets.first(bucket); timer != Timers.NONE; timer = timers.next(timer)) {
        touched |= timers.touch(rank, timer);
        expired.add(timers.hash(timer));
      }
      count += empty(bucket);
      bucket = buckets.earliest(rank);
    }
    buckets.order(rank);
    return count;
  }

  /**
   * Ends the timers of the earliest bucket of all before their time, as {@link #drain} would at
   * that instant; to make room.
   *
   * @return how many timers ended; 0 if none ran
   */
  public int drainEarliest(final KvEventListener listener) {
    checkOpen();
    return drainEarliest(true, listener);
  }

  int drainEarliest(final boolean sorted, final KvEventListener listener) {
    return buckets.firstRank() == TimerBuckets.NONE
        ? 0
        : drain(buckets.firstExpiry(), sorted, listener);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("timers used after close");
    }
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    ranks.free(arena);
    buckets.free(arena);
    timers.free(arena);
    expired.free(arena);
    dueRanks.free(arena);
  }
}
