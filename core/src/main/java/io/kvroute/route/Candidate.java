package io.kvroute.route;

import io.kvroute.load.LoadProjections;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.SharedCacheHits;
import io.kvroute.protocol.UnsignedMath;

/**
 * One rank that could serve a request, and everything that its cost can depend on. A view that the
 * selector moves from rank to rank: valid during the call that it is handed to, not to be kept.
 */
public final class Candidate {
  // Of the request.
  private long promptTokens;
  private long blockSize;
  private long requestBlocks;
  private double minActivePrefillTokens;
  private boolean trackPrefillTokens;
  private double overlapScoreCredit;
  private double overlapScoreCreditDecay;
  private double prefillLoadScale;
  private double hostCacheHitWeight;
  private double diskCacheHitWeight;
  private double sharedCacheMultiplier;
  private double decodeActiveRequestWeight;
  private SharedCacheHits sharedHits;
  private RoutingConstraints constraints;
  private boolean taintsMatter;

  // Of the rank.
  private WorkerRegistry registry;
  private int rank;
  private LoadProjections loads;
  private int load;
  private OverlapSignals overlaps;
  private int overlap;

  Candidate() {}

  void ofRequest(
      final SelectionRequest request,
      final KvRouterConfig config,
      final WorkerRegistry workers,
      final OverlapSignals signals,
      final LoadProjections projections) {
    final RouterConfigOverride override = request.override();
    promptTokens = request.promptTokens();
    registry = workers;
    blockSize = workers.blockSize();
    requestBlocks = (promptTokens - 1) / blockSize + 1;
    trackPrefillTokens = override.trackPrefillTokensOr(config.routerTrackPrefillTokens());
    overlapScoreCredit = override.overlapScoreCreditOr(config.overlapScoreCredit());
    overlapScoreCreditDecay = config.overlapScoreCreditDecay();
    prefillLoadScale = override.prefillLoadScaleOr(config.prefillLoadScale());
    hostCacheHitWeight = config.hostCacheHitWeight();
    diskCacheHitWeight = config.diskCacheHitWeight();
    sharedCacheMultiplier = override.sharedCacheMultiplierOr(config.sharedCacheMultiplier());
    decodeActiveRequestWeight = config.decodeActiveRequestWeight();
    sharedHits = request.sharedHits();
    constraints = request.constraints();
    taintsMatter = !request.isPinned() && !constraints.preferredTaints().isEmpty();
    overlaps = signals;
    loads = projections;
  }

  void minActivePrefillTokens(final double value) {
    minActivePrefillTokens = value;
  }

  void ofRank(final int rankAt, final int loadAt, final int overlapAt) {
    rank = rankAt;
    load = loadAt;
    overlap = overlapAt;
  }

  /** Lets go of what was lent for one selection. */
  void release() {
    sharedHits = null;
    constraints = null;
    overlaps = null;
    loads = null;
  }

  // ------ the request

  /** Tokens of the prompt, above 0. */
  public long promptTokens() {
    return promptTokens;
  }

  /** Tokens of a block. */
  public long blockSize() {
    return blockSize;
  }

  /** Blocks of the prompt, the last of which may be a part. */
  public long requestBlocks() {
    return requestBlocks;
  }

  /** The least {@link #activePrefillTokens()} of all candidates. */
  public double minActivePrefillTokens() {
    return minActivePrefillTokens;
  }

  /** Whether tokens to prefill are part of the cost. */
  public boolean trackPrefillTokens() {
    return trackPrefillTokens;
  }

  /** See {@link KvRouterConfig#overlapScoreCredit()}; the request's, if it has one of its own. */
  public double overlapScoreCredit() {
    return overlapScoreCredit;
  }

  /** See {@link KvRouterConfig#overlapScoreCreditDecay()}. */
  public double overlapScoreCreditDecay() {
    return overlapScoreCreditDecay;
  }

  /** See {@link KvRouterConfig#prefillLoadScale()}; the request's, if it has one of its own. */
  public double prefillLoadScale() {
    return prefillLoadScale;
  }

  /** See {@link KvRouterConfig#hostCacheHitWeight()}. */
  public double hostCacheHitWeight() {
    return hostCacheHitWeight;
  }

  /** See {@link KvRouterConfig#diskCacheHitWeight()}. */
  public double diskCacheHitWeight() {
    return diskCacheHitWeight;
  }

  /** See {@link KvRouterConfig#sharedCacheMultiplier()}; the request's, if it has its own. */
  public double sharedCacheMultiplier() {
    return sharedCacheMultiplier;
  }

  /** See {@link KvRouterConfig#decodeActiveRequestWeight()}. */
  public double decodeActiveRequestWeight() {
    return decodeActiveRequestWeight;
  }

  // ------ the rank

  /** The worker, unsigned. */
  public long workerId() {
    return registry.rankWorkerId(rank);
  }

  /** The rank, unsigned. */
  public int dpRank() {
    return registry.rankDpRank(rank);
  }

  /** True if the rank's load is known; else it counts as none. */
  public boolean hasLoad() {
    return load >= 0;
  }

  /** Tokens that wait for prefill on the rank, unsigned. */
  public long activePrefillTokens() {
    return load < 0 ? 0 : loads.activePrefillTokens(load);
  }

  /** Blocks that the rank's active requests have now, unsigned. */
  public long activeDecodeBlocks() {
    return load < 0 ? 0 : loads.activeDecodeBlocks(load);
  }

  /** Blocks that the rank's active requests would have with this one, unsigned. */
  public long potentialDecodeBlocks() {
    return load < 0 ? 0 : loads.potentialDecodeBlocks(load);
  }

  /** Active requests of the rank, unsigned. */
  public long activeRequests() {
    return load < 0 ? 0 : loads.activeRequests(load);
  }

  /** Blocks of the prompt on the rank's device. */
  public double deviceBlocks() {
    return overlap < 0 ? 0.0 : overlaps.deviceBlocks(overlap);
  }

  /** Blocks behind those in the host's pinned memory. */
  public double hostBlocks() {
    return overlap < 0 ? 0.0 : overlaps.hostBlocks(overlap);
  }

  /** Blocks behind those on disks and in external stores. */
  public double diskBlocks() {
    return overlap < 0 ? 0.0 : overlaps.diskBlocks(overlap);
  }

  /** All cached blocks, weighted by tier. */
  public double effectiveOverlapBlocks() {
    return overlap < 0 ? 0.0 : overlaps.effectiveBlocks(overlap);
  }

  /** Tokens that count as cached, unsigned; can be more than the prompt has. */
  public long cachedTokens() {
    return overlap < 0 ? 0 : overlaps.cachedTokens(overlap);
  }

  /** Blocks in the cache that all workers share, behind those on the device, unsigned. */
  public int sharedBlocksBeyondDevice() {
    if (sharedHits == null) {
      return 0;
    }
    final long position = UnsignedMath.round(Math.max(deviceBlocks(), 0.0));
    return sharedHits.hitsBeyond((int) UnsignedMath.min(position, 0xFFFF_FFFFL));
  }

  /**
   * The factor by which preferred taints change the cost; 1 if the request prefers none, or insists
   * on the rank.
   */
  public double taintMultiplier() {
    return hasTaintMultiplier()
        ? constraints.preferredTaintMultiplierOr(
            registry.worker(registry.rankWorker(rank)).taints, 1.0)
        : 1.0;
  }

  /** True if taints can change the cost. */
  public boolean hasTaintMultiplier() {
    return taintsMatter;
  }
}
