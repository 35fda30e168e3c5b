package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.MalformedEventException;
import io.kvroute.protocol.StorageTier;
import java.util.Arrays;
import java.util.TreeSet;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Several indexes that answer as one: each has the paths that begin with certain blocks, and a
 * writer of its own. For more events than one thread can apply.
 *
 * <p>One thread, the front, is given all events. It finds out which partition an event belongs to
 * and puts it into that partition's ring; a thread per partition {@linkplain #poll polls} it. A
 * name is usually known in one partition alone. An event for which that is not so (two engines use
 * one hash for different blocks) stops all partitions for a moment, and the front applies it
 * itself, so that the outcome is what one index would make of it. The front also applies what a
 * full ring has no room for. Nobody has to poll: {@link #drain} applies all that waits.
 *
 * <p>Capacities are those of each partition. Prompts that share their first block share a
 * partition, so one may fill up long before another. An event that concerns several partitions is
 * counted in each; of a store without token lists, the part for a partition that has no room is
 * refused alone.
 *
 * <p>The front's methods are for one thread at a time; {@link #poll} is for one thread at a time
 * for each partition; look-ups are for any thread, through {@link #newReader readers}. Events cost
 * no allocation after warm-up.
 */
public final class PartitionedIndex implements AutoCloseable, KvEventListener {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final IndexPartition[] partitions;
  private final PartitionRouter router;
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final UnsafeBuffer head = new UnsafeBuffer(new byte[IndexPartition.HASHES_OFFSET]);
  private final Arena arena;
  private long malformedEvents;
  private boolean closed;

  PartitionedIndex(final PartitionedIndexBuilder builder, final Arena arena) {
    this.arena = arena;
    partitions = new IndexPartition[builder.partitionCount()];
    for (int p = 0; p < partitions.length; p++) {
      final RadixIndex index = builder.partition().arena(arena).build();
      partitions[p] = new IndexPartition(index, builder.ringBytes());
    }
    router = new PartitionRouter(partitions, new NameDirectory(arena, builder.names()));
  }

  /** Starts the making of an index. */
  public static PartitionedIndexBuilder builder() {
    return new PartitionedIndexBuilder();
  }

  /** The partition in which paths that begin with a local hash are. */
  static int partitionOf(final long localHash, final int partitions) {
    return (int) ((((localHash * MIX) >>> 32) * partitions) >>> 32);
  }

  // ------ the front

  /**
   * Takes one event; it is applied when its partition's writer comes to it, in order. What becomes
   * of it the partitions' counters tell.
   *
   * @param buffer that holds the event in its binary form
   * @param offset of its first byte
   * @param length of it in bytes
   * @return false if the bytes are no event
   */
  public boolean apply(final DirectBuffer buffer, final int offset, final int length) {
    checkOpen();
    try {
      decoder.wrap(buffer, offset, length);
    } catch (final MalformedEventException malformed) {
      malformedEvents++;
      return false;
    }
    switch (decoder.type()) {
      case STORED -> router.stored(decoder, buffer, offset);
      case REMOVED -> router.removed(decoder, buffer, offset);
      case CLEARED -> router.toAll(IndexPartition.EVENT, buffer, offset, decoder.length());
    }
    return true;
  }

  /** As {@link #apply}. */
  @Override
  public void onEvent(final DirectBuffer buffer, final int offset, final int length) {
    apply(buffer, offset, length);
  }

  /**
   * Takes a store that carries no tokens; see {@link RadixIndex#applyStoredWithoutTokens}.
   *
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public void applyStoredWithoutTokens(
      final long workerId,
      final int dpRank,
      final StorageTier tier,
      final long[] hashes,
      final int index,
      final int count) {
    checkOpen();
    router.storedWithoutTokens(
        workerId, dpRank, tier.ordinal(), new HashList().wrap(hashes, index, count));
  }

  /** Forgets a worker; see {@link RadixIndex#removeWorker}. */
  public void removeWorker(final long workerId) {
    sendToAll(IndexPartition.REMOVE_WORKER, workerId, 0);
  }

  /** Forgets one rank of a worker; see {@link RadixIndex#removeWorkerDpRank}. */
  public void removeWorkerDpRank(final long workerId, final int dpRank) {
    sendToAll(IndexPartition.REMOVE_RANK, workerId, dpRank);
  }

  /** Empties all ranks of a worker; see {@link RadixIndex#clearAllBlocks}. */
  public void clearAllBlocks(final long workerId) {
    sendToAll(IndexPartition.CLEAR_WORKER, workerId, 0);
  }

  private void sendToAll(final int message, final long workerId, final int dpRank) {
    checkOpen();
    IndexPartition.putHead(head, workerId, dpRank, 0, 0);
    router.toAll(message, head, 0, head.capacity());
  }

  /** Applies all that waits. */
  public void drain() {
    checkOpen();
    router.ownAll();
    router.disownAll();
  }

  // ------ the partitions

  /** How many partitions there are. */
  public int partitionCount() {
    return partitions.length;
  }

  /**
   * Applies what waits for a partition, and does a slice of what forgotten ranks have left there.
   *
   * @param partition 0 to {@code partitionCount() - 1}
   * @param limit the most messages
   * @return how many were applied; 0 also if the front is at work on the partition
   */
  public int poll(final int partition, final int limit) {
    checkOpen();
    final IndexPartition polled = partitions[partition];
    if (!polled.tryOwn()) {
      return 0;
    }
    try {
      final int applied = polled.apply(limit);
      if (applied == 0) {
        polled.index().sweep();
      }
      return applied;
    } finally {
      polled.disown();
    }
  }

  /**
   * The index of a partition, for its figures and counters. Exact on the thread that polls the
   * partition, or after {@link #drain} while nothing else is at work.
   */
  public RadixIndex partition(final int partition) {
    return partitions[partition].index();
  }

  /** Makes a reader for a thread; any thread may. */
  public PartitionedIndexReader newReader() {
    final IndexReader[] readers = new IndexReader[partitions.length];
    for (int p = 0; p < readers.length; p++) {
      readers[p] = partitions[p].index().newReader();
    }
    return new PartitionedIndexReader(readers);
  }

  // ------ figures; the front's thread calls them, and all that waits is applied first

  /** The known workers, ascending as unsigned numbers, each once. Allocates. */
  public long[] workers() {
    drain();
    final TreeSet<Long> workers = new TreeSet<>(Long::compareUnsigned);
    for (final IndexPartition partition : partitions) {
      Arrays.stream(partition.index().workers()).forEach(workers::add);
    }
    return workers.stream().mapToLong(Long::longValue).toArray();
  }

  /** Distinct blocks in all partitions. */
  public long blockCount() {
    drain();
    return Arrays.stream(partitions).mapToLong(p -> p.index().blockCount()).sum();
  }

  /** Blocks held in a tier, summed over all ranks. */
  public long heldBlocks(final StorageTier tier) {
    drain();
    return Arrays.stream(partitions).mapToLong(p -> p.index().heldBlocks(tier)).sum();
  }

  /** Blocks that one rank holds in a tier; 0 if it is not known. */
  public long heldBlocks(final long workerId, final int dpRank, final StorageTier tier) {
    drain();
    return Arrays.stream(partitions)
        .mapToLong(p -> p.index().heldBlocks(workerId, dpRank, tier))
        .sum();
  }

  /**
   * Bytes of the content; see {@link RadixIndex#usedBytes}. The directory of names is not in it.
   */
  public long usedBytes() {
    drain();
    return Arrays.stream(partitions).mapToLong(p -> p.index().usedBytes()).sum();
  }

  /** Events whose bytes could not be decoded. */
  public long malformedEvents() {
    return malformedEvents;
  }

  /** Events that the front applied itself, since their names are known in several partitions. */
  public long frontEvents() {
    return router.frontEvents();
  }

  /** How often the directory of names was made anew. */
  public long rebuilds() {
    return router.rebuilds();
  }

  /**
   * Hands out events that make an equal index, partition by partition; see {@link RadixIndex#dump}.
   * Event ids begin anew with each. Allocates.
   *
   * @return how many events
   */
  public long dump(final KvEventListener listener) {
    drain();
    long events = 0;
    for (final IndexPartition partition : partitions) {
      events += partition.index().dump(listener);
    }
    return events;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("index used after close");
    }
  }

  /**
   * Frees the memory. Idempotent. No other thread may be inside {@link #poll}.
   *
   * @throws IllegalStateException if there are open readers; nothing is freed then
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    for (final IndexPartition partition : partitions) {
      partition.index().close();
    }
    closed = true;
    router.free(arena);
    arena.close();
  }
}
