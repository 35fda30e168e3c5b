package io.kvroute.tools.report;

import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.sim.PolicyKind;
import io.kvroute.tools.sim.SimulationResult;
import io.kvroute.tools.sim.SimulationResult.WorkerResult;
import io.kvroute.tools.sim.SimulationSettings;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Policies compared, as a page of HTML with SVG pictures: one file that loads nothing, reads on a
 * laptop and in print, and needs no colour, since each policy has a dash pattern too.
 */
public final class ComparisonPage {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final String traceName;
  private final List<SimulationResult> results;
  private final SimulationResult first;
  private final ComparisonCharts charts;
  private final StringBuilder html = new StringBuilder();

  /** A page of at least one result; all have the same trace and cluster. */
  public ComparisonPage(final String traceName, final List<SimulationResult> results) {
    this.traceName = traceName;
    this.results = results;
    first = results.get(0);
    charts = new ComparisonCharts(results);
  }

  /** The page. */
  public String toHtml() {
    html.append(HtmlPage.begin("Routing policies compared"));
    header();
    table();
    pictures();
    settings();
    html.append(HtmlPage.end());
    return html.toString();
  }

  private void header() {
    final SimulationSettings settings = first.settings();
    html.append("<header>\n<h1>Routing policies compared</h1>\n<p class=\"lead\">");
    html.append(Decimals.grouped(first.trace().size())).append(" requests of <b>");
    html.append(Svg.escape(traceName)).append("</b> over ");
    html.append(Decimals.grouped(settings.workers())).append(" simulated workers. Offered load: ");
    html.append(SimulationText.offeredLoad(first));
    html.append(" of what the workers could prefill while requests arrived, without any cache. ");
    html.append("One infinite cache over all workers would have held ");
    html.append(Decimals.percent(first.trace().bestPossibleTokens(), first.trace().inputTokens()));
    html.append(" of the input.</p>\n<p class=\"lead\">Highest hit ratio: <b>");
    final SimulationResult hits = best(result -> -hitPerMillion(result));
    html.append(hits.kind().label()).append("</b>, ").append(hitRatio(hits));
    html.append(". Lowest 90th percentile of time to first token: <b>");
    final SimulationResult fast = best(result -> result.timeToFirstToken().perMille(900));
    html.append(fast.kind().label()).append("</b>, ");
    html.append(SimulationText.seconds(fast.timeToFirstToken().perMille(900)));
    html.append(" s.</p>\n</header>\n");
  }

  private SimulationResult best(final ToLongFunction<SimulationResult> figure) {
    SimulationResult best = first;
    for (final SimulationResult result : results) {
      best = figure.applyAsLong(result) < figure.applyAsLong(best) ? result : best;
    }
    return best;
  }

  private static long hitPerMillion(final SimulationResult result) {
    return Long.parseLong(
        Decimals.ratio(
            result.sum(WorkerResult::hitTokens) * 1_000_000,
            result.sum(WorkerResult::inputTokens),
            0));
  }

  private static String hitRatio(final SimulationResult result) {
    return Decimals.percent(
        result.sum(WorkerResult::hitTokens), result.sum(WorkerResult::inputTokens));
  }

  // ------ figures

  private void table() {
    html.append("<table class=\"figures\">\n<thead>\n<tr><th rowspan=\"2\">policy</th>");
    html.append("<th rowspan=\"2\">hit ratio</th><th colspan=\"3\">time to first token, s</th>");
    html.append("<th colspan=\"3\">end to end, s</th><th rowspan=\"2\">output tokens/s</th>");
    html.append("<th rowspan=\"2\">waited in router</th><th rowspan=\"2\">imbalance</th>");
    html.append("<th rowspan=\"2\">retrac&shy;tions</th></tr>\n<tr>");
    html.append("<th>p50</th><th>p90</th><th>p99</th>".repeat(2)).append("</tr>\n</thead>\n");
    html.append("<tbody>\n");
    for (final SimulationResult result : results) {
      html.append("<tr><th>").append(key(result.kind())).append("</th>");
      cell(result, each -> -hitPerMillion(each), ComparisonPage::hitRatio);
      for (final int perMille : new int[] {500, 900, 990}) {
        duration(result, each -> each.timeToFirstToken().perMille(perMille));
      }
      for (final int perMille : new int[] {500, 900, 990}) {
        duration(result, each -> each.endToEnd().perMille(perMille));
      }
      html.append("<td>").append(outputRate(result)).append("</td>");
      cell(result, SimulationResult::parked, each -> Decimals.grouped(each.parked()));
      html.append("<td>").append(SimulationText.imbalance(result)).append("</td>");
      cell(
          result,
          each -> each.sum(WorkerResult::retractions),
          each -> Decimals.grouped(each.sum(WorkerResult::retractions)));
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table>\n<p class=\"note\">The best of a column is bold. All figures ");
    html.append(
        "are in virtual time and the same in every run. Imbalance is the busy time of the ");
    html.append("busiest worker over the mean.</p>\n");
  }

  private static String outputRate(final SimulationResult result) {
    return SimulationFields.perSecond(result.answeredTokens(), result, 1);
  }

  private void duration(
      final SimulationResult result, final ToLongFunction<SimulationResult> figure) {
    cell(result, figure, each -> SimulationText.seconds(figure.applyAsLong(each)));
  }

