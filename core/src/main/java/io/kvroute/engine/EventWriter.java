package io.kvroute.engine;

import io.kvroute.cache.PageChain;
import io.kvroute.cache.PagePool;
import io.kvroute.memory.Region;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.KvEventSink;
import io.kvroute.protocol.StorageTier;
import java.util.HashSet;
import java.util.Set;
import org.agrona.MutableDirectBuffer;

/**
 * Encodes events straight from the page columns into a sink. A sink that has no room or throws
 * loses the event: it is counted, logged once per kind of failure, and the event id is used up.
 */
final class EventWriter {
  /** Longer events are sent in parts, so that a length in bytes fits an int. */
  private static final int MAX_BLOCKS = 1 << 24;

  private static final System.Logger LOG = System.getLogger(EventWriter.class.getName());

  private final PagePool pool;
  private final long workerId;
  private final int dpRank;
  private final Set<Class<?>> loggedFailures = new HashSet<>();
  private KvEventSink sink;
  private long nextEventId;
  private long storedEvents;
  private long storedBlocks;
  private long removedEvents;
  private long removedBlocks;
  private long sinkRefusals;
  private long sinkFailures;

  EventWriter(final PagePool pool, final long workerId, final int dpRank) {
    this.pool = pool;
    this.workerId = workerId;
    this.dpRank = dpRank;
  }

  void sink(final KvEventSink newSink) {
    sink = newSink;
  }

  boolean isAttached() {
    return sink != null;
  }

  long nextEventId() {
    return nextEventId;
  }

  long storedEvents() {
    return storedEvents;
  }

  long storedBlocks() {
    return storedBlocks;
  }

  long removedEvents() {
    return removedEvents;
  }

  long removedBlocks() {
    return removedBlocks;
  }

  long sinkRefusals() {
    return sinkRefusals;
  }

  long sinkFailures() {
    return sinkFailures;
  }

  /**
   * Announces pages of a chain as stored.
   *
   * @param from first page to announce, as a position in the chain
   */
  void stored(
      final PageChain chain,
      final int from,
      final int count,
      final boolean hasParent,
      final long parentHash) {
    boolean parented = hasParent;
    long parent = parentHash;
    int done = 0;
    while (done < count) {
      final int step = Math.min(count - done, MAX_BLOCKS);
      storedPart(chain, from + done, step, parented, parent);
      done += step;
      if (done < count) {
        parented = true;
        final int last = pool.pageAt(chain, from + done - 1);
        parent = pool.hashes().getLong((long) last << 3);
      }
    }
  }

  private void storedPart(
      final PageChain chain,
      final int from,
      final int count,
      final boolean hasParent,
      final long parentHash) {
    final long eventId = nextEventId++;
    storedEvents++;
    storedBlocks += count;
    try {
      final int length = KvEventEncoder.storedLength(count);
      final int offset = sink.claim(length);
      if (offset < 0) {
        sinkRefusals++;
        return;
      }
      final MutableDirectBuffer buffer = sink.buffer();
      KvEventEncoder.stored(
          buffer,
          offset,
          workerId,
          dpRank,
          StorageTier.DEVICE,
          eventId,
          hasParent,
          parentHash,
          count);
      copy(pool.hashes(), chain, from, count, buffer, KvEventEncoder.blockHashesOffset(offset));
      final int keysOffset = KvEventEncoder.tokensHashesOffset(offset, count);
      copy(pool.keys(), chain, from, count, buffer, keysOffset);
      sink.commit(offset, length);
    } catch (final RuntimeException failure) {
      countFailure(failure);
    }
  }

  private void copy(
      final Region column,
      final PageChain chain,
      final int from,
      final int count,
      final MutableDirectBuffer buffer,
      final int offset) {
    int extent = pool.firstExtent(chain);
    int skip = from;
    int done = 0;
    while (done < count) {
      final int length = pool.extentLength(extent);
      final int step = Math.min(length - skip, count - done);
      if (step > 0) {
        column.copyLongsTo((long) (extent + skip) << 3, buffer, offset + (done << 3), step);
        done += step;
        skip = 0;
      } else {
        skip -= length;
      }
      extent = pool.nextExtent(extent);
    }
  }

  /**
   * Announces as removed all pages of a chain that are marked as published.
   *
   * @param marked how many are marked
   */
  void removed(final PageChain chain, final int marked) {
    final boolean all = marked == chain.count();
    int extent = pool.firstExtent(chain);
    int within = 0;
    int done = 0;
    while (done < marked) {
      final int count = Math.min(marked - done, MAX_BLOCKS);
      final long eventId = nextEventId++;
      removedEvents++;
      removedBlocks += count;
      final long cursor = removedPart(extent, within, count, all, eventId);
      extent = (int) (cursor >>> 32);
      within = (int) cursor;
      done += count;
    }
  }

  /**
   * Returns where the next part starts: the extent in the high half, the place in it in the low.
   */
  private long removedPart(
      final int firstExtent,
      final int firstWithin,
      final int count,
      final boolean all,
      final long eventId) {
    try {
      final int length = KvEventEncoder.removedLength(count);
      final int offset = sink.claim(length);
      if (offset >= 0) {
        final MutableDirectBuffer buffer = sink.buffer();
        KvEventEncoder.removed(
            buffer, offset, workerId, dpRank, StorageTier.DEVICE, eventId, count);
        final int hashesOffset = KvEventEncoder.blockHashesOffset(offset);
        final long cursor = gather(firstExtent, firstWithin, count, all, buffer, hashesOffset);
        sink.commit(offset, length);
        return cursor;
      }
      sinkRefusals++;
    } catch (final RuntimeException failure) {
      countFailure(failure);
    }
    return skip(firstExtent, firstWithin, count, all);
  }

  private long gather(
      final int firstExtent,
      final int firstWithin,
      final int count,
      final boolean all,
      final MutableDirectBuffer buffer,
      final int offset) {
    int extent = firstExtent;
    int within = firstWithin;
    int done = 0;
    while (done < count) {
      final int length = pool.extentLength(extent);
      if (within == length) {
        extent = pool.nextExtent(extent);
        within = 0;
      } else if (all) {
        final int step = Math.min(length - within, count - done);
        pool.hashes()
            .copyLongsTo((long) (extent + within) << 3, buffer, offset + (done << 3), step);
        within += step;
        done += step;
      } else {
        if (pool.isPublished(extent + within)) {
          final long at = (long) (extent + within) << 3;
          pool.hashes().copyLongsTo(at, buffer, offset + (done++ << 3), 1);
        }
        within++;
      }
    }
    return (long) extent << 32 | within;
  }

  private long skip(
      final int firstExtent, final int firstWithin, final int count, final boolean all) {
    int extent = firstExtent;
    int within = firstWithin;
    int done = 0;
    while (done < count) {
      if (within == pool.extentLength(extent)) {
        extent = pool.nextExtent(extent);
        within = 0;
      } else {
        if (all || pool.isPublished(extent + within)) {
          done++;
        }
        within++;
      }
    }
    return (long) extent << 32 | within;
  }

  private void countFailure(final RuntimeException failure) {
    sinkFailures++;
    if (loggedFailures.add(failure.getClass())) {
      LOG.log(
          System.Logger.Level.WARNING,
          "an event sink failed; further failures of this kind are only counted: workerId="
              + Long.toUnsignedString(workerId)
              + " dpRank="
              + Integer.toUnsignedString(dpRank),
          failure);
    }
  }
}
