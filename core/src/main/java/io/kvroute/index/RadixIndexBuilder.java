package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.RunStore;

/**
 * The capacities of a {@link RadixIndex}. All memory is allocated when it is built. When blocks,
 * edges or holders are full later, the oldest leaves make room; when ranks or names are, the event
 * is refused and counted. Per block 16 bytes of hashes, 12 of the reverse map and 2 of links are
 * laid out, per edge 76 bytes, the 146 of one granule that it may leave unfilled, and its share of
 * the holders.
 */
public final class RadixIndexBuilder {
  static final int MAX_BLOCKS = Integer.MAX_VALUE - 64;
  static final int MAX_RANKS = 1 << 16;
  static final long MAX_UNITS = 1L << 30;
  private static final int DEFAULT_BLOCKS = 1 << 20;
  private static final int DEFAULT_RANKS = 64;
  private static final int BLOCKS_PER_EDGE = 40;
  private static final int BLOCKS_PER_OWN_NAME = 64;
  private static final int MIN_EDGES = 64;
  private static final int MIN_OWN_NAMES = 256;
  private static final int HOLDER_BYTES_PER_EDGE = 32;
  private static final int HOLDER_BYTES_PER_RANK = 256;
  private static final int MIN_HOLDER_BYTES = 4096;
  private static final int SLICE_WORK = 64;
  private static final int MIN_BYTES_PER_BLOCK = 16;
  private static final int MAX_GRANULES = Integer.MAX_VALUE >>> GranuleLayout.SHIFT;

  private Arena arena;
  private int blockCapacity = -1;
  private long memoryBytes = -1;
  private int rankCapacity = -1;
  private int edgeCapacity = -1;
  private int ownNameCapacity = -1;
  private long holderBytes = -1;
  private ClearScope clearScope = ClearScope.RANK;
  private long tagMask = -1;
  private boolean evicting = true;
  private int sliceWork = SLICE_WORK;

  RadixIndexBuilder() {}

  /** Where the memory comes from; without one the index makes an arena of the required size. */
  public RadixIndexBuilder arena(final Arena value) {
    arena = value;
    return this;
  }

  /**
   * The most distinct blocks, 1 to 2^31-65. Default 1,048,576.
   *
   * @throws CapacityExceededException if out of range
   */
  public RadixIndexBuilder blockCapacity(final long value) {
    blockCapacity = inRange("blockCapacity", value, MAX_BLOCKS);
    memoryBytes = -1;
    return this;
  }

  /**
   * As many blocks as so much memory is enough for, everything that the index needs included. Takes
   * the place of {@link #blockCapacity}.
   *
   * @param value in bytes, more than 0; whether it is enough is found out when building
   */
  public RadixIndexBuilder memoryBytes(final long value) {
    if (value < 1) {
      throw outOfRange("memoryBytes", value, Long.MAX_VALUE);
    }
    memoryBytes = value;
    return this;
  }

  /**
   * The most (worker, data-parallel rank) pairs, 1 to 65,536. Default 64.
   *
   * @throws CapacityExceededException if out of range
   */
  public RadixIndexBuilder rankCapacity(final long value) {
    rankCapacity = inRange("rankCapacity", value, MAX_RANKS);
    return this;
  }

  /**
   * The most edges: runs of blocks between two places where paths part or their holders change.
   * Default one per 40 blocks, at least 64.
   *
   * @throws CapacityExceededException if out of range
   */
  public RadixIndexBuilder edgeCapacity(final long value) {
    edgeCapacity = inRange("edgeCapacity", value, MAX_BLOCKS);
    return this;
  }

  /**
   * The most names that are kept for single ranks, because engines disagree about a block's
   * external hash: about one per block and rank that differs. Default one per 64 blocks, at least
   * 256.
   *
   * @throws CapacityExceededException if out of range
   */
  public RadixIndexBuilder ownNameCapacity(final long value) {
    ownNameCapacity = inRange("ownNameCapacity", value, MAX_BLOCKS);
    return this;
  }

