package io.kvroute.index;

import io.kvroute.protocol.StorageTier;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * One index of several, and the ring through which the front hands it messages. Whoever owns it,
 * the thread that polls it or the front, is the index's writer meanwhile.
 */
final class IndexPartition {
  /** A cache event. */
  static final int EVENT = 1;

  /** A worker id: forget the worker. */
  static final int REMOVE_WORKER = 2;

  /** A worker id and a rank: forget the rank. */
  static final int REMOVE_RANK = 3;

  /** A worker id: empty the worker. */
  static final int CLEAR_WORKER = 4;

  /** A worker id, a rank, a tier, a count and hashes: a store without token lists. */
  static final int STORE_KNOWN = 5;

  private static final int ALIGNMENT = 64;
  private static final int RANK_OFFSET = 8;
  private static final int TIER_OFFSET = 12;
  private static final int COUNT_OFFSET = 16;

  /** Where the hashes of {@link #STORE_KNOWN} begin. */
  static final int HASHES_OFFSET = 24;

  private final RadixIndex index;
  private final OneToOneRingBuffer ring;
  private final MessageHandler handler = this::onMessage;
  private final AtomicBoolean owned = new AtomicBoolean();
  private long[] hashes = new long[64];

  IndexPartition(final RadixIndex index, final int ringBytes) {
    this.index = index;
    final ByteBuffer memory =
        BufferUtil.allocateDirectAligned(
            ringBytes + RingBufferDescriptor.TRAILER_LENGTH, ALIGNMENT);
    ring = new OneToOneRingBuffer(new UnsafeBuffer(memory));
  }

  RadixIndex index() {
    return index;
  }

  int maxMessageLength() {
    return ring.maxMsgLength();
  }

  /** Puts a message into the ring; false if there is no room. The front alone calls it. */
  boolean offer(final int type, final DirectBuffer buffer, final int offset, final int length) {
    return ring.write(type, buffer, offset, length);
  }

  boolean tryOwn() {
    return owned.compareAndSet(false, true);
  }

  /** Waits for the turn to be the writer. */
  void own() {
    while (!tryOwn()) {
      Thread.onSpinWait();
    }
  }

  void disown() {
    owned.set(false);
  }

  /** Applies up to so many messages; the owner calls it. */
  int apply(final int limit) {
    final int count = ring.read(handler, limit);
    // The end of the ring ends a reading, too.
    return count == limit ? count : count + ring.read(handler, limit - count);
  }

  /** Applies all messages that are in the ring; the owner calls it. */
  void drain() {
    while (ring.size() > 0) {
      apply(Integer.MAX_VALUE);
    }
  }

  /** Applies a message; the owner calls it. */
  void onMessage(
      final int type, final MutableDirectBuffer buffer, final int offset, final int length) {
    switch (type) {
      case EVENT -> index.apply(buffer, offset, length);
      case REMOVE_WORKER -> index.removeWorker(buffer.getLong(offset));
      case REMOVE_RANK ->
          index.removeWorkerDpRank(buffer.getLong(offset), buffer.getInt(offset + RANK_OFFSET));
      case CLEAR_WORKER -> index.clearAllBlocks(buffer.getLong(offset));
      case STORE_KNOWN -> storeKnown(buffer, offset);
      default -> throw new IllegalStateException("no such message: type=" + type);
    }
  }

  private void storeKnown(final DirectBuffer buffer, final int offset) {
    final int count = buffer.getInt(offset + COUNT_OFFSET);
    if (count > hashes.length) {
      hashes = new long[Math.max(count, 2 * hashes.length)];
    }
    for (int i = 0; i < count; i++) {
      hashes[i] = buffer.getLong(offset + HASHES_OFFSET + (i << 3));
    }
    index.applyStoredWithoutTokens(
        buffer.getLong(offset),
        buffer.getInt(offset + RANK_OFFSET),
        StorageTier.ofOrdinal(buffer.getInt(offset + TIER_OFFSET)),
        hashes,
        0,
        count);
  }

  /** Writes what all messages but events begin with. */
  static void putHead(
      final MutableDirectBuffer buffer,
      final long workerId,
      final int dpRank,
      final int tier,
      final int count) {
    buffer.putLong(0, workerId);
    buffer.putInt(RANK_OFFSET, dpRank);
    buffer.putInt(TIER_OFFSET, tier);
    buffer.putInt(COUNT_OFFSET, count);
  }
}