  private void cell(
      final SimulationResult result,
      final ToLongFunction<SimulationResult> lowerIsBetter,
      final Function<SimulationResult, String> text) {
    final long lowest = lowerIsBetter.applyAsLong(best(lowerIsBetter));
    final boolean differ =
        results.stream().anyMatch(each -> lowerIsBetter.applyAsLong(each) != lowest);
    final boolean wins = differ && lowerIsBetter.applyAsLong(result) == lowest;
    html.append(wins ? "<td class=\"best\">" : "<td>").append(text.apply(result));
    html.append("</td>");
  }

  /** The line of a policy as it is in the pictures, then its name. */
  private static String key(final PolicyKind kind) {
    return "<svg class=\"key\" viewBox=\"0 0 34 10\" aria-hidden=\"true\"><path class=\"series "
        + kind.label()
        + "\" d=\"M1 5L33 5\"/></svg>"
        + kind.label();
  }

  // ------ pictures

  private void pictures() {
    figure(
        "Time to first token by percentile",
        "Lower is better. To the right are the slowest requests: one in ten is beyond p90, one in"
            + " a hundred beyond p99.",
        legend() + charts.timeToFirstToken());
    figure(
        "Hit ratio over time",
        "Share of the prompt tokens that were found in the worker's cache, by the time at which"
            + " their prefill began.",
        legend() + charts.hitRatio());
    final StringBuilder panels = new StringBuilder("<div class=\"panels\">\n");
    for (final SimulationResult result : results) {
      panels.append("<div><h3>").append(key(result.kind())).append("</h3>\n");
      panels.append(charts.load(result)).append("</div>\n");
    }
    figure(
        "Load per worker over time",
        "Requests that a worker has been given and not yet answered. "
            + charts.loadLegend()
            + " The scale is the same for all policies.",
        panels.append("</div>\n").toString());
    figure(
        "Decision latency",
        "How long a decision took: hash the prompt, look it up, choose, book. This is real time of"
            + " the machine that ran the simulation and differs from run to run; the share of"
            + " decisions is per tenth of a decade.",
        legend() + charts.decisionLatency() + decisionTable());
  }

  private void figure(final String title, final String caption, final String content) {
    html.append("<figure>\n<h2>").append(title).append("</h2>\n<figcaption>").append(caption);
    html.append("</figcaption>\n").append(content).append("</figure>\n");
  }

  private String legend() {
    final StringBuilder legend = new StringBuilder("<p class=\"legend\">");
    for (final SimulationResult result : results) {
      legend.append("<span>").append(key(result.kind())).append("</span> ");
    }
    return legend.append("</p>\n").toString();
  }

  private String decisionTable() {
    final StringBuilder table =
        new StringBuilder("<table class=\"figures\">\n<thead><tr><th>policy</th>");
    table.append("<th>decisions per second</th><th>p50</th><th>p99</th><th>p99.9</th></tr>");
    table.append("</thead>\n<tbody>\n");
    for (final SimulationResult result : results) {
      table.append("<tr><th>").append(key(result.kind())).append("</th><td>");
      table.append(Decimals.grouped(Long.parseLong(SimulationFields.decisionsPerSecond(result))));
      for (final double percentile : new double[] {50, 99, 99.9}) {
        final long nanos = result.decisionNanos().getValueAtPercentile(percentile);
        table.append("</td><td>").append(realTime(nanos));
      }
      table.append("</td></tr>\n");
    }
    return table.append("</tbody>\n</table>\n").toString();
  }

  private static String realTime(final long nanos) {
    return nanos < NANOS_PER_MILLI
        ? Decimals.ratio(nanos, 1_000, 1) + " \u00b5s"
        : Decimals.ratio(nanos, NANOS_PER_MILLI, 1) + " ms";
  }

  // ------ settings

  private void settings() {
    final SimulationSettings settings = first.settings();
    html.append("<section>\n<h2>What was simulated</h2>\n<table class=\"settings\">\n<tbody>\n");
    setting(
        "trace",
        Svg.escape(traceName) + ", at " + settings.speed().toPlainString() + " times its speed");
    setting(
        "tokens",
        Decimals.grouped(first.trace().inputTokens())
            + " of prompts, "
            + Decimals.grouped(first.trace().outputTokens())
            + " of answers");
    setting(
        "cache of a worker",
        Decimals.grouped(settings.poolTokens())
            + " tokens in pages of "
            + Decimals.grouped(settings.pageSize()));
    setting("prefill", Decimals.grouped(settings.prefillRate()) + " tokens per second and worker");
    setting(
        "decoding",
        millis(settings.decodeStepNs())
            + " ms a step and "
            + millis(settings.decodeRequestNs())
            + " ms for each request in it");
    setting(
        "batch",
        "at most "
            + Decimals.grouped(settings.maxBatch())
            + " requests, "
            + Decimals.grouped(settings.chunkTokens())
            + " tokens of prompts a step");
    setting("events", "reach the router after " + millis(settings.eventDelayNs()) + " ms");
    setting(
        "router queue",
        settings.queueClasses() != null
            ? settings.queueClasses().classCount() + " classes of a policy file"
            : Double.isNaN(settings.queueThreshold())
                ? "none"
                : "while every worker has more than "
                    + Axis.plain(settings.queueThreshold())
                    + " chunks of prefill to do");
    setting("seed", Long.toString(settings.seed()));
    html.append("</tbody>\n</table>\n</section>\n");
  }

  private static String millis(final long nanos) {
    return Axis.plain(nanos / 1e6);
  }

  private void setting(final String name, final String value) {
    html.append("<tr><th>").append(name).append("</th><td>").append(value).append("</td></tr>\n");
  }
}
