package io.kvroute.tools.report;

import io.kvroute.index.IndexShape;
import io.kvroute.index.IndexShape.Prefix;
import io.kvroute.index.IndexShape.RankShare;
import io.kvroute.index.IndexShape.Structure;
import io.kvroute.index.SnapshotInfo;
import io.kvroute.tools.io.Decimals;
import java.util.List;

/** A snapshot as text for people; at most 100 columns. */
public final class SnapshotText {
  private static final int BAR = 40;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private SnapshotText() {}

  /** The text. */
  public static String of(final SnapshotReport report) {
    final SnapshotInfo info = report.info();
    final IndexShape shape = report.shape();
    final StringBuilder text = new StringBuilder("Snapshot ").append(report.file()).append("\n\n");
    line(
        text,
        "file bytes",
        info.fileBytes(),
        Decimals.ratio(info.fileBytes(), info.blocks(), 2) + " per block");
    line(
        text,
        "blocks",
        info.blocks(),
        "room for " + Decimals.grouped(info.blockCapacity()) + " in the index that was written");
    line(
        text,
        "held blocks",
        info.heldBlocks(),
        Decimals.ratio(info.heldBlocks(), info.blocks(), 2)
            + " per block, over all ranks and tiers");
    line(
        text,
        "edges",
        info.edges(),
        Decimals.grouped(shape.leaves())
            + " of them end a path; the longest has "
            + Decimals.grouped(shape.maxDepth())
            + " blocks");
    line(
        text,
        "ranks",
        info.ranks(),
        "of "
            + Decimals.grouped(report.workers())
            + " workers; "
            + Decimals.grouped(report.approximateRanks())
            + " approximate");
    line(text, "own names", info.ownNames(), "where a rank names a block otherwise than others");
    line(text, "restored in ms", report.restoreNanos() / NANOS_PER_MILLI, "with all checks");
    histogram(text, "paths by length in blocks", shape.depths());
    histogram(text, "edges by length in blocks", shape.lengths());
    histogram(text, "edges and the root by number of children", shape.fanOuts());
    histogram(text, "blocks by number of ranks that hold them", shape.holders());
    prefixes(text, shape.prefixes());
    ranks(text, shape.ranks(), info.heldBlocks());
    bytes(text, report);
    return text.toString();
  }

  private static void line(
      final StringBuilder text, final String name, final long figure, final String rest) {
    text.append(padded(name, 16)).append(aligned(Decimals.grouped(figure), 15));
    text.append("   ").append(rest).append('\n');
  }

  private static void histogram(
      final StringBuilder text, final String title, final List<Long> counts) {
    final long sum = counts.stream().mapToLong(Long::longValue).sum();
    text.append('\n').append(title).append('\n');
    for (int i = 0; i < counts.size(); i++) {
      final long count = counts.get(i);
      if (count != 0) {
        text.append(aligned(range(i), 19)).append(aligned(Decimals.grouped(count), 15));
        text.append(aligned(Decimals.percent(count, sum), 10));
        text.append(bar((int) (count * BAR / sum))).append('\n');
      }
    }
  }

  private static String bar(final int length) {
    return length == 0 ? "" : "  " + "#".repeat(length);
  }

  /** The numbers that a bucket counts. */
  static String range(final int bucket) {
    final long from = SnapshotReport.bucketFrom(bucket);
    final long to = SnapshotReport.bucketTo(bucket);
    return from == to
        ? Decimals.grouped(from)
        : Decimals.grouped(from) + '-' + Decimals.grouped(to);
  }

  private static void prefixes(final StringBuilder text, final List<Prefix> prefixes) {
    if (prefixes.isEmpty()) {
      return;
    }
    text.append("\nprefixes by blocks times ranks\n");
    text.append("         blocks     ranks          weight   local hash of the last block\n");
    for (final Prefix prefix : prefixes) {
      text.append(aligned(Decimals.grouped(prefix.blocks()), 15));
      text.append(aligned(Decimals.grouped(prefix.holders()), 10));
      text.append(aligned(Decimals.grouped(prefix.weight()), 16));
      text.append("   ").append(Long.toUnsignedString(prefix.lastLocal())).append('\n');
    }
  }

  private static void ranks(
      final StringBuilder text, final List<RankShare> ranks, final long heldBlocks) {
    if (ranks.isEmpty()) {
      return;
    }
    text.append("\n              worker  dp rank       held     share      device        host");
    text.append("        disk    external\n");
    for (final RankShare rank : ranks) {
      text.append(aligned(Long.toUnsignedString(rank.workerId()), 20));
      text.append(aligned(Integer.toUnsignedString(rank.dpRank()), 9));
      text.append(aligned(plain(rank.held()), 11));
      text.append(aligned(Decimals.percent(rank.held(), heldBlocks), 10));
      text.append(aligned(plain(rank.device()), 12)).append(aligned(plain(rank.hostPinned()), 12));
      text.append(aligned(plain(rank.disk()), 12)).append(aligned(plain(rank.external()), 12));
      text.append(rank.approximate() ? " ~\n" : "\n");
    }
    if (ranks.stream().anyMatch(RankShare::approximate)) {
      text.append("~ approximate: it may hold more, which was evicted here or did not fit\n");
    }
  }

  private static String plain(final long count) {
    return Long.toString(count);
  }

  private static void bytes(final StringBuilder text, final SnapshotReport report) {
    final long used = report.usedBytes();
    text.append("\nbytes in memory\n");
    for (final Structure structure : report.shape().structures()) {
      text.append(aligned(structure.name().replace('_', ' '), 20));
      text.append(aligned(Decimals.grouped(structure.usedBytes()), 15));
      text.append(aligned(Decimals.percent(structure.usedBytes(), used), 10)).append('\n');
    }
    text.append(aligned("used", 20)).append(aligned(Decimals.grouped(used), 15)).append("   ");
    text.append(Decimals.ratio(used, report.info().blocks(), 1)).append(" per block\n");
    text.append(aligned("reserved", 20));
    text.append(aligned(Decimals.grouped(report.reservedBytes()), 15));
    text.append("   by the capacities of the index that was written\n");
  }

  private static String padded(final String text, final int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String aligned(final String text, final int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }
}
