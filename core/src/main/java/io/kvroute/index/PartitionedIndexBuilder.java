package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;

/** The capacities of a {@link PartitionedIndex}. All memory is allocated when it is built. */
public final class PartitionedIndexBuilder {
  private static final int MAX_PARTITIONS = 64;
  private static final int MIN_RING_BYTES = 1 << 10;
  private static final int MAX_RING_BYTES = 1 << 30;

  private final RadixIndexBuilder partition = RadixIndex.builder();
  private int partitionCount = 2;
  private int ringBytes = 1 << 20;
  private long names = -1;

  PartitionedIndexBuilder() {}

  /**
   * How many partitions, 1 to 64. Default 2.
   *
   * @throws CapacityExceededException if out of range
   */
  public PartitionedIndexBuilder partitionCount(final int value) {
    if (value < 1 || value > MAX_PARTITIONS) {
      throw outOfRange("partitionCount", value, MAX_PARTITIONS);
    }
    partitionCount = value;
    return this;
  }

  /**
   * Length of the ring in which a partition's events wait, a power of two, 1 KiB to 1 GiB. Default
   * 1 MiB. An event of more than an eighth of it is applied by the front.
   *
   * @throws CapacityExceededException if out of range
   */
  public PartitionedIndexBuilder ringBytes(final int value) {
    if (value < MIN_RING_BYTES || value > MAX_RING_BYTES || Integer.bitCount(value) != 1) {
      throw outOfRange("ringBytes", value, MAX_RING_BYTES);
    }
    ringBytes = value;
    return this;
  }

  /** As {@link RadixIndexBuilder#blockCapacity}, for each partition. */
  public PartitionedIndexBuilder blockCapacity(final long value) {
    partition.blockCapacity(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#rankCapacity}, for each partition. */
  public PartitionedIndexBuilder rankCapacity(final long value) {
    partition.rankCapacity(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#edgeCapacity}, for each partition. */
  public PartitionedIndexBuilder edgeCapacity(final long value) {
    partition.edgeCapacity(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#ownNameCapacity}, for each partition. */
  public PartitionedIndexBuilder ownNameCapacity(final long value) {
    partition.ownNameCapacity(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#holderBytes}, for each partition. */
  public PartitionedIndexBuilder holderBytes(final long value) {
    partition.holderBytes(value);
    return this;
  }

  /** As {@link RadixIndexBuilder#clearScope}. */
  public PartitionedIndexBuilder clearScope(final ClearScope value) {
    partition.clearScope(value);
    return this;
  }

  /** Test hook: how many names the directory holds before it is made anew. */
  PartitionedIndexBuilder names(final long value) {
    names = value;
    return this;
  }

  private static CapacityExceededException outOfRange(
      final String name, final long value, final long limit) {
    return new CapacityExceededException(
        "index capacity out of range: " + name + '=' + value + " limit=" + limit);
  }

  /**
   * Off-heap bytes that the index will take: those of its partitions, and 18 for each block and own
   * name that they have room for. The rings come on top.
   */
  public long requiredBytes() {
    return partitionCount * partition.requiredBytes() + NameDirectory.length(names());
  }

  /**
   * Makes the index.
   *
   * @throws CapacityExceededException if a capacity is out of range or there is too little memory;
   *     nothing is left allocated then
   */
  public PartitionedIndex build() {
    final Arena arena = Arena.ofCapacity(requiredBytes());
    try {
      return new PartitionedIndex(this, arena);
    } catch (final CapacityExceededException failure) {
      arena.close();
      throw failure;
    }
  }

  int partitionCount() {
    return partitionCount;
  }

  int ringBytes() {
    return ringBytes;
  }

  RadixIndexBuilder partition() {
    return partition;
  }

  /** Half as many again as there can be, so that making it anew is rare. */
  long names() {
    final long known = (long) partition.blockCapacity() + partition.ownNameCapacity();
    return names > 0 ? names : partitionCount * (known + (known >> 1));
  }
}
