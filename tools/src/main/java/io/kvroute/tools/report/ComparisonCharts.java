package io.kvroute.tools.report;

import io.kvroute.tools.sim.SimulationResult;
import io.kvroute.tools.sim.Timeline;
import java.util.Arrays;
import java.util.List;

/** The pictures of a comparison. */
final class ComparisonCharts {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 330;
  private static final int PANEL_WIDTH = 470;
  private static final int PANEL_HEIGHT = 210;
  private static final int MOST_LINES = 16;
  private static final int HIT_POINTS = 60;
  private static final int QUANTILE_POINTS = 150;
  private static final double NINES = 3;
  private static final int BINS_PER_DECADE = 10;
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<SimulationResult> results;

  ComparisonCharts(final List<SimulationResult> results) {
    this.results = results;
  }

  private static String style(final SimulationResult result) {
    return "series " + result.kind().label();
  }

  // ------ latency

  String timeToFirstToken() {
    double min = Double.MAX_VALUE;
    double max = 1;
    for (final SimulationResult result : results) {
      // The fastest tenth would stretch the axis and say nothing.
      min = Math.min(min, (double) result.timeToFirstToken().perMille(100));
      max = Math.max(max, (double) result.timeToFirstToken().perMille(999));
    }
    final Chart chart =
        new Chart(
            WIDTH,
            HEIGHT,
            Axis.percentiles("percentile of all requests"),
            Axis.durations("time to first token", min, max),
            "Time to first token by percentile, a line for each policy");
    final double[] nines = new double[QUANTILE_POINTS + 1];
    for (int i = 0; i <= QUANTILE_POINTS; i++) {
      nines[i] = i * NINES / QUANTILE_POINTS;
    }
    for (final SimulationResult result : results) {
      final double[] values = new double[nines.length];
      for (int i = 0; i < nines.length; i++) {
        final double share = 1 - StrictMath.pow(10, -nines[i]);
        values[i] = result.timeToFirstToken().perMillion((int) Math.round(share * 1_000_000));
      }
      chart.line(style(result), nines, values, result.kind().label());
    }
    return chart.end();
  }

  // ------ over time

  private double endSeconds() {
    double end = 0;
    for (final SimulationResult result : results) {
      end = Math.max(end, result.endNs() / NANOS_PER_SECOND);
    }
    return end;
  }

  String hitRatio() {
    final double[][] ratios = new double[results.size()][];
    final double[][] times = new double[results.size()][];
    double max = 0;
    for (int i = 0; i < ratios.length; i++) {
      final Timeline hits = results.get(i).hits();
      final int group = Math.max(1, (hits.intervals() + HIT_POINTS - 1) / HIT_POINTS);
      final int points = (hits.intervals() + group - 1) / group;
      ratios[i] = new double[points];
      times[i] = new double[points];
      int used = 0;
      for (int p = 0; p < points; p++) {
        final long input = sum(hits, 1, p * group, group);
        if (input > 0) {
          ratios[i][used] = 100.0 * sum(hits, 0, p * group, group) / input;
          times[i][used] = (p + 0.5) * group * hits.lengthNs() / NANOS_PER_SECOND;
          max = Math.max(max, ratios[i][used++]);
        }
      }
      ratios[i] = Arrays.copyOf(ratios[i], used);
      times[i] = Arrays.copyOf(times[i], used);
    }
    final Chart chart =
        new Chart(
            WIDTH,
            HEIGHT,
            Axis.exact("virtual time, seconds", endSeconds()),
            Axis.linear("hit ratio", Math.max(1, max), " %"),
            "Hit ratio over time, a line for each policy");
    for (int i = 0; i < ratios.length; i++) {
      chart.line(style(results.get(i)), times[i], ratios[i], results.get(i).kind().label());
    }
    return chart.end();
  }

  private static long sum(final Timeline timeline, final int row, final int from, final int count) {
    long sum = 0;
    for (int i = from; i < Math.min(from + count, timeline.intervals()); i++) {
      sum += timeline.sum(row, i);
    }
    return sum;
  }

  /** How the lines of {@link #load} are to be read. */
  String loadLegend() {
    return results.get(0).loads().rows() <= MOST_LINES
        ? "Thin: each worker; thick: their mean."
        : "Thin: the least and the most loaded worker at each moment; thick: their mean.";
  }

