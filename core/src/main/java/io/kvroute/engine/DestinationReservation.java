package io.kvroute.engine;

import io.kvroute.cache.PageChain;
import io.kvroute.cache.RadixCache;

/**
 * Room for a prompt whose KV pages come from another worker: the prefix that is cached here is
 * protected, and fresh pages stand ready for the rest. It is activated into a lease or cancelled,
 * once. Owned by the caller and re-usable. Not thread-safe.
 */
public final class DestinationReservation {
  final PageChain pages = new PageChain();
  int node;
  private RadixCache cache;
  private long promptTokens;
  private long prefixLen;
  private long allocatedTokens;
  private boolean active;

  /** Makes a reservation of nothing. */
  public DestinationReservation() {}

  /** True between a successful reservation and its activation or cancellation. */
  public boolean isActive() {
    return active;
  }

  /** Leading tokens of the prompt that are cached here. */
  public long prefixLen() {
    return prefixLen;
  }

  /** Tokens that the transfer fills: all tokens of the fresh pages. */
  public long transferablePromptTokens() {
    return active ? pages.count() * cache.pageSize() : 0;
  }

  /** Tokens of all pages that the prompt occupies, cached or fresh. */
  public long allocatedTokens() {
    return allocatedTokens;
  }

  /** Tokens of the prompt. */
  public long promptTokens() {
    return promptTokens;
  }

  /**
   * Writes the token indices of the prompt in order. Costs a step per token; allocates.
   *
   * @param out at least {@link #promptTokens()} long
   * @return number of indices written
   */
  public int tokenIndices(final long[] out) {
    if (!active) {
      return 0;
    }
    if (out.length < promptTokens) {
      throw new IllegalArgumentException(
          "too short for the indices: length=" + out.length + " promptTokens=" + promptTokens);
    }
    final int prefixPages = (int) (prefixLen / cache.pageSize());
    final ActiveKvLease.TokenIndices indices =
        new ActiveKvLease.TokenIndices(cache, out, promptTokens);
    indices.path(node, prefixPages);
    indices.chain(pages, prefixPages);
    return (int) promptTokens;
  }

  void requireIdle() {
    if (active) {
      throw new IllegalStateException(
          "the reservation is active and owns pages: count=" + pages.count());
    }
  }

  void requireActive(final RadixCache owner) {
    if (!active || cache != owner) {
      throw new IllegalStateException(
          active
              ? "the reservation belongs to another manager"
              : "the reservation is not active: it was activated, cancelled or never made");
    }
  }

  void arm(
      final RadixCache owner,
      final int prefixNode,
      final long matchedTokens,
      final long tokens,
      final long occupiedTokens) {
    cache = owner;
    node = prefixNode;
    prefixLen = matchedTokens;
    promptTokens = tokens;
    allocatedTokens = occupiedTokens;
    active = true;
  }

  void disarm() {
    active = false;
    pages.reset();
  }
}
