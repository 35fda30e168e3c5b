package io.kvroute.tools.report;

import io.kvroute.tools.io.Decimals;
import java.util.ArrayList;
import java.util.List;

/** A picture of horizontal bars, each with a name before it and its figure behind it. */
final class BarPicture {
  private static final int ROW = 22;
  private static final int BAR = 14;
  private static final int FIGURE = 150;

  private final int width;
  private final int nameWidth;
  private final String label;
  private final List<Row> rows = new ArrayList<>();

  private record Row(String name, long value) {}

  /** An empty picture; {@code label} says what it is, to whom cannot see it. */
  BarPicture(final int width, final int nameWidth, final String label) {
    this.width = width;
    this.nameWidth = nameWidth;
    this.label = label;
  }

  BarPicture add(final String name, final long value) {
    rows.add(new Row(name, value));
    return this;
  }

  /** The picture; the longest bar fills the room, and figures tell the share of all. */
  String end() {
    final long most = rows.stream().mapToLong(Row::value).max().orElse(0);
    final long sum = rows.stream().mapToLong(Row::value).sum();
    final Svg svg = new Svg(width, Math.max(1, rows.size()) * ROW, label);
    for (int i = 0; i < rows.size(); i++) {
      final Row row = rows.get(i);
      final double top = i * (double) ROW;
      final double length =
          most == 0 ? 0 : (width - nameWidth - FIGURE) * (double) row.value / most;
      svg.label("tick end", nameWidth - 8, top + BAR, row.name);
      svg.bar("bar", nameWidth, top + 3, length, BAR);
      svg.label(
          "tick",
          nameWidth + length + 8,
          top + BAR,
          Decimals.grouped(row.value) + " (" + Decimals.percent(row.value, sum) + ")");
    }
    return svg.end();
  }
}
