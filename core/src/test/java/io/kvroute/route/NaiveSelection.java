package io.kvroute.route;

import io.kvroute.protocol.BlockRange;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Selection once more, from plain maps and the formulas alone: shares no code with the selector and
 * nothing with its speed.
 */
final class NaiveSelection {
  /** A worker, and per rank the last value of each signal that was reported. */
  static final class Worker {
    int start;
    int size;
    Long batch;
    Long blocks;
    Set<String> taints = new HashSet<>();
    final Map<Integer, Long> decode = new HashMap<>();
    final Map<Integer, Long> prefill = new HashMap<>();
    final Map<Integer, Long> used = new HashMap<>();

    void keepOnlyOwnRanks() {
      decode.keySet().removeIf(rank -> !has(rank));
      prefill.keySet().removeIf(rank -> !has(rank));
      used.keySet().removeIf(rank -> !has(rank));
    }

    boolean has(final int rank) {
      return rank >= start && rank < start + size;
    }
  }

  /** Load of a rank: tokens to prefill, blocks, blocks to add, requests. */
  record Load(long prefill, long decode, long additional, long requests) {}

  /** Overlap of a rank per tier. */
  record Overlap(int device, int host, int disk) {}

  /** A request. */
  static final class Request {
    long isl;
    Set<String> required = Set.of();
    Map<String, Float> preferred = Map.of();
    Set<Long> allowed;
    WorkerWithDpRank pinned;
    List<BlockRange> shared;
    Double credit;
    Double scale;
    Double sharedMultiplier;
    Boolean track;
  }

  final Map<Long, Worker> workers = new HashMap<>();
  Double decodeThreshold;
  Long prefillThreshold;
  Double prefillFraction;
  final Map<WorkerWithDpRank, Load> loads = new HashMap<>();
  final Map<WorkerWithDpRank, Overlap> overlaps = new HashMap<>();
  double blockSize;
  KvRouterConfig config;
  String error;

  // ------ overload

  boolean isOverloaded(final Worker worker) {
    final Set<Integer> known = new HashSet<>(worker.decode.keySet());
    known.addAll(worker.prefill.keySet());
    known.addAll(worker.used.keySet());
    for (final int rank : known) {
      if (!isOverloaded(worker, rank)) {
        return false;
      }
    }
    return !known.isEmpty();
  }

  private boolean isOverloaded(final Worker worker, final int rank) {
    final Long tokens = worker.prefill.get(rank);
    if (tokens != null) {
      if (prefillThreshold != null && tokens > prefillThreshold) {
        return true;
      }
      final double batch = worker.batch == null ? 10_000_000 : worker.batch;
      if (prefillFraction != null && tokens > Math.floor(prefillFraction * batch)) {
        return true;
      }
    }
    if (decodeThreshold == null || worker.blocks == null) {
      return false;
    }
    final double limit = decodeThreshold * worker.blocks;
    return worker.decode.getOrDefault(rank, 0L) > limit
        || worker.used.getOrDefault(rank, 0L) > limit;
  }

  // ------ who may

  private List<WorkerWithDpRank> candidates(final Request request) {
    error = null;
    if (request.isl <= 0) {
      error = "INVALID_REQUEST";
      return List.of();
    }
    return request.pinned == null ? unpinned(request) : pinned(request);
  }

  private List<WorkerWithDpRank> pinned(final Request request) {
    final long id = request.pinned.workerId();
    final Worker worker = workers.get(id);
    if (request.allowed != null && !request.allowed.contains(id)) {
      error = "PINNED_WORKER_NOT_ALLOWED";
    } else if (worker == null
        || !worker.has(request.pinned.dpRank())
        || !worker.taints.containsAll(request.required)) {
      error = "NO_ENDPOINTS";
    } else if (isOverloaded(worker)) {
      error = "PINNED_WORKER_OVERLOADED";
    } else {
      return List.of(request.pinned);
    }
    return List.of();
  }

  private List<WorkerWithDpRank> unpinned(final Request request) {
    final List<WorkerWithDpRank> found = new ArrayList<>();
    boolean overloaded = false;
    for (final Map.Entry<Long, Worker> entry : workers.entrySet()) {
      final Worker worker = entry.getValue();
      if ((request.allowed == null || request.allowed.contains(entry.getKey()))
          && worker.taints.containsAll(request.required)) {
        if (isOverloaded(worker)) {
          overloaded = true;
        } else {
          for (int rank = worker.start; rank < worker.start + worker.size; rank++) {
            found.add(new WorkerWithDpRank(entry.getKey(), rank));
          }
        }
      }
    }
    if (found.isEmpty()) {
      error = overloaded ? "ALL_ELIGIBLE_WORKERS_OVERLOADED" : "NO_ENDPOINTS";
    }
    return found;
  }

