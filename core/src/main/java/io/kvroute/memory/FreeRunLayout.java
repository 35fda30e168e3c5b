package io.kvroute.memory;

/**
 * What {@link RunStore} keeps inside a free run, at its start; a run that is in use has no header.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+
 *   | next   | prev   | order  | unused |
 *   +--------+--------+--------+--------+
 * </pre>
 */
final class FreeRunLayout {
  static final int NEXT = 0;
  static final int PREVIOUS = 4;
  static final int ORDER = 8;
  static final int LENGTH = 16;

  private FreeRunLayout() {}

  static String table() {
    return new LayoutPrinter("free run", LENGTH)
        .field("next", NEXT, 4, "unit of the next free run of this order, or -1")
        .field("previous", PREVIOUS, 4, "unit of the previous free run of this order, or -1")
        .field("order", ORDER, 4, "binary logarithm of the run's length in units")
        .print();
  }
}
