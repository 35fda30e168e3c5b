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

  /** What the parameter {@code sink} of a benchmark means: a counting sink, or none. */
  static KvEventSink named(final String name) {
    return switch (name) {
      case "none" -> null;
      case "count" -> new CountingSink();
      default -> throw new IllegalArgumentException("no such sink: sink=" + name);
    };
  }

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