  /** One policy's panel; all have the same scale. */
  String load(final SimulationResult result) {
    double max = 0;
    for (final SimulationResult each : results) {
      for (int row = 0; row < each.loads().rows(); row++) {
        for (final double value : requests(each, row)) {
          max = Math.max(max, value);
        }
      }
    }
    final Timeline loads = result.loads();
    final Chart chart =
        new Chart(
            PANEL_WIDTH,
            PANEL_HEIGHT,
            Axis.exact("virtual time, seconds", endSeconds()),
            Axis.linear("requests", Math.max(1, max), ""),
            "Requests per worker over time under " + result.kind().label());
    final double[] times = new double[loads.intervals()];
    final double[] mean = new double[loads.intervals()];
    final double[] least = new double[loads.intervals()];
    final double[] most = new double[loads.intervals()];
    Arrays.fill(least, Double.MAX_VALUE);
    for (int i = 0; i < times.length; i++) {
      times[i] = (i + 0.5) * loads.lengthNs() / NANOS_PER_SECOND;
    }
    for (int row = 0; row < loads.rows(); row++) {
      final double[] requests = requests(result, row);
      for (int i = 0; i < times.length; i++) {
        mean[i] += requests[i] / loads.rows();
        least[i] = Math.min(least[i], requests[i]);
        most[i] = Math.max(most[i], requests[i]);
      }
      if (loads.rows() <= MOST_LINES) {
        chart.line("thin " + result.kind().label(), times, requests, "worker " + row);
      }
    }
    if (loads.rows() > MOST_LINES) {
      chart.line("thin " + result.kind().label(), times, least, "least loaded worker");
      chart.line("thin " + result.kind().label(), times, most, "most loaded worker");
    }
    return chart.line("mean", times, mean, "mean").end();
  }

  /** Mean number of requests of a worker in each interval; the last may be cut short. */
  private static double[] requests(final SimulationResult result, final int row) {
    final Timeline loads = result.loads();
    final double[] requests = new double[loads.intervals()];
    for (int i = 0; i < requests.length; i++) {
      final long start = i * loads.lengthNs();
      final long length = Math.max(1, Math.min(loads.lengthNs(), result.endNs() - start));
      requests[i] = (double) loads.sum(row, i) / length;
    }
    return requests;
  }

  // ------ real time

  String decisionLatency() {
    double min = Double.MAX_VALUE;
    double max = 1;
    for (final SimulationResult result : results) {
      min = Math.min(min, (double) result.decisionNanos().getMinNonZeroValue());
      max = Math.max(max, (double) result.decisionNanos().getMaxValue());
    }
    final int first = (int) StrictMath.floor(StrictMath.log10(min) * BINS_PER_DECADE);
    final int last = (int) StrictMath.ceil(StrictMath.log10(max) * BINS_PER_DECADE);
    final double[][] shares = new double[results.size()][];
    double most = 0;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = shares(results.get(i), first, last);
      most = Math.max(most, Arrays.stream(shares[i]).max().orElse(0));
    }
    final Chart chart =
        new Chart(
            WIDTH,
            HEIGHT,
            Axis.durations("real time of a decision", min, max),
            Axis.linear("share of decisions", Math.max(1, most), " %"),
            "Histogram of decision latency, a line for each policy");
    for (int i = 0; i < shares.length; i++) {
      final double[] xs = new double[shares[i].length * 2];
      final double[] ys = new double[xs.length];
      for (int bin = 0; bin < shares[i].length; bin++) {
        xs[2 * bin] = edge(first + bin);
        xs[2 * bin + 1] = edge(first + bin + 1);
        ys[2 * bin] = shares[i][bin];
        ys[2 * bin + 1] = shares[i][bin];
      }
      chart.line(style(results.get(i)), xs, ys, results.get(i).kind().label());
    }
    return chart.end();
  }

  private static double edge(final int bin) {
    return StrictMath.pow(10, (double) bin / BINS_PER_DECADE);
  }

  private static double[] shares(final SimulationResult result, final int first, final int last) {
    final double[] shares = new double[Math.max(1, last - first)];
    final long total = Math.max(1, result.decisionNanos().getTotalCount());
    long below = result.decisionNanos().getCountBetweenValues(0, Math.max(0, floor(first) - 1));
    for (int bin = 0; bin < shares.length; bin++) {
      final boolean isLast = bin == shares.length - 1;
      final long until =
          isLast
              ? result.decisionNanos().getTotalCount()
              : result.decisionNanos().getCountBetweenValues(0, floor(first + bin + 1) - 1);
      shares[bin] = 100.0 * (until - below) / total;
      below = until;
    }
    return shares;
  }

  private static long floor(final int bin) {
    return (long) StrictMath.ceil(edge(bin));
  }
}
