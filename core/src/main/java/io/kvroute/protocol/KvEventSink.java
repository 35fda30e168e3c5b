package io.kvroute.protocol;

import org.agrona.MutableDirectBuffer;

/**
 * Where a manager writes its cache events, without a copy: it claims room, encodes in place and
 * commits. Claims do not nest: each is committed before the next one. Used by one thread.
 */
public interface KvEventSink {
  /**
   * Claims room for one event.
   *
   * @param length of the event in bytes, a multiple of 8
   * @return the offset in {@link #buffer()} at which to write; negative if there is no room, and
   *     then nothing was claimed
   */
  int claim(int length);

  /** The buffer of the latest claim; a later claim may be in another one. */
  MutableDirectBuffer buffer();

  /**
   * Hands over the event that was written.
   *
   * @param offset that {@link #claim} returned
   * @param length that was claimed
   */
  void commit(int offset, int length);
}
