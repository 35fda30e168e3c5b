package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.StorageTier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which rank probably holds which prefix, where no cache events tell: every routing decision stores
 * the prompt's blocks from the root for the chosen rank, and each block is forgotten when its time
 * to live is over; a later decision that names it again renews it. See {@link BlockTimers} for when
 * exactly that is.
 *
 * <p>Bounded: where there is no room for a decision, the blocks that would end next go before their
 * time, and are counted. A decision that would not fit into an empty index, or that names a rank
 * too many, is refused and counted, and nothing changes.
 *
 * <p>Not thread-safe: one thread records and looks up. Nothing allocates after warm-up. What has
 * ended is removed by whichever call comes next.
 */
public final class ApproximateIndex implements AutoCloseable {
  private final Arena arena;
  private final boolean ownsArena;
  private final RadixIndex index;
  private final BlockTimers timers;
  private final KvEventListener removal = this::remove;
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final HashList locals = new HashList();
  private final HashList externals = new HashList();
  private final long ttlNs;
  private final int longestPrompt;
  private long recorded;
  private long refused;
  private long expired;
  private long evicted;
  private long clearedRanks;
  private boolean closed;

  ApproximateIndex(
      final ApproximateIndexBuilder builder, final Arena arena, final boolean ownsArena) {
    this.arena = arena;
    this.ownsArena = ownsArena;
    ttlNs = builder.ttlNs();
    longestPrompt = Math.min(builder.timerCapacity(), builder.indexBuilder().blockCapacity());
    index = builder.indexBuilder().arena(arena).build();
    timers =
        new BlockTimers(
            arena,
            builder.timerCapacity(),
            builder.indexBuilder().rankCapacity(),
            builder.bucketCapacity());
  }

  /** Starts the making of an index. */
  public static ApproximateIndexBuilder builder() {
    return new ApproximateIndexBuilder();
  }

  /** Time to live of a block in nanoseconds. */
  public long ttlNs() {
    return ttlNs;
  }

  // ------ decisions

  /**
   * Records that a prompt was sent to a rank.
   *
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param localHashes of the prompt's blocks
   * @param localIndex of the first of them
   * @param sequenceHashes of the same blocks
   * @param sequenceIndex of the first of them
   * @param count how many blocks, from the prompt's first on
   * @param nowNs the instant, by the caller's clock
   * @return OK; CAPACITY_EXCEEDED if it cannot fit; INVALID_BLOCK_SEQUENCE if the sequence hashes
   *     repeat, or the rank holds one of them for another block. Unless OK, it was not recorded
   * @throws IndexOutOfBoundsException if a range is not inside its array
   */
  public ApplyResult record(
      final long workerId,
      final int dpRank,
      final long[] localHashes,
      final int localIndex,
      final long[] sequenceHashes,
      final int sequenceIndex,
      final int count,
      final long nowNs) {
    checkOpen();
    locals.wrap(localHashes, localIndex, count);
    externals.wrap(sequenceHashes, sequenceIndex, count);
    expire(nowNs);
    if (count == 0) {
      return ApplyResult.OK;
    }
    ApplyResult result = ApplyResult.CAPACITY_EXCEEDED;
    if (count <= longestPrompt && index.takesRank(workerId, dpRank)) {
      do {
        if (timers.hasRoom(workerId, dpRank, sequenceHashes, sequenceIndex, count)) {
          result = index.storeFromRoot(workerId, dpRank, locals, externals);
        }
      } while (result == ApplyResult.CAPACITY_EXCEEDED && evict());
    }
    if (result == ApplyResult.OK) {
      timers.insert(workerId, dpRank, nowNs, ttlNs, sequenceHashes, sequenceIndex, count, 0);
      recorded++;
    } else {
      refused++;
    }
    return result;
  }

  private boolean evict() {
    final int count = timers.drainEarliest(false, removal);
    evicted += count;
    return count > 0;
  }

