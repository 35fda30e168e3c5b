package io.kvroute.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows what is inside a radix cache and its page pool to tests of other packages. */
public final class CacheView {
  private final RadixCache cache;
  private final PagePool pool;
  private final NodeStore nodes;

  public CacheView(final RadixCache cache) {
    this.cache = cache;
    this.pool = cache.pool();
    this.nodes = cache.nodeStore();
  }

  /** Pages of a chain in order, by their places. */
  public List<Integer> pages(final PageChain chain) {
    final List<Integer> pages = new ArrayList<>(chain.count);
    int extent = chain.head;
    while (pages.size() < chain.count) {
      final int length = pool.extentLength(extent);
      for (int i = 0; i < length; i++) {
        pages.add(extent + i);
      }
      extent = pool.nextExtent(extent);
    }
    return pages;
  }

  /** Places without a page. */
  public List<Integer> free() {
    return new PageBook(pool).freePlaces();
  }

  /** Free numbers that were used before, in list order. */
  public List<Integer> recycled() {
    return PageBook.freeNumbers(pool);
  }

  /** The lowest number that was never used. */
  public int nextFresh() {
    return pool.freshNumber();
  }

  /** The number of the page at a place. */
  public int number(final int place) {
    return pool.number(place);
  }

  /** Live nodes, the root among them. */
  public List<Integer> liveNodes() {
    final List<Integer> live = new ArrayList<>();
    for (int node = 0; node < nodes.highWater(); node++) {
      if (node == RadixCache.ROOT || nodes.count(node) > 0) {
        live.add(node);
      }
    }
    return live;
  }

  /** Children of each live node, found by the children's parent fields. */
  public Map<Integer, List<Integer>> children() {
    final Map<Integer, List<Integer>> children = new HashMap<>();
    for (final Integer node : liveNodes()) {
      children.put(node, new ArrayList<>());
    }
    for (final Integer node : liveNodes()) {
      if (node != RadixCache.ROOT) {
        children.get(nodes.parent(node)).add(node);
      }
    }
    return children;
  }

  /** Pages of a node's edge. */
  public List<Integer> edge(final int node) {
    final PageChain edge = new PageChain();
    cache.loadEdge(node, edge);
    return pages(edge);
  }

  public long key(final int page) {
    return pool.keys().getLong((long) page << 3);
  }

  public long hash(final int page) {
    return pool.hashes().getLong((long) page << 3);
  }

  public boolean isPublished(final int page) {
    return pool.isPublished(page);
  }

  public int parent(final int node) {
    return nodes.parent(node);
  }

  public int lockCount(final int node) {
    return nodes.lockCount(node);
  }

  public long stamp(final int node) {
    return nodes.stamp(node);
  }
}
