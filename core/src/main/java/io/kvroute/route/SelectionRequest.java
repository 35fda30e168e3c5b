package io.kvroute.route;

import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.SharedCacheHits;
import java.util.Arrays;
import java.util.Objects;

/**
 * A request, as far as the selection of a worker needs to know it. Owned by the caller and used
 * again and again; setting anything but more allowed workers than ever before allocates nothing.
 *
 * <p>Not thread-safe.
 */
public final class SelectionRequest {
  private long promptTokens;
  private RoutingConstraints constraints = RoutingConstraints.NONE;
  private RouterConfigOverride override = RouterConfigOverride.NONE;
  private SharedCacheHits sharedHits;
  private boolean restricted;
  private long[] allowed = new long[0];
  private int allowedCount;
  private boolean pinned;
  private long pinnedWorkerId;
  private int pinnedDpRank;

  /** Makes one for an empty prompt, without any wish. */
  public SelectionRequest() {}

  /** Forgets everything but its memory. */
  public SelectionRequest clear() {
    promptTokens = 0;
    constraints = RoutingConstraints.NONE;
    override = RouterConfigOverride.NONE;
    sharedHits = null;
    restricted = false;
    allowedCount = 0;
    pinned = false;
    return this;
  }

  /** Sets how many tokens the prompt has; selection refuses a request unless it is above 0. */
  public SelectionRequest promptTokens(final long value) {
    promptTokens = value;
    return this;
  }

  /** Sets which taints are required and which preferred. */
  public SelectionRequest constraints(final RoutingConstraints value) {
    constraints = Objects.requireNonNull(value, "constraints");
    return this;
  }

  /** Sets what this request wants otherwise than the configuration. */
  public SelectionRequest override(final RouterConfigOverride value) {
    override = Objects.requireNonNull(value, "override");
    return this;
  }

  /** Sets what the cache that all workers share has of the prompt; null for no such cache. */
  public SelectionRequest sharedHits(final SharedCacheHits value) {
    sharedHits = value;
    return this;
  }

  /**
   * Lets only these workers serve the request; with none, nobody may.
   *
   * @param workerIds unsigned, in any order; copied
   */
  public SelectionRequest allowOnly(final long... workerIds) {
    if (allowed.length < workerIds.length) {
      allowed = new long[workerIds.length];
    }
    restricted = true;
    allowedCount = workerIds.length;
    for (int i = 0; i < allowedCount; i++) {
      allowed[i] = workerIds[i] ^ Long.MIN_VALUE;
    }
    Arrays.sort(allowed, 0, allowedCount);
    return this;
  }

  /**
   * Insists on one rank.
   *
   * @param workerId unsigned
   * @param dpRank unsigned
   */
  public SelectionRequest pin(final long workerId, final int dpRank) {
    pinned = true;
    pinnedWorkerId = workerId;
    pinnedDpRank = dpRank;
    return this;
  }

  /** How many tokens the prompt has. */
  public long promptTokens() {
    return promptTokens;
  }

  /** Which taints are required and which preferred. */
  public RoutingConstraints constraints() {
    return constraints;
  }

  /** What this request wants otherwise than the configuration. */
  public RouterConfigOverride override() {
    return override;
  }

  /** What the cache that all workers share has of the prompt, or null. */
  public SharedCacheHits sharedHits() {
    return sharedHits;
  }

  /** True if a worker is among those that the request allows. */
  public boolean allows(final long workerId) {
    return !restricted
        || Arrays.binarySearch(allowed, 0, allowedCount, workerId ^ Long.MIN_VALUE) >= 0;
  }

  /** True if not every worker will do. */
  boolean isChoosy() {
    return restricted || constraints.hasHardConstraints();
  }

  /** True if the request insists on one rank. */
  public boolean isPinned() {
    return pinned;
  }

  /** The worker of that rank, unsigned. */
  public long pinnedWorkerId() {
    return pinnedWorkerId;
  }

  /** That rank, unsigned. */
  public int pinnedDpRank() {
    return pinnedDpRank;
  }
}
