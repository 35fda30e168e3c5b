package io.kvroute.route;

import io.kvroute.protocol.SharedCacheHits;
import io.kvroute.protocol.UnsignedMath;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who has how much of a prompt cached, for people and for other programs.
 *
 * @param blockSize tokens of a block
 * @param numBlocks whole blocks of the prompt
 * @param workers every registered rank and every rank that has something, ascending
 * @param sharedHits what the cache that all workers share has; null if there is none
 */
public record OverlapReport(
    long blockSize, long numBlocks, List<Row> workers, SharedCacheHits sharedHits) {
  /** Copies the list. */
  public OverlapReport {
    workers = List.copyOf(workers);
  }

  /**
   * What one rank has.
   *
   * @param workerId unsigned
   * @param dpRank unsigned
   * @param deviceBlocks on the device
   * @param hostPinnedBlocks on the device or behind those in memory
   * @param diskBlocks on the device, in memory or behind those on disks and in external stores
   * @param hostPinnedExtensionBlocks in memory behind those on the device
   * @param diskExtensionBlocks on disks and in external stores behind those in memory
   * @param sharedBeyondDeviceBlocks shared and behind those on the device; 0 without such a cache
   * @param routerCreditBlocks what the cost takes off for all of them, without decay
   */
  public record Row(
      long workerId,
      int dpRank,
      long deviceBlocks,
      long hostPinnedBlocks,
      long diskBlocks,
      long hostPinnedExtensionBlocks,
      long diskExtensionBlocks,
      long sharedBeyondDeviceBlocks,
      double routerCreditBlocks) {}

  /**
   * Reports on all ranks that are registered or have something, whether or not they may serve the
   * request.
   *
   * @param registry gives the ranks
   * @param config gives the weights
   * @param request gives the prompt's length, what is shared, and its own weights
   * @param overlaps gives what ranks have cached
   */
  public static OverlapReport of(
      final WorkerRegistry registry,
      final KvRouterConfig config,
      final SelectionRequest request,
      final OverlapSignals overlaps) {
    final SortedSet<WorkerWithDpRank> ranks = new TreeSet<>();
    for (int w = 0; w < registry.workerCount(); w++) {
      for (int r = 0; r < registry.ranks(w); r++) {
        ranks.add(new WorkerWithDpRank(registry.workerId(w), registry.startRank(w) + r));
      }
    }
    for (int i = 0; i < overlaps.count(); i++) {
      ranks.add(new WorkerWithDpRank(overlaps.workerId(i), overlaps.dpRank(i)));
    }
    final Candidate candidate = new Candidate();
    candidate.ofRequest(request, config, registry, overlaps, null);
    final List<Row> rows = new ArrayList<>();
    for (final WorkerWithDpRank rank : ranks) {
      candidate.ofRank(-1, -1, overlaps.indexOf(rank.workerId(), rank.dpRank()));
      rows.add(row(rank, candidate));
    }
    return new OverlapReport(
        registry.blockSize(),
        request.promptTokens() / registry.blockSize(),
        rows,
        request.sharedHits());
  }

  private static Row row(final WorkerWithDpRank rank, final Candidate candidate) {
    final long device = UnsignedMath.round(candidate.deviceBlocks());
    final long host = UnsignedMath.round(candidate.hostBlocks());
    final long disk = UnsignedMath.round(candidate.diskBlocks());
    return new Row(
        rank.workerId(),
        rank.dpRank(),
        device,
        device + host,
        device + host + disk,
        host,
        disk,
        Integer.toUnsignedLong(candidate.sharedBlocksBeyondDevice()),
        KvCost.credit(candidate));
  }
}
