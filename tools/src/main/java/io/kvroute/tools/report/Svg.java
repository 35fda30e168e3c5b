package io.kvroute.tools.report;

import io.kvroute.tools.io.Decimals;

/**
 * Writes one SVG picture. Coordinates are rounded to tenths by whole-number arithmetic, so the same
 * picture has the same bytes everywhere.
 */
final class Svg {
  private static final int TENTHS = 10;

  private final StringBuilder text = new StringBuilder();

  /** Begins a picture of a size in units, which the page scales; {@code label} tells what it is. */
  Svg(final int width, final int height, final String label) {
    text.append("<svg viewBox=\"0 0 ").append(width).append(' ').append(height);
    text.append("\" role=\"img\" aria-label=\"").append(escape(label)).append("\">\n");
  }

  /** Text as it is written in HTML and SVG. */
  static String escape(final String raw) {
    final StringBuilder out = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      final char c = raw.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  static String number(final double value) {
    final long tenths = Math.round(value * TENTHS);
    final String digits = Decimals.ratio(Math.abs(tenths), TENTHS, 1);
    final String shorter =
        digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits;
    return tenths < 0 ? '-' + shorter : shorter;
  }

  Svg line(final String style, final double x1, final double y1, final double x2, final double y2) {
    text.append("<line class=\"").append(style);
    text.append("\" x1=\"").append(number(x1)).append("\" y1=\"").append(number(y1));
    text.append("\" x2=\"").append(number(x2)).append("\" y2=\"").append(number(y2));
    text.append("\"/>\n");
    return this;
  }

  Svg bar(final String style, final double x, final double y, final double w, final double h) {
    text.append("<rect class=\"").append(style);
    text.append("\" x=\"").append(number(x)).append("\" y=\"").append(number(y));
    text.append("\" width=\"").append(number(w)).append("\" height=\"").append(number(h));
    text.append("\"/>\n");
    return this;
  }

  /** Text that ends, begins or is centred at {@code x}: the style says which. */
  Svg label(final String style, final double x, final double y, final String label) {
    text.append("<text class=\"").append(style);
    text.append("\" x=\"").append(number(x)).append("\" y=\"").append(number(y));
    text.append("\">").append(escape(label)).append("</text>\n");
    return this;
  }

  /** Text that reads upwards, centred at a point. */
  Svg upwards(final String style, final double x, final double y, final String label) {
    final String at = number(x) + ' ' + number(y);
    text.append("<text class=\"").append(style).append("\" transform=\"translate(").append(at);
    text.append(") rotate(-90)\">").append(escape(label)).append("</text>\n");
    return this;
  }

  /** A line through points; {@code title} appears when the mouse rests on it. */
  Svg path(final String style, final double[] xs, final double[] ys, final String title) {
    text.append("<path class=\"").append(style).append("\" d=\"");
    for (int i = 0; i < xs.length; i++) {
      text.append(i == 0 ? "M" : "L").append(number(xs[i])).append(' ').append(number(ys[i]));
    }
    text.append("\"><title>").append(escape(title)).append("</title></path>\n");
    return this;
  }

  /** Ends the picture. */
  String end() {
    return text.append("</svg>\n").toString();
  }
}
