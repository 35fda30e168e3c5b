package io.kvroute.engine;

import io.kvroute.cache.PagePool;
import io.kvroute.cache.RadixCache;
import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.TokenView;

/** Hashes the pages of a lease as they become complete, each once. */
final class LeaseKeys {
  private final PagePool pool;
  private final BlockHasher hasher;

  LeaseKeys(final RadixCache cache) {
    pool = cache.pool();
    hasher = cache.hasher();
  }

  /** Makes sure that the first {@code pages} pages of the lease's suffix have their keys. */
  void complete(final TokenView tokens, final ActiveKvLease lease, final int pages) {
    if (lease.keyedPages >= pages) {
      return;
    }
    int extent = pool.firstExtent(lease.suffix);
    int extentStart = 0;
    for (int position = lease.keyedPages; position < pages; ) {
      final int length = pool.extentLength(extent);
      final int count = Math.min(extentStart + length, pages) - position;
      if (count > 0) {
        final long offset = (long) (extent + position - extentStart) << 3;
        hasher.localHashes(tokens, lease.cachedPages + position, count, pool.keys(), offset);
        position += count;
      }
      extentStart += length;
      extent = pool.nextExtent(extent);
    }
    lease.keyedPages = pages;
  }
}