  /**
   * Bytes for holders that do not fit into an edge: 16 per further word of 64 ranks of a tier, 8
   * per holder of a part of an edge. Default 32 per edge and 256 per rank.
   *
   * @throws CapacityExceededException if out of range
   */
  public RadixIndexBuilder holderBytes(final long value) {
    if (value < 0 || value > RunStore.UNIT_LENGTH * MAX_UNITS) {
      throw outOfRange("holderBytes", value, RunStore.UNIT_LENGTH * MAX_UNITS);
    }
    holderBytes = value;
    return this;
  }

  /** Whose blocks a cleared event empties. Default {@link ClearScope#RANK}. */
  public RadixIndexBuilder clearScope(final ClearScope value) {
    clearScope = value;
    return this;
  }

  /** Test hook: hashes are masked before they are looked up, so that they collide. */
  RadixIndexBuilder tagMask(final long value) {
    tagMask = value;
    return this;
  }

  /** What does not fit is refused: for an owner that makes room itself. */
  RadixIndexBuilder refusing() {
    evicting = false;
    return this;
  }

  /** Test hook: how much is done at a time of what forgotten ranks have left. */
  RadixIndexBuilder sliceWork(final int value) {
    sliceWork = value;
    return this;
  }

  private static int inRange(final String name, final long value, final int limit) {
    if (value < 1 || value > limit) {
      throw outOfRange(name, value, limit);
    }
    return (int) value;
  }

  private static CapacityExceededException outOfRange(
      final String name, final long value, final long limit) {
    return new CapacityExceededException(
        "index capacity out of range: " + name + '=' + value + " limit=" + limit);
  }

  /** Off-heap bytes that the index will take. */
  public long requiredBytes() {
    return requiredBytes(blockCapacity());
  }

  private long requiredBytes(final int forBlocks) {
    final int edges = edgeCapacity(forBlocks);
    return Blocks.length(forBlocks, granuleCount(forBlocks))
        + Edges.length(edges)
        + RunStore.length(holderUnits(edges))
        + Ranks.length(rankCapacity())
        + OwnNames.length(ownNameCapacity(forBlocks))
        + RepeatCheck.length();
  }

  /**
   * Makes the index.
   *
   * @throws CapacityExceededException if the arena has too little room, if there would be more than
   *     2^31-1 slots, or if the JVM has too little direct memory; without an arena of the caller's
   *     nothing is left allocated then
   */
  public RadixIndex build() {
    final long required = requiredBytes();
    if (arena != null) {
      if (arena.capacity() - arena.usedBytes() < required) {
        throw tooLittleRoom(required);
      }
      return new RadixIndex(this, arena, false);
    }
    final Arena own = Arena.ofCapacity(required);
    try {
      return new RadixIndex(this, own, true);
    } catch (final CapacityExceededException failure) {
      own.close();
      throw failure;
    }
  }

  private CapacityExceededException tooLittleRoom(final long required) {
    return new CapacityExceededException(
        "arena has too little room for the index: requiredBytes="
            + required
            + " usedBytes="
            + arena.usedBytes()
            + " capacity="
            + arena.capacity());
  }

  /** Makes an index for a snapshot; the capacities that were not given are those of its header. */
  RadixIndex buildFor(final SnapshotHeader written) {
    final int[] given = {blockCapacity, rankCapacity, edgeCapacity, ownNameCapacity};
    final long givenBytes = holderBytes;
    try {
      blockCapacity = blockCapacity > 0 ? blockCapacity : written.blockCapacity;
      rankCapacity = rankCapacity > 0 ? rankCapacity : written.rankCapacity;
      edgeCapacity = edgeCapacity > 0 ? edgeCapacity : written.edgeCapacity;
      ownNameCapacity = ownNameCapacity > 0 ? ownNameCapacity : written.ownNameCapacity;
      holderBytes = holderBytes >= 0 ? holderBytes : RunStore.UNIT_LENGTH * written.unitCapacity;
      requireRoom("blocks", written.blocks, blockCapacity());
      requireRoom("edges", written.edges, edgeCapacity());
      requireRoom("ranks", written.ranks, rankCapacity());
      requireRoom("own names", written.ownNames, ownNameCapacity());
      requireRoom("units of holders", written.units, holderUnits());
      return build();
    } finally {
      blockCapacity = given[0];
      rankCapacity = given[1];
      edgeCapacity = given[2];
      ownNameCapacity = given[3];
      holderBytes = givenBytes;
    }
  }

