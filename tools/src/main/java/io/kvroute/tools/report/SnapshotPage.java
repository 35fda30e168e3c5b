package io.kvroute.tools.report;

import io.kvroute.index.IndexShape;
import io.kvroute.index.IndexShape.Prefix;
import io.kvroute.index.IndexShape.RankShare;
import io.kvroute.index.IndexShape.Structure;
import io.kvroute.index.SnapshotInfo;
import io.kvroute.tools.io.Decimals;
import java.util.Comparator;
import java.util.List;

/** A snapshot as a page of HTML with SVG pictures: one file that loads nothing. */
public final class SnapshotPage {
  private static final int WIDTH = 960;
  private static final int PANEL_WIDTH = 470;
  private static final int PANEL_NAMES = 130;
  private static final int NAMES = 240;
  private static final int MOST_RANKS = 64;

  private final SnapshotReport report;
  private final IndexShape shape;
  private final SnapshotInfo info;
  private final StringBuilder html = new StringBuilder();

  /** A page of one snapshot. */
  public SnapshotPage(final SnapshotReport report) {
    this.report = report;
    shape = report.shape();
    info = report.info();
  }

  /** The page. */
  public String toHtml() {
    html.append(HtmlPage.begin("Index snapshot"));
    header();
    histograms();
    prefixes();
    ranks();
    bytes();
    html.append(HtmlPage.end());
    return html.toString();
  }

  private void header() {
    html.append("<header>\n<h1>Index snapshot</h1>\n<p class=\"lead\"><b>");
    html.append(Svg.escape(report.file())).append("</b> holds ");
    html.append(Decimals.grouped(info.blocks())).append(" distinct blocks in ");
    html.append(Decimals.grouped(info.edges())).append(" edges, held ");
    html.append(Decimals.grouped(info.heldBlocks())).append(" times by ");
    html.append(Decimals.grouped(info.ranks())).append(" ranks of ");
    html.append(Decimals.grouped(report.workers())).append(" workers. The file has ");
    html.append(Decimals.grouped(info.fileBytes())).append(" bytes, ");
    html.append(Decimals.ratio(info.fileBytes(), info.blocks(), 2)).append(" per block. ");
    html.append("The longest path has ").append(Decimals.grouped(shape.maxDepth()));
    html.append(" blocks.</p>\n");
    if (report.approximateRanks() != 0) {
      html.append("<p class=\"lead\">").append(Decimals.grouped(report.approximateRanks()));
      html.append(
          " ranks are approximate: they may hold more, which was evicted from the index or ");
      html.append("did not fit.</p>\n");
    }
    html.append("</header>\n");
  }

  private void begin(final String title, final String caption) {
    html.append("<figure>\n<h2>").append(title).append("</h2>\n<figcaption>").append(caption);
    html.append("</figcaption>\n");
  }

  private void end() {
    html.append("</figure>\n");
  }

  private void histograms() {
    begin("Shape", "Each bucket reaches to twice the one before.");
    html.append("<div class=\"panels\">\n");
    panel("Paths by length in blocks", shape.depths());
    panel("Edges by length in blocks", shape.lengths());
    panel("Edges and the root by number of children", shape.fanOuts());
    panel("Blocks by number of ranks that hold them", shape.holders());
    html.append("</div>\n");
    end();
  }

  private void panel(final String title, final List<Long> counts) {
    final BarPicture picture = new BarPicture(PANEL_WIDTH, PANEL_NAMES, title);
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) != 0) {
        picture.add(SnapshotText.range(i), counts.get(i));
      }
    }
    html.append("<div><h3>").append(title).append("</h3>\n").append(picture.end());
    html.append("</div>\n");
  }

  private void prefixes() {
    begin(
        "Prefixes by blocks times ranks",
        "What is shared most: a long beginning of prompts that many ranks hold. None of these"
            + " begins with another one.");
    html.append("<table class=\"figures\">\n<thead><tr><th>blocks</th><th>ranks</th>");
    html.append("<th>weight</th><th>first local hash</th><th>last local hash</th></tr></thead>\n");
    html.append("<tbody>\n");
    for (final Prefix prefix : shape.prefixes()) {
      html.append("<tr><th>").append(Decimals.grouped(prefix.blocks()));
      html.append("</th><td>").append(Decimals.grouped(prefix.holders()));
      html.append("</td><td>").append(Decimals.grouped(prefix.weight()));
      html.append("</td><td>").append(Long.toUnsignedString(prefix.firstLocal()));
      html.append("</td><td>")
          .append(Long.toUnsignedString(prefix.lastLocal()))
          .append("</td></tr>\n");
    }
    html.append("</tbody>\n</table>\n");
    end();
  }

  private void ranks() {
    final List<RankShare> most =
        shape.ranks().stream()
            .sorted(Comparator.comparingLong(RankShare::held).reversed())
            .limit(MOST_RANKS)
            .toList();
    begin(
        "Ranks by what they hold",
        "Blocks, over all tiers"
            + (most.size() < shape.ranks().size() ? "; the first " + MOST_RANKS + " ranks." : "."));
    final BarPicture picture = new BarPicture(WIDTH, NAMES, "Ranks by what they hold");
    for (final RankShare rank : most) {
      picture.add(
          Long.toUnsignedString(rank.workerId()) + " / " + Integer.toUnsignedString(rank.dpRank()),
          rank.held());
    }
    html.append(picture.end());
    end();
  }

  private void bytes() {
    begin(
        "Bytes in memory",
        Decimals.grouped(report.usedBytes())
            + " bytes used, "
            + Decimals.ratio(report.usedBytes(), info.blocks(), 1)
            + " per block; "
            + Decimals.grouped(report.reservedBytes())
            + " reserved by the capacities of the index that was written.");
    final BarPicture picture = new BarPicture(WIDTH, NAMES, "Bytes in memory by structure");
    for (final Structure structure : shape.structures()) {
      picture.add(structure.name().replace('_', ' '), structure.usedBytes());
    }
    html.append(picture.end());
    end();
  }
}
