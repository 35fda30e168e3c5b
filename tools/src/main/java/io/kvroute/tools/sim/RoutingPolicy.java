package io.kvroute.tools.sim;

import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventListener;

/**
 * A rule by which requests go to workers 0 to n-1. Called on one thread with virtual times that
 * never go back.
 */
interface RoutingPolicy extends AutoCloseable {
  /**
   * Chooses a worker. What the policy believes to be cached there it writes into the request.
   *
   * @param prompt of the request, valid during the call
   */
  int choose(SimRequest request, TokenView prompt, long nowNs);

  /** A request goes to the worker that was chosen. */
  default void booked(final SimRequest request, final long nowNs) {}

  /** The first token of a request is there. */
  default void prefilled(final SimRequest request, final long nowNs) {}

  /** A request is over. */
  default void freed(final SimRequest request, final long nowNs) {}

  /** Takes the workers' cache events; null if this rule needs none. */
  default KvEventListener events() {
    return null;
  }

  /** Distinct blocks that the policy knows to be cached somewhere. */
  default long indexBlocks() {
    return 0;
  }

  /** Events that the policy could not apply as they were. */
  default long indexRefusals() {
    return 0;
  }

  /** Off-heap bytes that the policy uses. */
  default long indexBytes() {
    return 0;
  }

  @Override
  default void close() {}
}
