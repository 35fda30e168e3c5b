package io.kvroute.engine;

import io.kvroute.cache.PageChain;

/**
 * Pages set aside for tokens that a request is about to decode. Owned by the caller and re-usable:
 * a manager fills it, decoding takes pages from its front, and releasing gives the unused ones
 * back; releasing twice is an error. Not thread-safe.
 */
public final class DecodeReservation {
  final PageChain pages = new PageChain();
  private boolean active;

  /** Makes a reservation of nothing. */
  public DecodeReservation() {}

  /** Pages that are reserved and not used yet. */
  public int count() {
    return pages.count();
  }

  /** True between a successful reservation and its release. */
  public boolean isActive() {
    return active;
  }

  void requireEmpty() {
    if (!pages.isEmpty()) {
      throw new IllegalStateException("the reservation still holds pages: count=" + pages.count());
    }
  }

  void requireActive() {
    if (!active) {
      throw new IllegalStateException(
          "the reservation is not active: it was released or never made");
    }
  }

  void activate() {
    active = true;
  }

  void deactivate() {
    active = false;
  }
}
