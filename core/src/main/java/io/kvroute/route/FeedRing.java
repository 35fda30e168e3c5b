package io.kvroute.route;

import io.kvroute.memory.CapacityExceededException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BufferUtil;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The ring through which events of any thread reach the router's. Its memory belongs to the garbage
 * collector and not to an arena: a feed may still be writing while the router is closed.
 */
final class FeedRing {
  private static final int MIN_BYTES = 1 << 10;
  private static final int MAX_BYTES = 1 << 30;
  private static final int ALIGNMENT = 64;

  private final ManyToOneRingBuffer ring;
  private final UnsafeBuffer buffer;
  private final AtomicLong full = new AtomicLong();
  private final AtomicLong oversized = new AtomicLong();
  private volatile boolean closed;

  FeedRing(final int bytes) {
    if (bytes < MIN_BYTES || bytes > MAX_BYTES || Integer.bitCount(bytes) != 1) {
      throw new CapacityExceededException(
          "ring must be a power of two: feedRingBytes="
              + bytes
              + " least="
              + MIN_BYTES
              + " most="
              + MAX_BYTES);
    }
    final ByteBuffer memory =
        BufferUtil.allocateDirectAligned(bytes + RingBufferDescriptor.TRAILER_LENGTH, ALIGNMENT);
    buffer = new UnsafeBuffer(memory);
    ring = new ManyToOneRingBuffer(buffer);
  }

  /** Why a message of a length can never be taken; null if it can. Any thread. */
  FeedAnswer refusalOf(final long length) {
    if (closed) {
      return FeedAnswer.CLOSED;
    }
    if (length < 0 || length > ring.maxMsgLength()) {
      oversized.incrementAndGet();
      return FeedAnswer.OVERSIZED;
    }
    return null;
  }

  /** Claims room for a message that is not too large; negative if there is none. Any thread. */
  int claim(final int type, final int length) {
    final int at = ring.tryClaim(type, length);
    if (at < 0) {
      full.incrementAndGet();
    }
    return at;
  }

  /** Hands over a message; any thread. */
  void commit(final int at) {
    ring.commit(at);
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Reads up to so many messages, beyond the end of the ring too; the router's thread. */
  int read(final MessageHandler handler, final int limit) {
    final int count = ring.read(handler, limit);
    return count + ring.read(handler, limit - count);
  }

  long full() {
    return full.get();
  }

  long oversized() {
    return oversized.get();
  }

  void close() {
    closed = true;
  }
}
