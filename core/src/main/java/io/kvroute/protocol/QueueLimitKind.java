package io.kvroute.protocol;

/** Which limit of a queue was reached. */
public enum QueueLimitKind {
  /** Parked requests. */
  REQUESTS,
  /** Input tokens of parked requests, cached or not. */
  RAW_ISL_TOKENS,
  /** Cached tokens of parked requests. */
  CACHED_TOKENS
}
