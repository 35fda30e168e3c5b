package io.kvroute.protocol;

import io.kvroute.hash.TokenView;
import java.util.Arrays;
import java.util.Objects;

/** An immutable list of unsigned 32-bit numbers, four bytes each. */
public final class UnsignedInts {
  private static final UnsignedInts EMPTY = new UnsignedInts(new int[0]);

  private final int[] values;

  private UnsignedInts(final int[] values) {
    this.values = values;
  }

  /** A list of the given numbers; the array is copied. */
  public static UnsignedInts of(final int... values) {
    return values.length == 0 ? EMPTY : new UnsignedInts(values.clone());
  }

  /**
   * A list of a slice; it is copied.
   *
   * @throws IndexOutOfBoundsException if the slice is not inside the array
   */
  public static UnsignedInts copyOf(final int[] values, final int index, final int count) {
    Objects.checkFromIndexSize(index, count, values.length);
    return count == 0 ? EMPTY : new UnsignedInts(Arrays.copyOfRange(values, index, index + count));
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
  public int get(final int index) {
    return values[index];
  }

  /**
   * Shows the numbers as tokens, without a copy.
   *
   * @param view that shows all of them from now on
   * @return the view
   */
  public TokenView view(final TokenView view) {
    return view.wrap(values, 0, values.length);
  }

  /** A new array of the numbers. */
  public int[] toArray() {
    return values.clone();
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof UnsignedInts that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    final StringBuilder text = new StringBuilder(2 + values.length * 12).append('[');
    for (int i = 0; i < values.length; i++) {
      text.append(i == 0 ? "" : ", ").append(Integer.toUnsignedString(values[i]));
    }
    return text.append(']').toString();
  }
}
