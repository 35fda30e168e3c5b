package io.kvroute.tools.report;

import io.kvroute.tools.io.Decimals;
import java.util.ArrayList;
import java.util.List;

/** Maps values to a share of an axis, 0 to 1, and says where its marks are. */
final class Axis {
  private static final double NINES = 3;

  private final String title;
  private final double low;
  private final double high;
  private final boolean logarithmic;
  private final List<Mark> marks = new ArrayList<>();

  /** A labelled place on the axis. */
  record Mark(double share, String label) {}

  private Axis(final String title, final double low, final double high, final boolean logarithmic) {
    this.title = title;
    this.low = low;
    this.high = high;
    this.logarithmic = logarithmic;
  }

  /**
   * From 0 to a round number of at least {@code max}.
   *
   * @param suffix of the marks' labels, such as " %"
   */
  static Axis linear(final String title, final double max, final String suffix) {
    final double step = step(max);
    final long steps = Math.max(1, (long) Math.ceil(max / step - 1e-9));
    final Axis axis = new Axis(title, 0, step * steps, false);
    for (long i = 0; i <= steps; i++) {
      axis.mark(step * i, plain(step * i) + suffix);
    }
    return axis;
  }

  /** From 0 to {@code max} exactly, as for time; marks are round numbers. */
  static Axis exact(final String title, final double max) {
    final double step = step(max);
    final Axis axis = new Axis(title, 0, Math.max(max, step * 1e-6), false);
    for (long i = 0; step * i <= max * (1 + 1e-9); i++) {
      axis.mark(step * i, plain(step * i));
    }
    return axis;
  }

  /** Durations in nanoseconds, logarithmic; from below {@code min} to above {@code max}. */
  static Axis durations(final String title, final double min, final double max) {
    final double low = Math.max(1, min);
    double bottom = 1;
    while (bottom * 10 <= low) {
      bottom *= 10;
    }
    // Three marks a decade if there are few decades, else one.
    final boolean fine = max / bottom < 2_000;
    while (fine && next125(bottom) <= low) {
      bottom = next125(bottom);
    }
    double top = bottom;
    while (top < max || top <= bottom) {
      top = fine ? next125(top) : top * 10;
    }
    final Axis axis = new Axis(title, bottom, top, true);
    for (double value = bottom; value <= axis.high * (1 + 1e-9); ) {
      axis.mark(value, duration(value));
      value = fine ? next125(value) : value * 10;
    }
    return axis;
  }

  /** The next of 1, 2, 5 times a power of ten, from one of them on. */
  private static double next125(final double value) {
    final double decade = decade(value);
    return Math.round(value / decade) == 2 ? decade * 5 : value * 2;
  }

  private static double decade(final double value) {
    double decade = 1;
    while (decade * 10 <= value * (1 + 1e-9)) {
      decade *= 10;
    }
    return decade;
  }

  /** Percentiles, stretched towards 100, by their number of nines: p90 is 1, p99 is 2. */
  static Axis percentiles(final String title) {
    final Axis axis = new Axis(title, 0, NINES, false);
    final double[] nines = {0, 1 - StrictMath.log10(5), 1, 2, NINES};
    final String[] labels = {"lowest", "p50", "p90", "p99", "p99.9"};
    for (int i = 0; i < nines.length; i++) {
      axis.mark(nines[i], labels[i]);
    }
    return axis;
  }

  private void mark(final double value, final String label) {
    marks.add(new Mark(share(value), label));
  }

  /** The smallest of 1, 2, 5 times a power of ten that makes at most six steps. */
  private static double step(final double max) {
    double step = 1e-6;
    while (step * 6 < max) {
      step = next125(step * 1e6) / 1e6;
    }
    return step;
  }

  static String plain(final double value) {
    final String digits = Decimals.ratio(Math.round(value * 1_000_000), 1_000_000, 6);
    final String shorter = digits.replaceFirst("\\.?0+$", "");
    return shorter.length() > 3 && !shorter.contains(".")
        ? Decimals.grouped(Long.parseLong(shorter))
        : shorter.isEmpty() ? "0" : shorter;
  }

  /** A duration of round figures in its largest unit. */
  static String duration(final double nanos) {
    final String[] units = {" ns", " \u00b5s", " ms", " s"};
    double value = nanos;
    int unit = 0;
    while (value >= 999.999 && unit < units.length - 1) {
      value /= 1_000;
      unit++;
    }
    return plain(value) + units[unit];
  }

  String title() {
    return title;
  }

  List<Mark> marks() {
    return marks;
  }

  /** Where a value is: 0 at the axis' beginning, 1 at its end; values beyond stay on the axis. */
  double share(final double value) {
    final double share =
        logarithmic
            ? StrictMath.log10(Math.max(value, low) / low) / StrictMath.log10(high / low)
            : (value - low) / (high - low);
    return Math.max(0, Math.min(1, share));
  }
}
