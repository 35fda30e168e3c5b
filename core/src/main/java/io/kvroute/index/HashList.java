package io.kvroute.index;

import io.kvroute.memory.RuntimeAccess;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * A re-usable window over 64-bit hashes, wherever they are: an array, or a buffer that holds them
 * in native order (a query) or little-endian (an event). Wrapping copies and allocates nothing;
 * ranges are checked when wrapping, not when reading.
 */
final class HashList {
  private static final long LONGS_BASE = RuntimeAccess.arrayBaseOffset(long[].class);
  private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  private Object base;
  private long address;
  private int count;
  private boolean swap;

  HashList wrap(final long[] hashes, final int index, final int newCount) {
    if ((index | newCount) < 0 || index > hashes.length - newCount) {
      throw outOfBounds("index", index, newCount, hashes.length);
    }
    set(hashes, LONGS_BASE + ((long) index << 3), newCount, false);
    return this;
  }

  HashList wrapNative(final DirectBuffer hashes, final int offset, final int newCount) {
    if ((offset | newCount) < 0 || offset > hashes.capacity() - ((long) newCount << 3)) {
      throw outOfBounds("offset", offset, newCount, hashes.capacity());
    }
    set(hashes.byteArray(), hashes.addressOffset() + offset, newCount, false);
    return this;
  }

  /** Wraps what another list wraps. */
  void copy(final HashList other) {
    set(other.base, other.address, other.count, other.swap);
  }

  /** The caller has checked the range. */
  HashList wrapLittleEndian(final DirectBuffer hashes, final int offset, final int newCount) {
    set(hashes.byteArray(), hashes.addressOffset() + offset, newCount, BIG_ENDIAN);
    return this;
  }

  private void set(
      final Object newBase, final long newAddress, final int newCount, final boolean newSwap) {
    base = newBase;
    address = newAddress;
    count = newCount;
    swap = newSwap;
  }

  private static IndexOutOfBoundsException outOfBounds(
      final String what, final int at, final int count, final int capacity) {
    return new IndexOutOfBoundsException(
        "hashes out of bounds: " + what + '=' + at + " count=" + count + " capacity=" + capacity);
  }

  int count() {
    return count;
  }

  long get(final int i) {
    final long value = UnsafeApi.getLong(base, address + ((long) i << 3));
    return swap ? Long.reverseBytes(value) : value;
  }

  /**
   * How many of up to 8 hashes in raw memory agree with those of the list from {@code at} on; the
   * caller has checked both ranges.
   */
  int match(final long other, final int run, final int at) {
    final Object here = base;
    final long from = address + ((long) at << 3);
    if (run == 8 && !swap && difference8(other, here, from) == 0) {
      return 8;
    }
    int i = 0;
    while (i < run && UnsafeApi.getLong(other + ((long) i << 3)) == get(at + i)) {
      i++;
    }
    return i;
  }

  private static long difference8(final long other, final Object here, final long from) {
    return difference2(other, here, from)
        | difference2(other + 16, here, from + 16)
        | difference2(other + 32, here, from + 32)
        | difference2(other + 48, here, from + 48);
  }

  private static long difference2(final long other, final Object here, final long from) {
    return (UnsafeApi.getLong(other) ^ UnsafeApi.getLong(here, from))
        | (UnsafeApi.getLong(other + 8) ^ UnsafeApi.getLong(here, from + 8));
  }

  boolean contains(final long hash) {
    int hits = 0;
    for (int i = 0; i < count; i++) {
      hits |= get(i) == hash ? 1 : 0;
    }
    return hits != 0;
  }
}
