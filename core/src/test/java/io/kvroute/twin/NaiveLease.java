package io.kvroute.twin;

import java.util.ArrayList;
import java.util.List;

/**
 * What an active request owns: pages, how many tokens they hold, and the tree node that it locks.
 */
public final class NaiveLease {
  final List<Integer> pages = new ArrayList<>();
  int tokenCount;
  int cachedTokens;
  NaiveNode node;
  boolean released;

  /** Makes a lease that owns nothing. */
  public NaiveLease() {}

  /** Tokens that have a place in a page. */
  public int tokenCount() {
    return tokenCount;
  }

  /** Leading tokens that lie in cached pages. */
  public int cachedTokens() {
    return cachedTokens;
  }

  public boolean isActive() {
    return node != null;
  }

  /** Token slot of each token: page number times page size, plus the place in the page. */
  long[] tokenIndices(final int pageSize) {
    final long[] indices = new long[tokenCount];
    for (int i = 0; i < tokenCount; i++) {
      indices[i] = (long) pages.get(i / pageSize) * pageSize + i % pageSize;
    }
    return indices;
  }
}
