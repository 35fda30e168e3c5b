package io.kvroute.load;

/** What became of another router's event. */
public enum ReplicaOutcome {
  /** A request was added. */
  ADDED,
  /** A request that is known on that rank was added again; the first one stays as it is. */
  DUPLICATE,
  /** A request was freed, or its prefill is done: a request that waits may go on. */
  RELIEVED,
  /** No request of that id is active. */
  UNKNOWN_REQUEST,
  /** The event is one of this router's own. */
  OWN,
  /** The router that sent it has left. */
  DEPARTED,
  /** The event is too old. */
  OVER_AGE,
  /** The rank is not known, and must not become known by an event. */
  UNKNOWN_RANK,
  /** There is no room for the request, see {@link ActiveSequences#refusal}. */
  REFUSED
}
