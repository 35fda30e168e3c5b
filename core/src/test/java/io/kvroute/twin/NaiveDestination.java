package io.kvroute.twin;

import java.util.List;

/**
 * Room for a prompt whose KV blocks will arrive from elsewhere: a locked prefix and fresh pages.
 */
record NaiveDestination(
    NaiveNode node,
    List<Integer> prefixPages,
    List<Integer> freshPages,
    int promptTokens,
    int pageSize) {
  int prefixLen() {
    return prefixPages.size() * pageSize;
  }

  int transferablePromptTokens() {
    return freshPages.size() * pageSize;
  }

  int allocatedTokens() {
    return prefixLen() + transferablePromptTokens();
  }

  /** Token slots of the prompt, the cached ones first. */
  long[] tokenIndices() {
    final long[] indices = new long[promptTokens];
    for (int i = 0; i < promptTokens; i++) {
      final int page = i / pageSize;
      final int number =
          page < prefixPages.size()
              ? prefixPages.get(page)
              : freshPages.get(page - prefixPages.size());
      indices[i] = (long) number * pageSize + i % pageSize;
    }
    return indices;
  }
}
