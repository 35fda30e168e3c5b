package io.kvroute.tools.sim;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.tools.trace.TraceRequest;

/**
 * One request on its way: it arrives, may wait in the router, waits on its worker, is computed
 * there, and ends. All times are virtual nanoseconds, {@link #NEVER} until they are known.
 */
final class SimRequest {
  static final long NEVER = -1;

  final int number;
  final TraceRequest trace;
  SimRequest next;
  boolean isFollower;
  long delayNs;
  long earliestNs;

  long arrivalNs = NEVER;
  long routedNs = NEVER;
  long admittedNs = NEVER;
  long firstTokenNs = NEVER;
  long endNs = NEVER;
  boolean refused;

  int worker = -1;

  ActiveKvLease lease;
  long admission;
  long hitTokens;
  int computed;
  int decoded;
  int retractions;

  SimRequest(final int number, final TraceRequest trace) {
    this.number = number;
    this.trace = trace;
  }

  int inputLength() {
    return trace.inputLength();
  }

  /** Tokens of the answer; the first comes with the prefill, so there always is one. */
  int outputLength() {
    return Math.max(1, trace.outputLength());
  }

  /** Tokens that have to be computed before the next one can be decoded. */
  int target() {
    return inputLength() + decoded;
  }

  /** Tokens in the cache when the answer is complete; the last one is not computed any more. */
  long longest() {
    return (long) inputLength() + outputLength() - 1;
  }

  boolean isOver() {
    return endNs != NEVER || refused;
  }
}
