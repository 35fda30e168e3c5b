package io.kvroute.tools.sim;

/** What one worker did. */
final class WorkerFigures {
  long requests;
  long inputTokens;
  long hitTokens;
  long recomputedTokens;
  long computedTokens;
  long decodedTokens;
  long retractions;
  long stalls;
  long evictions;
  long evictedTokens;
  long steps;
  long busyNs;
}
