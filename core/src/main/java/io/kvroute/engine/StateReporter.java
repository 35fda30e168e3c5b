package io.kvroute.engine;

import io.kvroute.cache.RadixCache;

/** Tells a {@link CacheTrace}, if there is one, the state of the cache after an operation. */
final class StateReporter {
  private final RadixCache cache;
  private final int dpRank;
  private final CacheTrace trace;

  StateReporter(final RadixCache cache, final int dpRank, final CacheTrace trace) {
    this.cache = cache;
    this.dpRank = dpRank;
    this.trace = trace;
  }

  void report(final CacheTrace.Event event, final long numTokens) {
    if (trace != null) {
      trace.onCacheState(
          event,
          dpRank,
          numTokens,
          cache.pageSize(),
          cache.availableTokens(),
          cache.evictableTokens(),
          cache.protectedTokens(),
          cache.totalTokens());
    }
  }
}