  /**
   * Forgets what has ended. Recording and looking up do so by themselves.
   *
   * @param nowNs the instant
   * @return how many blocks of ranks ended
   */
  public int expire(final long nowNs) {
    checkOpen();
    final int count = timers.drain(nowNs, false, removal);
    expired += count;
    index.sweep();
    return count;
  }

  /**
   * Takes blocks away. Where the index has no room for what remains of an edge, the rank loses all
   * it has, since a block without a timer would stay for ever.
   */
  private void remove(final DirectBuffer buffer, final int offset, final int length) {
    final long held = heldBlocks();
    final long missing = index.counters().blocksNotFound();
    if (index.apply(buffer, offset, length) != ApplyResult.OK) {
      final long gone = held - heldBlocks() + index.counters().blocksNotFound() - missing;
      clearUnlessGone(buffer, offset, length, gone);
    }
  }

  private void clearUnlessGone(
      final DirectBuffer buffer, final int offset, final int length, final long gone) {
    decoder.wrap(buffer, offset, length);
    if (gone == decoder.blockCount()) {
      return;
    }
    final UnsafeBuffer event = new UnsafeBuffer(new byte[KvEventEncoder.clearedLength()]);
    KvEventEncoder.cleared(event, 0, decoder.workerId(), decoder.dpRank(), StorageTier.DEVICE, 0);
    index.apply(event, 0, event.capacity());
    clearedRanks++;
  }

  // ------ look-ups

  /**
   * Finds who probably holds how much of a prompt; all of it counts as being on the device.
   *
   * @param localHashes of the prompt's blocks
   * @param from index of the first of them
   * @param count how many
   * @param nowNs the instant; what has ended by then is not found
   * @param out takes the result
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public void find(
      final long[] localHashes,
      final int from,
      final int count,
      final long nowNs,
      final MatchScores out) {
    expire(nowNs);
    index.find(localHashes, from, count, out);
  }

  // ------ workers

  /**
   * Forgets a worker, its ranks and what they hold.
   *
   * @return false if it was not known
   */
  public boolean removeWorker(final long workerId) {
    checkOpen();
    timers.removeWorker(workerId);
    return index.removeWorker(workerId);
  }

  /**
   * Forgets one rank of a worker and what it holds.
   *
   * @return false if it was not known
   */
  public boolean removeWorkerDpRank(final long workerId, final int dpRank) {
    checkOpen();
    timers.removeRank(workerId, dpRank);
    return index.removeWorkerDpRank(workerId, dpRank);
  }

  // ------ figures

  /** Instant at which the next block ends, or {@link BlockTimers#NEVER}. */
  public long nextExpiryNs() {
    return timers.nextExpiryNs();
  }

  /** Blocks held, summed over all ranks. */
  public long heldBlocks() {
    return index.heldBlocks(StorageTier.DEVICE);
  }

  /** Blocks that one rank holds; 0 if it is not known. */
  public long heldBlocks(final long workerId, final int dpRank) {
    return index.heldBlocks(workerId, dpRank, StorageTier.DEVICE);
  }

  /** Ranks that are known. */
  public int rankCount() {
    return index.rankCount();
  }

  /** Decisions that were recorded. */
  public long recordedDecisions() {
    return recorded;
  }

  /** Decisions that were refused. */
  public long refusedDecisions() {
    return refused;
  }

  /** Blocks of ranks whose time was over. */
  public long expiredBlocks() {
    return expired;
  }

  /** Blocks of ranks that went before their time, to make room. */
  public long evictedBlocks() {
    return evicted;
  }

  /** Times that a rank lost all it had, because the index had no room to cut blocks out. */
  public long clearedRanks() {
    return clearedRanks;
  }

  RadixIndex index() {
    return index;
  }

  BlockTimers timers() {
    return timers;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("approximate index used after close");
    }
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    timers.close();
    index.close();
    if (ownsArena) {
      arena.close();
    }
  }
}
