package io.kvroute.route;

/**
 * What it costs to give a request to a rank; the lowest wins. An embedder may bring one. It is
 * called once per candidate and selection, by the selector's thread, and must not throw. A cost
 * that is not a number never wins.
 */
@FunctionalInterface
public interface CostFunction {
  /** The cost of a candidate, which is not to be kept beyond the call. */
  double cost(Candidate candidate);
}
