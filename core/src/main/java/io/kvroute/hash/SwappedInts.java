package io.kvroute.hash;

import io.kvroute.memory.RuntimeAccess;
import org.agrona.UnsafeApi;

/**
 * The cold path of big-endian machines: there an {@code int[]} is not the little-endian bytes that
 * are hashed, so its ints are copied with their bytes reversed.
 */
final class SwappedInts {
  private static final long BYTES_BASE = RuntimeAccess.arrayBaseOffset(byte[].class);

  private SwappedInts() {}

  /** Copies {@code count} ints from the address {@code at} on, each with its bytes reversed. */
  static byte[] copy(final int[] ints, final long at, final int count) {
    final byte[] bytes = new byte[Math.multiplyExact(count, Integer.BYTES)];
    UnsafeApi.copySwapMemory(ints, at, bytes, BYTES_BASE, bytes.length, Integer.BYTES);
    return bytes;
  }
}
