package io.kvroute.memory;

import java.util.Locale;

/**
 * Prints the table of a binary layout, so that a test can compare it with a committed text and a
 * change of a layout is a visible change. Fails on fields that overlap, are misaligned or exceed
 * the record. For tests and documents, not for hot paths.
 */
public final class LayoutPrinter {
  private final StringBuilder text = new StringBuilder();
  private final String name;
  private final int length;
  private int end;

  /**
   * Starts a table.
   *
   * @param name of the record
   * @param length of the record in bytes
   */
  public LayoutPrinter(final String name, final int length) {
    this.name = name;
    this.length = length;
    text.append(String.format(Locale.ROOT, "%s (%d bytes)%n", name, length));
  }

  /** Adds a field; fields come in ascending order of offset. */
  public LayoutPrinter field(
      final String field, final int offset, final int width, final String meaning) {
    if (offset < end || offset + width > length || offset % Math.min(width, 8) != 0) {
      throw new IllegalStateException(
          "bad layout: record="
              + name
              + " field="
              + field
              + " offset="
              + offset
              + " width="
              + width
              + " length="
              + length
              + " previousEnd="
              + end);
    }
    if (offset > end) {
      text.append(String.format(Locale.ROOT, "  %4d %4d  (unused)%n", end, offset - end));
    }
    text.append(String.format(Locale.ROOT, "  %4d %4d  %-20s %s%n", offset, width, field, meaning));
    end = offset + width;
    return this;
  }

  /** The finished table. */
  public String print() {
    if (end < length) {
      text.append(String.format(Locale.ROOT, "  %4d %4d  (unused)%n", end, length - end));
    }
    return text.toString().replace(System.lineSeparator(), "\n");
  }
}
