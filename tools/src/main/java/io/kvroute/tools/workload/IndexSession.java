package io.kvroute.tools.workload;

import io.kvroute.index.ApplyResult;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import org.agrona.ExpandableArrayBuffer;

/** An index under work, and a buffer in which events are made before the clock runs. */
final class IndexSession implements AutoCloseable {
  private static final int INITIAL_LENGTH = 1 << 16;

  private final RadixIndex index;
  private final ExpandableArrayBuffer events = new ExpandableArrayBuffer(INITIAL_LENGTH);
  private int length;
  private int pending;
  private long nextEventId;

  IndexSession(final RadixIndex index) {
    this.index = index;
  }

  RadixIndex index() {
    return index;
  }

  /** Forgets the events that were made. */
  void discardEvents() {
    length = 0;
    pending = 0;
  }

  /**
   * Makes a stored event.
   *
   * @param from index in both arrays of the first block
   */
  void addStored(
      final int worker,
      final boolean hasParent,
      final long parent,
      final long[] local,
      final long[] block,
      final int from,
      final int count) {
    final int at = claim(KvEventEncoder.storedLength(count));
    KvEventEncoder.stored(
        events, at, worker, 0, StorageTier.DEVICE, nextEventId++, hasParent, parent, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(events, at, i, block[from + i]);
      KvEventEncoder.putTokensHash(events, at, count, i, local[from + i]);
    }
  }

  /** Makes a removed event of blocks, the last one first. */
  void addRemovedTailFirst(final int worker, final long[] block, final int from, final int count) {
    final int at = claim(KvEventEncoder.removedLength(count));
    KvEventEncoder.removed(events, at, worker, 0, StorageTier.DEVICE, nextEventId++, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(events, at, i, block[from + count - 1 - i]);
    }
  }

  private int claim(final int eventLength) {
    final int at = length;
    events.checkLimit(at + eventLength);
    length += eventLength;
    pending++;
    return at;
  }

  /**
   * Applies the events that were made, in order.
   *
   * @return nanoseconds that it took
   */
  long applyEvents() {
    int at = 0;
    final long start = System.nanoTime();
    while (at < length) {
      final int eventLength = events.getInt(at, java.nio.ByteOrder.LITTLE_ENDIAN);
      final ApplyResult result = index.apply(events, at, eventLength);
      if (result != ApplyResult.OK) {
        throw refused(result);
      }
      at += eventLength;
    }
    return System.nanoTime() - start;
  }

  private IllegalStateException refused(final ApplyResult result) {
    return new IllegalStateException(
        "the index did not apply an event: result="
            + result
            + " pending="
            + pending
            + " blocks="
            + index.blockCount());
  }

  /** How many events were made since they were last discarded. */
  int pending() {
    return pending;
  }

  @Override
  public void close() {
    index.close();
  }
}
