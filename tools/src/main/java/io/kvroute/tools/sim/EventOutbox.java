package io.kvroute.tools.sim;

import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.KvEventSink;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cache events of one worker on their way to the router, in the order in which they were written.
 * An event is sealed with the instant at which the router sees it; those instants never go back.
 * Grows to the most bytes that are on their way at once. Not thread-safe.
 */
final class EventOutbox implements KvEventSink {
  private static final int INITIAL_BYTES = 1 << 12;
  private static final int INITIAL_EVENTS = 1 << 6;
  private static final long UNSEALED = Long.MAX_VALUE;

  private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[INITIAL_BYTES]);
  private int end;
  private int[] offsets = new int[INITIAL_EVENTS];
  private int[] lengths = new int[INITIAL_EVENTS];
  private long[] visibleNs = new long[INITIAL_EVENTS];
  private int first;
  private int sealed;
  private int last;

  @Override
  public int claim(final int length) {
    if (end + length > bytes.capacity()) {
      moveDown();
      if (end + length > bytes.capacity()) {
        bytes.wrap(Arrays.copyOf(bytes.byteArray(), 2 * Math.addExact(end, length)));
      }
    }
    return end;
  }

  private void moveDown() {
    final int start = first == last ? end : offsets[first];
    System.arraycopy(bytes.byteArray(), start, bytes.byteArray(), 0, end - start);
    for (int i = first; i < last; i++) {
      offsets[i] -= start;
    }
    end -= start;
  }

  @Override
  public MutableDirectBuffer buffer() {
    return bytes;
  }

  @Override
  public void commit(final int offset, final int length) {
    if (last == offsets.length) {
      makeRoomForEvent();
    }
    offsets[last] = offset;
    lengths[last] = length;
    visibleNs[last] = UNSEALED;
    last++;
    end = offset + length;
  }

  private void makeRoomForEvent() {
    final int count = last - first;
    final int capacity = count > offsets.length / 2 ? 2 * offsets.length : offsets.length;
    offsets = Arrays.copyOf(Arrays.copyOfRange(offsets, first, last), capacity);
    lengths = Arrays.copyOf(Arrays.copyOfRange(lengths, first, last), capacity);
    visibleNs = Arrays.copyOf(Arrays.copyOfRange(visibleNs, first, last), capacity);
    sealed -= first;
    first = 0;
    last = count;
  }

  /** Lets the router see at {@code atNs} all that was written since the last call. */
  void seal(final long atNs) {
    while (sealed < last) {
      visibleNs[sealed++] = atNs;
    }
  }

  /** Hands over what the router sees by {@code nowNs}, and forgets it. */
  void deliver(final long nowNs, final KvEventListener listener) {
    while (first < sealed && visibleNs[first] <= nowNs) {
      listener.onEvent(bytes, offsets[first], lengths[first]);
      first++;
    }
    if (first == last) {
      first = 0;
      sealed = 0;
      last = 0;
      end = 0;
    }
  }

  /** Events that are on their way. */
  int pending() {
    return last - first;
  }
}
