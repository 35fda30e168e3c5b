package io.kvroute.twin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A compressed prefix tree over pages with lock counts and an eviction order by logical ticks.
 * Everything that the real one keeps up to date step by step is worked out anew here: sizes by
 * walking the tree, the victim by looking at every leaf.
 */
final class NaiveRadixCache {
  private final NaiveNode root = new NaiveNode(null, List.of(), List.of());
  private long tick;
  private long unbalancedUnlocks;

  /** Where a match ended and how many pages it covers. */
  record Match(NaiveNode node, int pages) {}

  NaiveNode root() {
    return root;
  }

  long unbalancedUnlocks() {
    return unbalancedUnlocks;
  }

  /** All nodes, the root first. */
  List<NaiveNode> nodes() {
    final List<NaiveNode> found = new ArrayList<>();
    final Deque<NaiveNode> open = new ArrayDeque<>();
    open.add(root);
    while (!open.isEmpty()) {
      final NaiveNode node = open.remove();
      found.add(node);
      open.addAll(node.children.values());
    }
    return found;
  }

  int evictablePages() {
    return nodes().stream().filter(node -> node.locks == 0).mapToInt(NaiveNode::size).sum();
  }

  int protectedPages() {
    return nodes().stream().filter(node -> node.locks > 0).mapToInt(NaiveNode::size).sum();
  }

  /** Length in pages of the longest known prefix; changes nothing. */
  int prefixLength(final List<Long> keys) {
    NaiveNode node = root;
    int depth = 0;
    while (depth < keys.size()) {
      final NaiveNode child = node.children.get(keys.get(depth));
      if (child == null) {
        return depth;
      }
      final int common = child.commonLength(keys, depth);
      depth += common;
      if (common < child.size()) {
        return depth;
      }
      node = child;
    }
    return depth;
  }

  /** The longest known prefix; stamps what it passes to the end, and splits the edge it ends in. */
  Match match(final List<Long> keys) {
    final long now = ++tick;
    NaiveNode node = root;
    root.stamp = now;
    int depth = 0;
    while (depth < keys.size()) {
      final NaiveNode child = node.children.get(keys.get(depth));
      if (child == null) {
        break;
      }
      final int common = child.commonLength(keys, depth);
      depth += common;
      if (common < child.size()) {
        node = split(child, common);
        break;
      }
      child.stamp = now;
      node = child;
    }
    return new Match(node, depth);
  }

  /** Parts the edge of {@code node} after {@code length} pages; the new node is the front. */
  private NaiveNode split(final NaiveNode node, final int length) {
    final NaiveNode front =
        new NaiveNode(node.parent, node.keys.subList(0, length), node.pages.subList(0, length));
    front.locks = node.locks;
    front.stamp = node.stamp;
    front.parent.children.put(front.keys.get(0), front);
    node.keys = new ArrayList<>(node.keys.subList(length, node.keys.size()));
    node.pages = new ArrayList<>(node.pages.subList(length, node.pages.size()));
    node.parent = front;
    front.children.put(node.keys.get(0), node);
    return front;
  }

  /** Puts pages below {@code start}; where a key is known already, the page known for it stays. */
  NaiveNode insert(final NaiveNode start, final List<Long> keys, final List<Integer> pages) {
    if (keys.isEmpty()) {
      return start;
    }
    final long now = ++tick;
    for (NaiveNode node = start; node != null; node = node.parent) {
      node.stamp = now;
    }
    NaiveNode node = start;
    int done = 0;
    while (done < keys.size()) {
      if (growsInPlace(node, node == start)) {
        node.keys.addAll(keys.subList(done, keys.size()));
        node.pages.addAll(pages.subList(done, pages.size()));
        node.stamp = now;
        return node;
      }
      final NaiveNode child = node.children.get(keys.get(done));
      if (child == null) {
        return addChild(
            node, keys.subList(done, keys.size()), pages.subList(done, pages.size()), now);
      }
      final int common = child.commonLength(keys, done);
      done += common;
      if (common < child.size()) {
        node = split(child, common);
      } else {
        child.stamp = now;
        node = child;
      }
    }
    return node;
  }

  private static boolean growsInPlace(final NaiveNode node, final boolean isStart) {
    final boolean free = node.locks == 0 || (isStart && node.locks == 1);
    return free && !node.isRoot() && node.children.isEmpty();
  }

  private static NaiveNode addChild(
      final NaiveNode parent, final List<Long> keys, final List<Integer> pages, final long now) {
    final NaiveNode child = new NaiveNode(parent, keys, pages);
    child.stamp = now;
    parent.children.put(keys.get(0), child);
    return child;
  }

  /** Locks a node and all above it but the root. */
  void lock(final NaiveNode terminal) {
    for (NaiveNode node = terminal; !node.isRoot(); node = node.parent) {
      node.locks++;
    }
  }

  /** Takes a lock back; at a node that is not locked it stops and counts. */
  void unlock(final NaiveNode terminal) {
    for (NaiveNode node = terminal; !node.isRoot(); node = node.parent) {
      if (node.locks == 0) {
        unbalancedUnlocks++;
        return;
      }
      node.locks--;
    }
  }

  /** Pages from the root to the end of {@code terminal}. */
  List<Integer> pathPages(final NaiveNode terminal) {
    final List<Integer> pages = new ArrayList<>();
    for (NaiveNode node = terminal; !node.isRoot(); node = node.parent) {
      pages.addAll(0, node.pages);
    }
    return pages;
  }

  /**
   * Cuts {@code count} pages, or all that can be cut, from the rear of the oldest unlocked leaves.
   */
  List<Integer> evict(final long count) {
    final List<Integer> evicted = new ArrayList<>();
    while (evicted.size() < count) {
      final NaiveNode victim = oldestLeaf();
      if (victim == null) {
        break;
      }
      final int cut = (int) Math.min(count - evicted.size(), victim.size());
      final int kept = victim.size() - cut;
      final NaiveNode parent = victim.parent;
      if (kept == 0) {
        parent.children.remove(victim.keys.get(0));
      }
      final List<Integer> rear = victim.pages.subList(kept, victim.size());
      evicted.addAll(rear);
      rear.clear();
      victim.keys.subList(kept, victim.keys.size()).clear();
    }
    return evicted;
  }

  private NaiveNode oldestLeaf() {
    NaiveNode oldest = null;
    for (final NaiveNode node : nodes()) {
      if (isEvictionCandidate(node) && (oldest == null || node.stamp < oldest.stamp)) {
        oldest = node;
      }
    }
    return oldest;
  }

  static boolean isEvictionCandidate(final NaiveNode node) {
    return !node.isRoot() && node.locks == 0 && node.children.isEmpty();
  }
}
