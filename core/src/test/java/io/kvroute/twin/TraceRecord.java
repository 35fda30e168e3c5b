package io.kvroute.twin;

/** One call of the cache-state trace. All figures are tokens but for the rank. */
record TraceRecord(
    String event,
    int dpRank,
    long numTokens,
    long pageSize,
    long available,
    long evictable,
    long protectedTokens,
    long total) {}
