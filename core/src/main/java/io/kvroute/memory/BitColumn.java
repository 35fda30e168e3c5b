package io.kvroute.memory;

/**
 * An off-heap bit map of fixed length, all zero at first: a bit an entry, in words of eight bytes.
 *
 * <p>Not thread-safe. No method allocates after construction. In checked mode an index outside the
 * map's words is an {@code IndexOutOfBoundsException}.
 */
public final class BitColumn {
  private final Region words;

  /** Makes a map of {@code count} bits. */
  public BitColumn(final Arena arena, final String name, final long count) {
    words = arena.allocate(name, length(count));
  }

  /** Off-heap bytes of a map of {@code count} bits. */
  public static long length(final long count) {
    return ((count + 63) >>> 6) << 3;
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    arena.free(words);
  }

  /** The bit at an index. */
  public boolean get(final long index) {
    return (words.getLong(offset(index)) >>> index & 1) != 0;
  }

  /** Sets or clears the bit at an index. */
  public void set(final long index, final boolean value) {
    put(offset(index), 1L << index, value);
  }

  /** Sets or clears {@code count} bits from {@code first} on. */
  public void set(final long first, final long count, final boolean value) {
    final long end = first + count;
    for (long index = first; index < end; index = (index | 63) + 1) {
      put(offset(index), mask(index, end), value);
    }
  }

  /** How many of the {@code count} bits from {@code first} on are set. */
  public long count(final long first, final long count) {
    final long end = first + count;
    long sum = 0;
    for (long index = first; index < end; index = (index | 63) + 1) {
      sum += Long.bitCount(words.getLong(offset(index)) & mask(index, end));
    }
    return sum;
  }

  /** Clears the first {@code count} bits, and the others of the last word that holds one. */
  public void clear(final long count) {
    words.fill(0, length(count), (byte) 0);
  }

  private void put(final long offset, final long mask, final boolean value) {
    final long word = words.getLong(offset);
    words.putLong(offset, value ? word | mask : word & ~mask);
  }

  private static long offset(final long index) {
    return index >> 6 << 3;
  }

  /** Bits of the word that holds {@code index}, from it to the word's end or {@code end}. */
  private static long mask(final long index, final long end) {
    final long upward = -1L << index;
    return (index | 63) < end ? upward : upward & ~(-1L << end);
  }
}
