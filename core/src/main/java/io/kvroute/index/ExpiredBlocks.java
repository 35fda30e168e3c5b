package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.StorageTier;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Collects hashes where a Removed event has them, puts them in ascending unsigned order, each once,
 * if that is wanted, and hands the event out. Sorting is by bits from the highest down, in place;
 * below a few hashes by insertion.
 */
final class ExpiredBlocks {
  static final int MAX_HASHES = 1 << 26;

  private static final int SHORT = 24;

  private final Region region;
  private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
  private final int base;
  private int count;

  ExpiredBlocks(final Arena arena, final int capacity) {
    final int length = KvEventEncoder.removedLength(capacity);
    region = arena.allocate("expired blocks", length);
    buffer.wrap(region.addressOf(0, length), length);
    base = KvEventEncoder.blockHashesOffset(0);
  }

  static long length(final int capacity) {
    return KvEventEncoder.removedLength(capacity);
  }

  void free(final Arena arena) {
    buffer.wrap(0, 0);
    arena.free(region);
  }

  void add(final long hash) {
    set(count++, hash);
  }

  private long get(final int i) {
    return buffer.getLong(base + (i << 3), ByteOrder.LITTLE_ENDIAN);
  }

  private void set(final int i, final long hash) {
    buffer.putLong(base + (i << 3), hash, ByteOrder.LITTLE_ENDIAN);
  }

  /** Hands out what was collected, and is empty then. */
  void emit(
      final long workerId, final int dpRank, final boolean sorted, final KvEventListener listener) {
    if (sorted) {
      sort(0, count, 63);
      count = withoutRepeats();
    }
    final int distinct = count;
    count = 0;
    final int length =
        KvEventEncoder.removed(buffer, 0, workerId, dpRank, StorageTier.DEVICE, 0, distinct);
    listener.onEvent(buffer, 0, length);
  }

  private void sort(final int from, final int end, final int bit) {
    if (end - from <= SHORT || bit < 0) {
      insertionSort(from, end);
      return;
    }
    int low = from;
    int high = end;
    while (low < high) {
      final long hash = get(low);
      if ((hash >>> bit & 1) == 0) {
        low++;
      } else {
        set(low, get(--high));
        set(high, hash);
      }
    }
    sort(from, low, bit - 1);
    sort(low, end, bit - 1);
  }

  private void insertionSort(final int from, final int end) {
    for (int i = from + 1; i < end; i++) {
      final long hash = get(i);
      int hole = i;
      while (hole > from && Long.compareUnsigned(get(hole - 1), hash) > 0) {
        set(hole, get(hole - 1));
        hole--;
      }
      set(hole, hash);
    }
  }

  private int withoutRepeats() {
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (distinct == 0 || get(distinct - 1) != get(i)) {
        set(distinct++, get(i));
      }
    }
    return distinct;
  }
}
