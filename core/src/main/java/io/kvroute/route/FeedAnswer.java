package io.kvroute.route;

/** What became of a message for a router. */
public enum FeedAnswer {
  /** It is in the ring; the router's thread will apply it. */
  ACCEPTED,
  /** The ring is full: offer it again when the router has drained it. Counted. */
  RING_FULL,
  /** It is larger than an eighth of the ring, and never fits. Counted. */
  OVERSIZED,
  /** The router is closed. */
  CLOSED
}
