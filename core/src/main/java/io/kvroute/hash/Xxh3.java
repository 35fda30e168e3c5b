package io.kvroute.hash;

import io.kvroute.memory.Region;
import io.kvroute.memory.RuntimeAccess;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;

/**
 * XXH3-64 (by Yann Collet) of memory anywhere: byte and int arrays, Agrona buffers, direct and heap
 * byte buffers (read-only ones too), regions; at any offset and any alignment. The result is an
 * unsigned 64-bit number and the same on every machine.
 *
 * <p>Thread-safe. With a {@link HashSeed} nothing is allocated; the variants that take the seed as
 * a number derive its secret on every call, unless it is 0 or 1337. Ranges are always verified.
 */
public final class Xxh3 {
  private static final long BYTES_BASE = RuntimeAccess.arrayBaseOffset(byte[].class);
  private static final long INTS_BASE = RuntimeAccess.arrayBaseOffset(int[].class);

  private Xxh3() {}

  /**
   * Hashes a slice of an array.
   *
   * @param seed unsigned 64-bit
   * @throws IndexOutOfBoundsException if the slice is not inside the array
   */
  public static long hash(final byte[] bytes, final int offset, final int length, final long seed) {
    return hash(bytes, offset, length, HashSeed.of(seed));
  }

  /**
   * Hashes a slice of an array.
   *
   * @throws IndexOutOfBoundsException if the slice is not inside the array
   */
  public static long hash(
      final byte[] bytes, final int offset, final int length, final HashSeed seed) {
    Ranges.check("bytes", offset, length, bytes.length);
    return hashAt(bytes, BYTES_BASE + offset, length, seed);
  }

  /**
   * Hashes ints as four little-endian bytes each.
   *
   * @param index first int
   * @param count number of ints
   * @param seed unsigned 64-bit
   * @throws IndexOutOfBoundsException if the slice is not inside the array
   */
  public static long hash(final int[] ints, final int index, final int count, final long seed) {
    return hash(ints, index, count, HashSeed.of(seed));
  }

  /**
   * Hashes ints as four little-endian bytes each. Allocates only on a big-endian machine.
   *
   * @param index first int
   * @param count number of ints
   * @throws IndexOutOfBoundsException if the slice is not inside the array
   */
  public static long hash(final int[] ints, final int index, final int count, final HashSeed seed) {
    Ranges.check("ints", index, count, ints.length);
    if (!Mix.LITTLE) {
      final byte[] bytes = SwappedInts.copy(ints, INTS_BASE + ((long) index << 2), count);
      return hashAt(bytes, BYTES_BASE, bytes.length, seed);
    }
    return hashAt(ints, INTS_BASE + ((long) index << 2), (long) count << 2, seed);
  }

  /**
   * Hashes a slice of a buffer.
   *
   * @param seed unsigned 64-bit
   * @throws IndexOutOfBoundsException if the slice is not inside the buffer's capacity
   */
  public static long hash(
      final DirectBuffer buffer, final int offset, final int length, final long seed) {
    return hash(buffer, offset, length, HashSeed.of(seed));
  }

  /**
   * Hashes a slice of a buffer.
   *
   * @throws IndexOutOfBoundsException if the slice is not inside the buffer's capacity
   */
  public static long hash(
      final DirectBuffer buffer, final int offset, final int length, final HashSeed seed) {
    Ranges.check("bytes", offset, length, buffer.capacity());
    return hashAt(buffer.byteArray(), buffer.addressOffset() + offset, length, seed);
  }

  /**
   * Hashes bytes of a byte buffer from the absolute {@code offset} on; its position and byte order
   * do not matter.
   *
   * @param seed unsigned 64-bit
   * @throws IndexOutOfBoundsException if the slice is not below the buffer's limit
   */
  public static long hash(
      final ByteBuffer buffer, final int offset, final int length, final long seed) {
    return hash(buffer, offset, length, HashSeed.of(seed));
  }

  /**
   * Hashes bytes of a byte buffer from the absolute {@code offset} on; its position and byte order
   * do not matter.
   *
   * @throws IndexOutOfBoundsException if the slice is not below the buffer's limit
   */
  public static long hash(
      final ByteBuffer buffer, final int offset, final int length, final HashSeed seed) {
    Ranges.check("bytes", offset, length, buffer.limit());
    RuntimeAccess.check();
    if (buffer.isDirect()) {
      return hashAt(null, BufferUtil.address(buffer) + offset, length, seed);
    }
    final long start = BYTES_BASE + BufferUtil.arrayOffset(buffer);
    return hashAt(BufferUtil.array(buffer), start + offset, length, seed);
  }

  /**
   * Hashes bytes of a region.
   *
   * @param seed unsigned 64-bit
   * @throws IndexOutOfBoundsException as the other variant
   */
  public static long hash(
      final Region region, final long offset, final int length, final long seed) {
    return hash(region, offset, length, HashSeed.of(seed));
  }

  /**
   * Hashes bytes of a region. Allocates a copy if the range crosses a slab, which can happen once
   * in a gibibyte.
   *
   * @throws IndexOutOfBoundsException if the length is negative or, in checked mode, if the slice
   *     is not inside the region
   */
  public static long hash(
      final Region region, final long offset, final int length, final HashSeed seed) {
    Ranges.check("bytes", 0, length, Integer.MAX_VALUE);
    region.checkRange(offset, length);
    if (region.contiguousLength(offset) < length) {
      final byte[] copy = new byte[length];
      for (int i = 0; i < length; i++) {
        copy[i] = region.getByte(offset + i);
      }
      return hashAt(copy, BYTES_BASE, length, seed);
    }
    return hashAt(null, region.addressOf(offset, length), length, seed);
  }

  /** Hashes memory that the caller has verified. */
  static long hashAt(final Object base, final long at, final long length, final HashSeed seed) {
    RuntimeAccess.check();
    return length <= ShortXxh3.MAX_LENGTH
        ? ShortXxh3.hash(base, at, (int) length, seed)
        : LongXxh3.hash(base, at, length, seed.words);
  }
}
