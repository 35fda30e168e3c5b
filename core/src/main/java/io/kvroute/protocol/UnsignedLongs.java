package io.kvroute.protocol;

import java.util.Arrays;
import java.util.Objects;

/** An immutable list of unsigned 64-bit numbers, eight bytes each. */
public final class UnsignedLongs {
  private static final UnsignedLongs EMPTY = new UnsignedLongs(new long[0]);

  private final long[] values;

  private UnsignedLongs(final long[] values) {
    this.values = values;
  }

  /** A list of the given numbers; the array is copied. */
  public static UnsignedLongs of(final long... values) {
    return values.length == 0 ? EMPTY : new UnsignedLongs(values.clone());
  }

  /**
   * A list of a slice; it is copied.
   *
   * @throws IndexOutOfBoundsException if the slice is not inside the array
   */
  public static UnsignedLongs copyOf(final long[] values, final int index, final int count) {
    Objects.checkFromIndexSize(index, count, values.length);
    return count == 0 ? EMPTY : new UnsignedLongs(Arrays.copyOfRange(values, index, index + count));
  }

  /** How many numbers there are. */
  public int size() {
    return values.length;
  }

  /** True if there are none. */
  public boolean isEmpty() {
    return values.length == 0;
  }

  /**
   * The number at an index.
   *
   * @throws ArrayIndexOutOfBoundsException if there is none
   */
  public long get(final int index) {
    return values[index];
  }

  /** A new array of the numbers. */
  public long[] toArray() {
    return values.clone();
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof UnsignedLongs that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    final StringBuilder text = new StringBuilder(2 + values.length * 21).append('[');
    for (int i = 0; i < values.length; i++) {
      text.append(i == 0 ? "" : ", ").append(Long.toUnsignedString(values[i]));
    }
    return text.append(']').toString();
  }
}
