package io.kvroute.protocol;

import org.agrona.DirectBuffer;

/** Takes cache events in their binary form. */
@FunctionalInterface
public interface KvEventListener {
  /**
   * Is given one event. The bytes are the listener's only until it returns.
   *
   * @param buffer that holds the event
   * @param offset of its first byte
   * @param length of it in bytes
   */
  void onEvent(DirectBuffer buffer, int offset, int length);
}
