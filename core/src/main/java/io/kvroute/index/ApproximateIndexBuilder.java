package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;

/**
 * The capacities of an {@link ApproximateIndex}, and its time to live. All memory is allocated when
 * it is built: that of a {@link RadixIndex}, and that of {@link BlockTimers}.
 */
public final class ApproximateIndexBuilder {
  private static final long DEFAULT_TTL_NS = 120_000_000_000L;

  private final RadixIndexBuilder index = RadixIndex.builder().refusing();
  private Arena arena;
  private long ttlNs = DEFAULT_TTL_NS;
  private int timerCapacity = -1;

  ApproximateIndexBuilder() {}

  /** Where the memory comes from; without one the index makes an arena of the required size. */
  public ApproximateIndexBuilder arena(final Arena value) {
    arena = value;
    return this;
  }

  /**
   * How long a block is remembered, in nanoseconds, 0 or more. Default 120 s.
   *
   * @throws IllegalArgumentException if negative
   */
  public ApproximateIndexBuilder ttlNs(final long value) {
    if (value < 0) {
      throw new IllegalArgumentException("time to live must not be negative: ttlNs=" + value);
    }
    ttlNs = value;
    return this;
  }

  /** As {@link RadixIndexBuilder#blockCapacity}. */
  public ApproximateIndexBuilder blockCapacity(final long value) {
    index.blockCapacity(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#rankCapacity}. */
  public ApproximateIndexBuilder rankCapacity(final long value) {
    index.rankCapacity(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#edgeCapacity}. */
  public ApproximateIndexBuilder edgeCapacity(final long value) {
    index.edgeCapacity(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#holderBytes}. */
  public ApproximateIndexBuilder holderBytes(final long value) {
    index.holderBytes(value);
    return this;
  }

  /**
   * The most (rank, block) pairs, 1 to {@link BlockTimers#MAX_TIMERS}. Default two per block.
   *
   * @throws CapacityExceededException if out of range
   */
  public ApproximateIndexBuilder timerCapacity(final long value) {
    if (value < 1 || value > BlockTimers.MAX_TIMERS) {
      throw new CapacityExceededException(
          "timer capacity out of range: timerCapacity="
              + value
              + " limit="
              + BlockTimers.MAX_TIMERS);
    }
    timerCapacity = (int) value;
    return this;
  }

  /** Off-heap bytes that the index will take. */
  public long requiredBytes() {
    return index.requiredBytes()
        + BlockTimers.length(timerCapacity(), index.rankCapacity(), bucketCapacity());
  }

  /**
   * Makes the index.
   *
   * @throws CapacityExceededException if the arena or the JVM has too little room; without an arena
   *     of the caller's nothing is left allocated then
   */
  public ApproximateIndex build() {
    final long required = requiredBytes();
    if (arena != null) {
      arena.requireRoom("approximate index", required);
      return new ApproximateIndex(this, arena, false);
    }
    final Arena own = Arena.ofCapacity(required);
    try {
      return new ApproximateIndex(this, own, true);
    } catch (final CapacityExceededException failure) {
      own.close();
      throw failure;
    }
  }

  RadixIndexBuilder indexBuilder() {
    return index;
  }

  long ttlNs() {
    return ttlNs;
  }

  int timerCapacity() {
    return timerCapacity > 0
        ? timerCapacity
        : (int) Math.min(BlockTimers.MAX_TIMERS, 2L * index.blockCapacity());
  }

  /** As many as ranks can have at once; no more than there are timers. */
  int bucketCapacity() {
    final long perRank = ttlNs / BlockTimers.BUCKET_NS + 3;
    final long all = perRank > timerCapacity() ? timerCapacity() : perRank * index.rankCapacity();
    return (int) Math.min(all, timerCapacity());
  }
}
