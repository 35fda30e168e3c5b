package io.kvroute.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a radix cache should hold, one trie node for each page: no edges, no splits, no extents. It
 * knows which page a prefix has and how many requests protect it; it leaves open which pages an
 * eviction chooses, but not that they must be unprotected ends.
 */
final class PageTrie {
  private final Map<Integer, PageTrie> children = new HashMap<>();
  private final int page;
  private int locks;

  PageTrie() {
    this(-1);
  }

  private PageTrie(final int page) {
    this.page = page;
  }

  /** The pages of the longest prefix that is held. */
  List<Integer> match(final List<Integer> symbols) {
    final List<Integer> pages = new ArrayList<>();
    PageTrie node = this;
    for (final int symbol : symbols) {
      node = node.children.get(symbol);
      if (node == null) {
        break;
      }
      pages.add(node.page);
    }
    return pages;
  }

  /** Adds a path; pages are only taken where the trie has none. */
  void put(final List<Integer> symbols, final List<Integer> pages, final int firstPage) {
    PageTrie node = this;
    for (int i = 0; i < symbols.size(); i++) {
      final int position = i - firstPage;
      node =
          node.children.computeIfAbsent(
              symbols.get(i), symbol -> new PageTrie(pages.get(position)));
    }
  }

  /** Protects a path, or takes the protection back. */
  void lock(final List<Integer> symbols, final int delta) {
    PageTrie node = this;
    for (final int symbol : symbols) {
      node = node.children.get(symbol);
      node.locks += delta;
    }
  }

  /** Takes evicted pages out, each after its parent is named; fails if one may not go. */
  void remove(final List<Integer> evicted) {
    final int before = count(false) + count(true);
    removeBelow(evicted);
    final int gone = before - count(false) - count(true);
    CacheInspector.check(gone == evicted.size(), "evicted pages were not cached", evicted, gone);
  }

  private void removeBelow(final List<Integer> evicted) {
    for (final PageTrie child : children.values()) {
      child.removeBelow(evicted);
      if (evicted.contains(child.page)) {
        CacheInspector.check(child.locks == 0, "a protected page was evicted", child.page);
        CacheInspector.check(
            child.children.isEmpty(), "a page was evicted before its children", child.page);
      }
    }
    children.values().removeIf(child -> evicted.contains(child.page));
  }

  /** Number of pages below that are protected, or not. */
  int count(final boolean isProtected) {
    int sum = 0;
    for (final PageTrie child : children.values()) {
      sum += child.count(isProtected) + ((child.locks > 0) == isProtected ? 1 : 0);
    }
    return sum;
  }
}
