package io.kvroute.protocol;

import io.kvroute.memory.RuntimeAccess;
import java.util.Objects;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A sink with a buffer of its own that hands each event to a listener when it is committed. The
 * buffer grows to the largest event seen, and then allocates nothing more. Not thread-safe.
 */
public final class ListenerSink implements KvEventSink {
  private static final int INITIAL_CAPACITY = 4096;

  private final KvEventListener listener;
  private final UnsafeBuffer buffer;

  /**
   * Makes a sink.
   *
   * @param listener that is given each event, on the thread that commits it
   */
  public ListenerSink(final KvEventListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    RuntimeAccess.check();
    buffer = new UnsafeBuffer(new byte[INITIAL_CAPACITY]);
  }

  /**
   * Claims room; there always is.
   *
   * @throws IllegalArgumentException if the length is negative
   */
  @Override
  public int claim(final int length) {
    if (length > buffer.capacity()) {
      buffer.wrap(new byte[grown(length)]);
    } else if (length < 0) {
      throw negative(length);
    }
    return 0;
  }

  @Override
  public MutableDirectBuffer buffer() {
    return buffer;
  }

  @Override
  public void commit(final int offset, final int length) {
    listener.onEvent(buffer, offset, length);
  }

  private static int grown(final int length) {
    final int power = Integer.highestOneBit(length - 1) << 1;
    return power < 0 ? length : power;
  }

  private static IllegalArgumentException negative(final int length) {
    return new IllegalArgumentException("cannot claim a negative length: length=" + length);
  }
}
