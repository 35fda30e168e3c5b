package io.kvroute.hash;

/** Verifies slices of arrays and buffers, with errors that carry the numbers. */
final class Ranges {
  private Ranges() {}

  /** Fails unless {@code count} elements from {@code index} on lie within {@code capacity}. */
  static void check(final String what, final long index, final long count, final long capacity) {
    if ((index | count) < 0 || index > capacity - count) {
      throw outOfBounds(what, index, count, capacity);
    }
  }

  private static IndexOutOfBoundsException outOfBounds(
      final String what, final long index, final long count, final long capacity) {
    return new IndexOutOfBoundsException(
        "range out of bounds: what="
            + what
            + " index="
            + index
            + " count="
            + count
            + " capacity="
            + capacity);
  }
}
