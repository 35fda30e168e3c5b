package io.kvroute.hash;

import org.agrona.UnsafeApi;

/**
 * The cold path of big-endian machines: there an {@code int[]} is not the little-endian bytes that
 * are hashed, so its ints are copied with their bytes reversed.
 */
final class SwappedInts {
  private SwappedInts() {}

  /** Copies {@code count} ints from the address {@code at} on, each with its bytes reversed. */
  static byte[] copy(final int[] ints, final long at, final int count) {
    final byte[] bytes = new byte[Math.multiplyExact(count, Integer.BYTES)];
    UnsafeApi.copySwapMemory(
        ints, at, bytes, UnsafeApi.arrayBaseOffset(byte[].class), bytes.length, Integer.BYTES);
    return bytes;
  }
}
