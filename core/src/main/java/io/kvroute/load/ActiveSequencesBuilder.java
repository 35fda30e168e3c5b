package io.kvroute.load;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import java.util.Objects;

/**
 * The capacities of {@link ActiveSequences} and who listens. All memory is laid out when they are
 * built; what is full later refuses requests and counts that.
 */
public final class ActiveSequencesBuilder {
  private static final int MAX_REQUESTS = 1 << 19;
  private static final int MAX_RANKS = 1 << 16;
  private static final int MAX_BLOCKS = 1 << 30;
  private static final int MAX_PARTS = 1 << 24;
  private static final int EDGES_PER_REQUEST = 3;
  private static final int HOLDS_PER_REQUEST = 8;
  private static final int SPARE = 64;
  private static final long DEFAULT_REPLICA_AGE_NS = 60_000_000_000L;

  private Arena arena;
  private int requestCapacity = 1 << 14;
  private int rankCapacity = 64;
  private int blockCapacity = 1 << 20;
  private int edgeCapacity = -1;
  private int holdCapacity = -1;
  private long routerId;
  private long replicaAgeNs = DEFAULT_REPLICA_AGE_NS;
  private ReplicaPolicy replicaPolicy = ReplicaPolicy.LAZY_REGISTER;
  private LoadListener loadListener;
  private ReplicaListener replicaListener;
  private long tagMask = -1;

  ActiveSequencesBuilder() {}

  /** Where the memory comes from; without one an arena of the required size is made. */
  public ActiveSequencesBuilder arena(final Arena value) {
    arena = value;
    return this;
  }

  /**
   * The most active requests of all ranks, 1 to 524,288. Default 16,384.
   *
   * @throws CapacityExceededException if out of range
   */
  public ActiveSequencesBuilder requestCapacity(final long value) {
    requestCapacity = inRange("requestCapacity", value, MAX_REQUESTS);
    return this;
  }

  /**
   * The most (worker, data-parallel rank) pairs, 1 to 65,536. Default 64.
   *
   * @throws CapacityExceededException if out of range
   */
  public ActiveSequencesBuilder rankCapacity(final long value) {
    rankCapacity = inRange("rankCapacity", value, MAX_RANKS);
    return this;
  }

  /**
   * The most distinct blocks of active prompts, 1 to 2^30; a block counts once however many ranks
   * and requests have it, and a block of output does not count. Default 1,048,576. 8.5 bytes each.
   *
   * @throws CapacityExceededException if out of range
   */
  public ActiveSequencesBuilder blockCapacity(final long value) {
    blockCapacity = inRange("blockCapacity", value, MAX_BLOCKS);
    return this;
  }

  /**
   * The most runs of blocks between two places where prompts part or end: two per request, and
   * those that wait to be joined. Default three per request and 64. 180 bytes each, and 8 per 64
   * ranks.
   *
   * @throws CapacityExceededException if out of range
   */
  public ActiveSequencesBuilder edgeCapacity(final long value) {
    edgeCapacity = inRange("edgeCapacity", value, MAX_PARTS);
    return this;
  }

  /**
   * The most pairs of a run of blocks and a rank that has it. Default eight per request, four per
   * rank and 64. 36 bytes each.
   *
   * @throws CapacityExceededException if out of range
   */
  public ActiveSequencesBuilder holdCapacity(final long value) {
    holdCapacity = inRange("holdCapacity", value, MAX_PARTS);
    return this;
  }

  /** Who this router is among its replicas, unsigned 64-bit. Default 0. */
  public ActiveSequencesBuilder routerId(final long value) {
    routerId = value;
    return this;
  }

  /** What to do with other routers' requests for unknown ranks. Default: make them known. */
  public ActiveSequencesBuilder replicaPolicy(final ReplicaPolicy value) {
    replicaPolicy = Objects.requireNonNull(value, "replicaPolicy");
    return this;
  }

  /**
   * The age in nanoseconds beyond which another router's request is not added. Default 60 s.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ActiveSequencesBuilder replicaAgeNs(final long value) {
    if (value < 0) {
      throw new IllegalArgumentException("age must not be negative: replicaAgeNs=" + value);
    }
    replicaAgeNs = value;
    return this;
  }

  /** Who is told of each change of load; null is nobody. */
  public ActiveSequencesBuilder loadListener(final LoadListener value) {
    loadListener = value;
    return this;
  }

  /** Who tells other routers of this one's requests; null is nobody. */
  public ActiveSequencesBuilder replicaListener(final ReplicaListener value) {
    replicaListener = value;
    return this;
  }

  /** Test hook: hashes are masked before they are looked up, so that they collide. */
  ActiveSequencesBuilder tagMask(final long value) {
    tagMask = value;
    return this;
  }

  private static int inRange(final String name, final long value, final int limit) {
    if (value < 1 || value > limit) {
      throw new CapacityExceededException(
          "load capacity out of range: " + name + '=' + value + " limit=" + limit);
    }
    return (int) value;
  }

  /** Off-heap bytes that will be taken. */
  public long requiredBytes() {
    return Bookings.length(this);
  }

  /**
   * Makes the active sequences: no request, no rank.
   *
   * @throws CapacityExceededException if the arena or the JVM has too little room; without an arena
   *     of the caller's nothing is left allocated then
   */
  public ActiveSequences build() {
    final long required = requiredBytes();
    if (arena != null) {
      arena.requireRoom("active sequences", required);
      return new ActiveSequences(this, arena, false);
    }
    final Arena own = Arena.ofCapacity(required);
    try {
      return new ActiveSequences(this, own, true);
    } catch (final CapacityExceededException failure) {
      own.close();
      throw failure;
    }
  }

  int requestCapacity() {
    return requestCapacity;
  }

  int rankCapacity() {
    return rankCapacity;
  }

  int blockCapacity() {
    return blockCapacity;
  }

  int edgeCapacity() {
    return edgeCapacity > 0 ? edgeCapacity : EDGES_PER_REQUEST * requestCapacity + SPARE;
  }

  int holdCapacity() {
    return holdCapacity > 0
        ? holdCapacity
        : HOLDS_PER_REQUEST * requestCapacity + 4 * rankCapacity + SPARE;
  }

  /** Enough for every block, and for an unfilled granule at either end of every edge. */
  int granuleCount() {
    return ((blockCapacity + HashGranuleLayout.SLOT_MASK) >>> HashGranuleLayout.SHIFT)
        + 2 * edgeCapacity();
  }

  long routerId() {
    return routerId;
  }

  ReplicaPolicy replicaPolicy() {
    return replicaPolicy;
  }

  long replicaAgeNs() {
    return replicaAgeNs;
  }

  LoadListener loadListener() {
    return loadListener;
  }

  ReplicaListener replicaListener() {
    return replicaListener;
  }

  long tagMask() {
    return tagMask;
  }
}
