package io.kvroute.tools.report;

import io.kvroute.index.IndexShape;
import io.kvroute.index.IndexShape.Prefix;
import io.kvroute.index.IndexShape.RankShare;
import io.kvroute.index.IndexShape.Structure;
import io.kvroute.index.SnapshotInfo;
import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.io.Fields;
import java.util.ArrayList;
import java.util.List;

/** A snapshot as one JSON object. */
public final class SnapshotFields {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private SnapshotFields() {}

  /** The object. */
  public static Fields of(final SnapshotReport report) {
    final SnapshotInfo info = report.info();
    final IndexShape shape = report.shape();
    final Fields row = new Fields().put("snapshot", report.file());
    row.put("file_bytes", info.fileBytes());
    row.putDecimal("file_bytes_per_block", Decimals.ratio(info.fileBytes(), info.blocks(), 2));
    row.put("blocks", info.blocks()).put("held_blocks", info.heldBlocks());
    row.put("edges", info.edges()).put("leaves", shape.leaves());
    row.put("max_depth", shape.maxDepth()).put("own_names", info.ownNames());
    row.put("workers", report.workers()).put("ranks", info.ranks());
    row.put("approximate_ranks", report.approximateRanks());
    row.put("block_capacity", info.blockCapacity()).put("edge_capacity", info.edgeCapacity());
    row.put("rank_capacity", info.rankCapacity());
    row.put("own_name_capacity", info.ownNameCapacity());
    row.put("holder_capacity_bytes", info.holderCapacityBytes());
    row.put("depths", histogram(shape.depths())).put("edge_lengths", histogram(shape.lengths()));
    row.put("fan_outs", histogram(shape.fanOuts())).put("holders", histogram(shape.holders()));
    row.put("top_prefixes", prefixes(shape.prefixes()));
    row.put("per_rank", ranks(shape.ranks(), info.heldBlocks()));
    row.put("bytes", bytes(report));
    final Fields timing = new Fields();
    timing.putDecimal("restore_ms", Decimals.ratio(report.restoreNanos(), NANOS_PER_MILLI, 3));
    return row.put("timing", timing);
  }

  private static List<Fields> histogram(final List<Long> counts) {
    final List<Fields> buckets = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) != 0) {
        buckets.add(
            new Fields()
                .put("from", SnapshotReport.bucketFrom(i))
                .put("to", SnapshotReport.bucketTo(i))
                .put("count", counts.get(i)));
      }
    }
    return buckets;
  }

  private static List<Fields> prefixes(final List<Prefix> prefixes) {
    final List<Fields> rows = new ArrayList<>();
    for (final Prefix prefix : prefixes) {
      rows.add(
          new Fields()
              .put("blocks", prefix.blocks())
              .put("holders", prefix.holders())
              .put("weight", prefix.weight())
              .put("first_local_hash", Long.toUnsignedString(prefix.firstLocal()))
              .put("last_local_hash", Long.toUnsignedString(prefix.lastLocal()))
              .put("last_block_hash", Long.toUnsignedString(prefix.lastExternal())));
    }
    return rows;
  }

  private static List<Fields> ranks(final List<RankShare> ranks, final long heldBlocks) {
    final List<Fields> rows = new ArrayList<>();
    for (final RankShare rank : ranks) {
      rows.add(
          new Fields()
              .putDecimal("worker", Long.toUnsignedString(rank.workerId()))
              .put("dp_rank", Integer.toUnsignedLong(rank.dpRank()))
              .put("held_blocks", rank.held())
              .putDecimal("share", Decimals.ratio(rank.held(), heldBlocks, 6))
              .put("device", rank.device())
              .put("host_pinned", rank.hostPinned())
              .put("disk", rank.disk())
              .put("external", rank.external())
              .put("own_names", rank.ownNames())
              .put("approximate", rank.approximate()));
    }
    return rows;
  }

  private static Fields bytes(final SnapshotReport report) {
    final Fields bytes = new Fields();
    for (final Structure structure : report.shape().structures()) {
      bytes.put(structure.name(), structure.usedBytes());
    }
    return bytes.put("used", report.usedBytes()).put("reserved", report.reservedBytes());
  }
}
