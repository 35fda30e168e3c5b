package io.kvroute.engine;

import io.kvroute.cache.PageChain;
import io.kvroute.cache.PagePool;
import io.kvroute.cache.RadixCache;
import io.kvroute.hash.TokenView;

/**
 * What an active request owns: its pages that are not cached yet, and the protection of its cached
 * prefix. Owned by the caller and re-usable: a manager arms it in an allocation and disarms it when
 * the request is finished, aborted or retracted; every later use until the next allocation is an
 * error, so pages can be given back only once.
 *
 * <p>The pages of the cached prefix belong to the radix tree; the lease knows them by its node. Not
 * thread-safe; used on the thread of its manager.
 */
public final class ActiveKvLease {
  private enum State {
    UNUSED,
    ACTIVE,
    RELEASED
  }

  final PageChain suffix = new PageChain();
  int node;
  int cachedPages;
  int keyedPages;
  long tokenCount;
  private RadixCache cache;
  private State state = State.UNUSED;

  /** Makes a lease that owns nothing. */
  public ActiveKvLease() {}

  /** True between the allocation and the end of the request. */
  public boolean isActive() {
    return state == State.ACTIVE;
  }

  /** Tokens that have a place in a page: the prompt's so far and the decoded ones. */
  public long tokenCount() {
    return tokenCount;
  }

  /** Leading tokens that lie in cached pages; a multiple of the page size. */
  public long cachedTokens() {
    return isActive() ? cachedPages * cache.pageSize() : 0;
  }

  /** Token index (page number times page size plus place in the page) of the last token, or -1. */
  public long lastIndex() {
    if (!isActive() || tokenCount == 0) {
      return -1;
    }
    final long pageSize = cache.pageSize();
    final int place = suffix.isEmpty() ? cache.lastPage(node) : cache.pool().lastPage(suffix);
    return cache.pool().number(place) * pageSize + (tokenCount - 1) % pageSize;
  }

  /**
   * Writes the token indices of all tokens in order. Costs a step per token; allocates.
   *
   * @param out at least {@link #tokenCount()} long
   * @return number of indices written
   */
  public int tokenIndices(final long[] out) {
    if (!isActive()) {
      return 0;
    }
    if (out.length < tokenCount) {
      throw new IllegalArgumentException(
          "too short for the indices: length=" + out.length + " tokenCount=" + tokenCount);
    }
    final TokenIndices indices = new TokenIndices(cache, out, tokenCount);
    indices.path(node, cachedPages);
    indices.chain(suffix, cachedPages);
    return (int) tokenCount;
  }

  void arm(final RadixCache owner, final int prefixNode, final long prefixTokens) {
    cache = owner;
    node = prefixNode;
    cachedPages = (int) (prefixTokens / owner.pageSize());
    keyedPages = 0;
    state = State.ACTIVE;
  }

  void disarm() {
    state = State.RELEASED;
    suffix.reset();
    tokenCount = 0;
    cachedPages = 0;
    keyedPages = 0;
  }

  /** Fails unless this lease can be armed. */
  void requireIdle() {
    if (isActive()) {
      throw new IllegalStateException(
          "the lease is active and owns pages: tokenCount="
              + tokenCount
              + " ownedPages="
              + suffix.count());
    }
  }

  /** Fails unless this lease is active in {@code owner}. */
  void requireActive(final RadixCache owner) {
    if (!isActive() || cache != owner) {
      throw notActive(owner);
    }
  }

  private IllegalStateException notActive(final RadixCache owner) {
    return new IllegalStateException(
        isActive() && cache != owner
            ? "the lease belongs to another manager"
            : "the lease is not active: state=" + state);
  }

  /**
   * True if the lease may be released: active, or never armed (which releases nothing).
   *
   * @throws IllegalStateException if it was released before
   */
  boolean requireReleasable(final RadixCache owner) {
    if (state == State.UNUSED) {
      return false;
    }
    requireActive(owner);
    return true;
  }

  /** The complaint about tokens that do not go with this active lease. */
  IllegalArgumentException unfit(final String what, final TokenView tokens) {
    return new IllegalArgumentException(
        "the tokens are "
            + what
            + ": count="
            + tokens.count()
            + " leaseTokens="
            + tokenCount
            + " cachedTokens="
            + cachedTokens()
            + " pageSize="
            + cache.pageSize());
  }

  /** Expands pages to token indices. */
  static final class TokenIndices {
    private final PagePool pool;
    private final RadixCache cache;
    private final long[] out;
    private final long limit;

    TokenIndices(final RadixCache cache, final long[] out, final long limit) {
      this.cache = cache;
      this.pool = cache.pool();
      this.out = out;
      this.limit = limit;
    }

    /** Writes the pages from the root to {@code node}, {@code pages} in all. */
    void path(final int node, final int pages) {
      final PageChain edge = new PageChain();
      int end = pages;
      for (int n = node; n != RadixCache.ROOT; n = cache.parent(n)) {
        cache.loadEdge(n, edge);
        end -= edge.count();
        chain(edge, end);
      }
    }

    void chain(final PageChain chain, final int firstPage) {
      int position = firstPage;
      int extent = pool.firstExtent(chain);
      for (int done = 0; done < chain.count(); ) {
        final int length = pool.extentLength(extent);
        for (int i = 0; i < length; i++) {
          page(pool.number(extent + i), position++);
        }
        done += length;
        extent = pool.nextExtent(extent);
      }
    }

    private void page(final int page, final int position) {
      final long pageSize = cache.pageSize();
      final long first = position * pageSize;
      for (long i = first; i < Math.min(first + pageSize, limit); i++) {
        out[(int) i] = page * pageSize + (i - first);
      }
    }
  }
}
