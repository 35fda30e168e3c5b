package io.kvroute.twin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node of the naive radix tree with the edge that leads to it: a key and a page for each page of
 * tokens.
 */
final class NaiveNode {
  NaiveNode parent;
  List<Long> keys;
  List<Integer> pages;
  final Map<Long, NaiveNode> children = new HashMap<>();
  int locks;
  long stamp;

  NaiveNode(final NaiveNode parent, final List<Long> keys, final List<Integer> pages) {
    this.parent = parent;
    this.keys = new ArrayList<>(keys);
    this.pages = new ArrayList<>(pages);
  }

  boolean isRoot() {
    return parent == null;
  }

  int size() {
    return pages.size();
  }

  /** How many leading keys of the edge equal {@code path} from {@code from} on. */
  int commonLength(final List<Long> path, final int from) {
    int n = 0;
    while (n < keys.size() && from + n < path.size() && keys.get(n).equals(path.get(from + n))) {
      n++;
    }
    return n;
  }
}