  // ------ what it costs

  /** The cost of every rank that may serve the request, by rank; empty if there is an error. */
  TreeMap<WorkerWithDpRank, Double> costs(final Request request) {
    final List<WorkerWithDpRank> candidates = candidates(request);
    double least = Double.MAX_VALUE;
    for (final WorkerWithDpRank rank : candidates) {
      least = Math.min(least, loads.containsKey(rank) ? (double) loads.get(rank).prefill : 0.0);
    }
    final TreeMap<WorkerWithDpRank, Double> costs = new TreeMap<>();
    for (final WorkerWithDpRank rank : candidates) {
      costs.put(rank, cost(request, rank, least));
    }
    return costs;
  }

  /** Blocks that count as cached. */
  double effective(final WorkerWithDpRank rank) {
    final Overlap overlap = overlaps.getOrDefault(rank, new Overlap(0, 0, 0));
    return overlap.device
        + config.hostCacheHitWeight() * overlap.host
        + config.diskCacheHitWeight() * overlap.disk;
  }

  long cachedTokens(final WorkerWithDpRank rank) {
    return (long) Math.floor(effective(rank) * blockSize + 0.5);
  }

  private double cost(final Request request, final WorkerWithDpRank rank, final double least) {
    final Overlap overlap = overlaps.getOrDefault(rank, new Overlap(0, 0, 0));
    final Load load = loads.get(rank);
    final boolean track = request.track == null ? config.routerTrackPrefillTokens() : request.track;
    double raw = 0;
    double decay = 1;
    if (track) {
      final double active = load == null ? 0.0 : (double) load.prefill;
      final double cached = (double) cachedTokens(rank);
      raw =
          load == null ? (double) request.isl : active + Math.max(request.isl - cached, 0) + cached;
      raw /= blockSize;
      final double blocks = Math.ceil(request.isl / blockSize);
      decay = 1 / (1 + config.overlapScoreCreditDecay() * ((active - least) / blockSize) / blocks);
    }
    final double credit =
        orElse(request.credit, config.overlapScoreCredit()) * decay * overlap.device
            + config.hostCacheHitWeight() * overlap.host
            + config.diskCacheHitWeight() * overlap.disk
            + orElse(request.sharedMultiplier, config.sharedCacheMultiplier())
                * sharedBeyond(request, overlap.device);
    double logit =
        orElse(request.scale, config.prefillLoadScale()) * Math.max(raw - credit, 0)
            + (load == null ? 0.0 : (double) (load.decode + load.additional));
    logit += config.decodeActiveRequestWeight() * (load == null ? 0.0 : (double) load.requests);
    return logit * multiplier(request, rank);
  }

  private static double sharedBeyond(final Request request, final int from) {
    double blocks = 0;
    for (final BlockRange range : request.shared == null ? List.<BlockRange>of() : request.shared) {
      for (int block = range.start(); block < range.end(); block++) {
        blocks += block >= from ? 1 : 0;
      }
    }
    return blocks;
  }

  private double multiplier(final Request request, final WorkerWithDpRank rank) {
    if (request.pinned != null || request.preferred.isEmpty()) {
      return 1;
    }
    double sum = 0;
    for (final Map.Entry<String, Float> taint : new TreeMap<>(request.preferred).entrySet()) {
      if (workers.get(rank.workerId()).taints.contains(taint.getKey())) {
        sum += taint.getValue();
      }
    }
    return StrictMath.exp(-StrictMath.tanh(sum));
  }

  private static double orElse(final Double own, final double otherwise) {
    return own == null ? otherwise : own;
  }

  // ------ which wins

  /** The rank that a draw of {@code u} gives at a temperature above 0. */
  static WorkerWithDpRank draw(
      final TreeMap<WorkerWithDpRank, Double> costs, final double temperature, final double u) {
    final double min = costs.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    final double max = costs.values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    final TreeMap<WorkerWithDpRank, Double> shares = new TreeMap<>();
    double total = 0;
    for (final Map.Entry<WorkerWithDpRank, Double> each : costs.entrySet()) {
      final double share =
          min == max ? 1 : StrictMath.exp(-(each.getValue() - min) / ((max - min) * temperature));
      shares.put(each.getKey(), share);
      total += share;
    }
    double sum = 0;
    for (final Map.Entry<WorkerWithDpRank, Double> each : shares.entrySet()) {
      sum += each.getValue() / total;
      if (Math.abs(sum - u) < 1e-9) {
        return null; // too close to the edge of a share to ask for the same answer
      }
      if (sum >= u) {
        return each.getKey();
      }
    }
    return shares.lastKey();
  }
}
