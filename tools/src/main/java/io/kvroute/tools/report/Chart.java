package io.kvroute.tools.report;

/** A picture with two axes and lines in it. */
final class Chart {
  private static final int LEFT = 74;
  private static final int RIGHT = 28;
  private static final int TOP = 14;
  private static final int BOTTOM = 46;
  private static final int LABEL_GAP = 18;

  private final int width;
  private final int height;
  private final Axis x;
  private final Axis y;
  private final Svg svg;

  /** Draws the axes; {@code label} says what the picture is, to whom cannot see it. */
  Chart(final int width, final int height, final Axis x, final Axis y, final String label) {
    this.width = width;
    this.height = height;
    this.x = x;
    this.y = y;
    svg = new Svg(width, height, label);
    for (final Axis.Mark mark : y.marks()) {
      final double at = toY(mark.share());
      svg.line("grid", LEFT, at, width - RIGHT, at);
      svg.label("tick end", LEFT - 8, at + 4, mark.label());
    }
    for (final Axis.Mark mark : x.marks()) {
      final double at = toX(mark.share());
      svg.line("grid", at, TOP, at, height - BOTTOM);
      svg.label("tick middle", at, height - BOTTOM + LABEL_GAP, mark.label());
    }
    svg.line("axis", LEFT, height - BOTTOM, width - RIGHT, height - BOTTOM);
    svg.label("title middle", (LEFT + width - RIGHT) / 2.0, height - 6, x.title());
    svg.upwards("title middle", 14, (TOP + height - BOTTOM) / 2.0, y.title());
  }

  private double toX(final double share) {
    return LEFT + share * (width - LEFT - RIGHT);
  }

  private double toY(final double share) {
    return height - BOTTOM - share * (height - TOP - BOTTOM);
  }

  /** Draws a line through points given in the axes' values. */
  Chart line(final String style, final double[] xs, final double[] ys, final String title) {
    final double[] atX = new double[xs.length];
    final double[] atY = new double[ys.length];
    for (int i = 0; i < xs.length; i++) {
      atX[i] = toX(x.share(xs[i]));
      atY[i] = toY(y.share(ys[i]));
    }
    svg.path(style, atX, atY, title);
    return this;
  }

  String end() {
    return svg.end();
  }
}
