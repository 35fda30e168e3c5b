package io.kvroute.tools.replay;

/**
 * What is replayed on what.
 *
 * @param traceName how the report names the trace
 * @param seed of the built-in trace, or null for a file
 * @param workers how many workers, at least 1
 * @param poolTokens tokens that fit into the pool of each
 * @param pageSize tokens per page and per block
 */
public record ReplaySettings(
    String traceName, Long seed, int workers, long poolTokens, long pageSize) {}
