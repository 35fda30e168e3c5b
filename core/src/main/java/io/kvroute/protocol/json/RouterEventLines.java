package io.kvroute.protocol.json;

import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.DirectBuffer;

/**
 * Writes events, such as those of a dump of an index, as JSON: a {@code RouterEvent} of NVIDIA
 * Dynamo a line. Not thread-safe. Allocates in proportion to an event.
 */
public final class RouterEventLines implements KvEventListener {
  private final Appendable out;
  private final KvEventDecoder decoder = new KvEventDecoder();
  private long lines;

  /** Writes to {@code out}, which stays the caller's to flush and close. */
  public RouterEventLines(final Appendable out) {
    this.out = out;
  }

  /** How many lines were written. */
  public long lines() {
    return lines;
  }

  /**
   * Writes a line.
   *
   * @throws io.kvroute.protocol.MalformedEventException if the bytes are no event
   * @throws UncheckedIOException if it cannot be written
   */
  @Override
  public void onEvent(final DirectBuffer buffer, final int offset, final int length) {
    final String json =
        ProtocolJson.ROUTER_EVENT.write(decoder.wrap(buffer, offset, length).toRouterEvent());
    try {
      out.append(json).append('\n');
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
    lines++;
  }
}
