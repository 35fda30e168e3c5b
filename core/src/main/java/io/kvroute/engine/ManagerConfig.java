package io.kvroute.engine;

import io.kvroute.cache.RadixCache;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.protocol.KvEventSink;

/** What a {@link SglangKvManager} is made from. Not thread-safe. */
public final class ManagerConfig {
  final long totalTokens;
  final long pageSize;
  int nodeCapacity;
  long workerId;
  int dpRank;
  KvEventSink sink;
  CacheTrace trace;

  ManagerConfig(final long totalTokens, final long pageSize) {
    this.totalTokens = totalTokens;
    this.pageSize = pageSize;
    nodeCapacity = (int) Math.min(RadixCache.pageCount(totalTokens, pageSize), MAX_NODES);
  }

  private static final int MAX_NODES = Integer.MAX_VALUE - 2;

  /**
   * Sets how many radix nodes there may be besides the root; by default one per page, which always
   * suffices. With fewer, whole leaves are evicted when nodes run out.
   *
   * @param nodeCapacity at least 2
   */
  public ManagerConfig nodeCapacity(final int nodeCapacity) {
    if (nodeCapacity < 2 || nodeCapacity > MAX_NODES) {
      throw new IllegalArgumentException(
          "node capacity out of range: nodeCapacity=" + nodeCapacity + " minimum=2");
    }
    this.nodeCapacity = nodeCapacity;
    return this;
  }

  /** Sets the worker id that events carry, unsigned; 0 by default. */
  public ManagerConfig workerId(final long workerId) {
    this.workerId = workerId;
    return this;
  }

  /** Sets the data-parallel rank that events carry, unsigned; 0 by default. */
  public ManagerConfig dpRank(final int dpRank) {
    this.dpRank = dpRank;
    return this;
  }

  /** Sets where events go; none by default. */
  public ManagerConfig sink(final KvEventSink sink) {
    this.sink = sink;
    return this;
  }

  /** Sets who sees the cache state after each operation; nobody by default. */
  public ManagerConfig trace(final CacheTrace trace) {
    this.trace = trace;
    return this;
  }

  /**
   * Makes the manager with memory of its own.
   *
   * @throws CapacityExceededException if the memory is not to be had
   * @throws IllegalStateException if the JVM was started without the flag that Agrona needs
   */
  public SglangKvManager build() {
    return new SglangKvManager(this);
  }
}