  private static void requireRoom(final String what, final long count, final long capacity) {
    if (count > capacity) {
      throw new CapacityExceededException(
          "the snapshot does not fit into the index: it has more "
              + what
              + ": count="
              + count
              + " capacity="
              + capacity);
    }
  }

  int blockCapacity() {
    if (memoryBytes >= 0) {
      return blocksWithin(memoryBytes);
    }
    return blockCapacity > 0 ? blockCapacity : DEFAULT_BLOCKS;
  }

  private int blocksWithin(final long bytes) {
    int low = 0;
    long high = Math.min(MAX_BLOCKS, bytes / MIN_BYTES_PER_BLOCK + 1);
    while (low < high) {
      final int middle = (int) ((low + high + 1) >>> 1);
      if (granules(middle) <= MAX_GRANULES && requiredBytes(middle) <= bytes) {
        low = middle;
      } else {
        high = middle - 1L;
      }
    }
    if (low == 0) {
      throw new CapacityExceededException(
          "too little memory for an index: memoryBytes="
              + bytes
              + " requiredBytes="
              + requiredBytes(1));
    }
    return low;
  }

  int rankCapacity() {
    return rankCapacity > 0 ? rankCapacity : DEFAULT_RANKS;
  }

  int edgeCapacity() {
    return edgeCapacity(blockCapacity());
  }

  private int edgeCapacity(final int forBlocks) {
    return edgeCapacity > 0 ? edgeCapacity : Math.max(MIN_EDGES, forBlocks / BLOCKS_PER_EDGE);
  }

  /** Enough for every block and an unfilled end in every edge. */
  int granuleCount() {
    return granuleCount(blockCapacity());
  }

  private int granuleCount(final int forBlocks) {
    final long granules = granules(forBlocks);
    if (granules > MAX_GRANULES) {
      throw outOfRange("blockCapacity + 8 * edgeCapacity", granules << 3, (long) MAX_GRANULES << 3);
    }
    return (int) granules;
  }

  private long granules(final int forBlocks) {
    return ((forBlocks + (long) GranuleLayout.SLOTS - 1) >>> GranuleLayout.SHIFT)
        + edgeCapacity(forBlocks);
  }

  int ownNameCapacity() {
    return ownNameCapacity(blockCapacity());
  }

  private int ownNameCapacity(final int forBlocks) {
    return ownNameCapacity > 0
        ? ownNameCapacity
        : Math.max(MIN_OWN_NAMES, forBlocks / BLOCKS_PER_OWN_NAME);
  }

  long holderUnits() {
    return holderUnits(edgeCapacity());
  }

  private long holderUnits(final int edges) {
    final long bytes =
        holderBytes >= 0
            ? holderBytes
            : MIN_HOLDER_BYTES
                + (long) HOLDER_BYTES_PER_EDGE * edges
                + (long) HOLDER_BYTES_PER_RANK * rankCapacity();
    return Math.max(1, Math.min(bytes / RunStore.UNIT_LENGTH, MAX_UNITS));
  }

  ClearScope clearScope() {
    return clearScope;
  }

  long tagMask() {
    return tagMask;
  }

  boolean evicting() {
    return evicting;
  }

  int sliceWork() {
    return sliceWork;
  }
}
