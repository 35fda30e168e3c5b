package io.kvroute.hash;

import io.kvroute.memory.RuntimeAccess;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A re-usable window over a prompt's tokens, wherever they are: an {@code int[]}, an Agrona buffer,
 * or a direct or heap {@link ByteBuffer}, at any alignment. In buffers a token is a little-endian
 * unsigned 32-bit number; in an array it is an {@code int} with the same bits.
 *
 * <p>Wrapping copies nothing and allocates nothing. The caller keeps the backing memory alive and
 * unchanged while the view is in use. Not thread-safe while being wrapped; reads afterwards are.
 */
public final class TokenView {
  private static final long INTS_BASE = RuntimeAccess.arrayBaseOffset(int[].class);
  private static final long BYTES_BASE = RuntimeAccess.arrayBaseOffset(byte[].class);

  private final UnsafeBuffer buffer;
  private Object base;
  private long address;
  private int count;
  private boolean intArray;

  /** Makes an empty view. */
  public TokenView() {
    RuntimeAccess.check();
    buffer = new UnsafeBuffer(0, 0);
  }

  /** Makes a view over a whole array. */
  public static TokenView of(final int... tokens) {
    return new TokenView().wrap(tokens, 0, tokens.length);
  }

  /**
   * Shows {@code count} tokens of an array from {@code index} on.
   *
   * @throws IndexOutOfBoundsException if the slice is not inside the array
   */
  public TokenView wrap(final int[] tokens, final int index, final int count) {
    if ((index | count) < 0 || index > tokens.length - count) {
      throw outOfBounds("index", index, count, tokens.length);
    }
    set(tokens, INTS_BASE + ((long) index << 2), count, true);
    return this;
  }

  /**
   * Shows {@code count} tokens of a buffer from the byte {@code offset} on.
   *
   * @throws IndexOutOfBoundsException if they are not inside the buffer
   */
  public TokenView wrap(final DirectBuffer tokens, final int offset, final int count) {
    if ((offset | count) < 0 || offset > tokens.capacity() - ((long) count << 2)) {
      throw outOfBounds("offset", offset, count, tokens.capacity());
    }
    set(tokens.byteArray(), tokens.addressOffset() + offset, count, false);
    return this;
  }

  /**
   * Shows {@code count} tokens of a byte buffer from the absolute byte {@code offset} on; position
   * and byte order of the buffer do not matter, its limit bounds the range.
   *
   * @throws IndexOutOfBoundsException if they are not below the limit
   */
  public TokenView wrap(final ByteBuffer tokens, final int offset, final int count) {
    if ((offset | count) < 0 || offset > tokens.limit() - ((long) count << 2)) {
      throw outOfBounds("offset", offset, count, tokens.limit());
    }
    buffer.wrap(tokens);
    set(buffer.byteArray(), buffer.addressOffset() + offset, count, false);
    return this;
  }

  private void set(
      final Object newBase, final long newAddress, final int newCount, final boolean array) {
    base = newBase;
    address = newAddress;
    count = newCount;
    intArray = array;
  }

  private static IndexOutOfBoundsException outOfBounds(
      final String what, final int at, final int count, final int capacity) {
    return new IndexOutOfBoundsException(
        "tokens out of bounds: " + what + '=' + at + " count=" + count + " capacity=" + capacity);
  }

  /** Number of tokens. */
  public int count() {
    return count;
  }

  /** Copies tokens as little-endian bytes to the start of {@code out}; the caller checked both. */
  void copyBytes(final long first, final long tokenCount, final byte[] out) {
    final long from = address + (first << 2);
    if (!Mix.LITTLE && intArray) {
      UnsafeApi.copySwapMemory(base, from, out, BYTES_BASE, tokenCount << 2, Integer.BYTES);
    } else {
      UnsafeApi.copyMemory(base, from, out, BYTES_BASE, tokenCount << 2);
    }
  }

  Object base() {
    return base;
  }

  long address() {
    return address;
  }

  /** True if tokens are ints of an array, in native order, and not little-endian bytes. */
  boolean isIntArray() {
    return intArray;
  }
}
