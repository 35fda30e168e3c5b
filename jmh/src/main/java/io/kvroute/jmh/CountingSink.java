package io.kvroute.jmh;

import io.kvroute.protocol.KvEventSink;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Takes every event into one buffer and counts it. */
final class CountingSink implements KvEventSink {
  private static final int LENGTH = 1 << 24;

  private final MutableDirectBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
  private long events;

  @Override
  public int claim(final int length) {
    return length <= LENGTH ? 0 : -1;
  }

  @Override
  public MutableDirectBuffer buffer() {
    return buffer;
  }

  @Override
  public void commit(final int offset, final int length) {
    events++;
  }

  long events() {
    return events;
  }
}
