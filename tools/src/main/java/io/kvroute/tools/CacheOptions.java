package io.kvroute.tools;

import io.kvroute.tools.io.InputException;
import picocli.CommandLine.Option;

/** How many workers there are, and what fits into their caches. */
final class CacheOptions {
  private static final int MAX_WORKERS = 65_536;
  private static final long MAX_U32 = 0xFFFF_FFFFL;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "8",
      description = "number of workers (default ${DEFAULT-VALUE})")
  private int workers;

  @Option(
      names = "--pool-tokens",
      paramLabel = "N",
      defaultValue = "1048576",
      description = "tokens that fit into each worker's cache (default ${DEFAULT-VALUE})")
  private long poolTokens;

  @Option(
      names = "--page-size",
      paramLabel = "N",
      defaultValue = "16",
      description = "tokens per page of the cache and per block (default ${DEFAULT-VALUE})")
  private long pageSize;

  int workers() {
    return workers;
  }

  long poolTokens() {
    return poolTokens;
  }

  long pageSize() {
    return pageSize;
  }

  /** Fails if a value is out of range. */
  void check() {
    Options.require(
        "--workers", "from 1 to " + MAX_WORKERS, workers >= 1 && workers <= MAX_WORKERS, workers);
    Options.require(
        "--page-size", "from 1 to " + MAX_U32, pageSize >= 1 && pageSize <= MAX_U32, pageSize);
    if (poolTokens < pageSize) {
      throw new InputException(
          "--pool-tokens must hold at least one page: pool-tokens="
              + poolTokens
              + " page-size="
              + pageSize);
    }
    final long blocks = poolTokens / pageSize;
    if (blocks > Integer.MAX_VALUE / workers) {
      throw new InputException(
          "the pools of all workers must not hold more than 2^31-1 pages: pages="
              + blocks
              + " workers="
              + workers);
    }
  }
}
