package io.kvroute.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What must be true of the tree of active prompts whatever has been done to it. */
final class LoadInvariants {
  private LoadInvariants() {}

  static void check(final ActiveSequences sequences) {
    final Bookings bookings = sequences.bookings();
    final Requests requests = bookings.requests;
    final PathEdges edges = bookings.tree.edges();
    final Holds holds = bookings.tree.holds();
    final Map<Integer, Map<Integer, Integer>> counts = new HashMap<>();
    final Set<Integer> ends = new HashSet<>();
    int used = 0;
    for (int request = 0; request < requests.bound(); request++) {
      if (!requests.isUsed(request)) {
        continue;
      }
      used++;
      ends.add(requests.edge(request));
      for (int edge = requests.edge(request); edge != PathEdges.ROOT; edge = edges.parent(edge)) {
        counts
            .computeIfAbsent(edge, each -> new HashMap<>())
            .merge(requests.rank(request), 1, Integer::sum);
      }
    }
    assertEquals(used, requests.used());
    assertEquals(counts.size(), edges.used());
    assertEquals(counts.values().stream().mapToInt(Map::size).sum(), holds.used());
    long blocks = 0;
    final Map<Integer, Set<Integer>> children = new HashMap<>();
    for (final Map.Entry<Integer, Map<Integer, Integer>> each : counts.entrySet()) {
      final int edge = each.getKey();
      final int parent = edges.parent(edge);
      blocks += edges.count(edge);
      assertTrue(edges.count(edge) > 0);
      assertEquals(
          parent == PathEdges.ROOT ? 0 : edges.start(parent) + edges.count(parent),
          edges.start(edge));
      assertEquals(edge, edges.child(parent, edges.firstHash(edge)));
      assertEquals(
          each.getValue().values().stream().mapToInt(Integer::intValue).sum(),
          edges.requests(edge));
      assertEquals(each.getValue().size(), edges.rankCount(edge));
      each.getValue()
          .forEach(
              (rank, count) -> {
                assertTrue(edges.hasRank(edge, rank));
                assertEquals(count, holds.count(holds.find(edge, rank)));
              });
      children.computeIfAbsent(parent, none -> new HashSet<>()).add(edge);
    }
    assertEquals(blocks, bookings.tree.blocks());
    for (final int edge : counts.keySet()) {
      final Set<Integer> below = children.getOrDefault(edge, Set.of());
      assertEquals(below.size(), edges.children(edge));
      if (below.size() == 1) {
        final int child = below.iterator().next();
        assertEquals(child, edges.onlyChild(edge));
        final boolean alike =
            counts.get(edge).keySet().stream()
                .allMatch(
                    rank ->
                        holds.find(child, rank) != Holds.NONE
                            && holds.weighSame(holds.find(edge, rank), holds.find(child, rank)));
        assertFalse(
            !ends.contains(edge) && edges.requests(edge) == edges.requests(child) && alike,
            "two edges that could be one: edge=" + edge + " child=" + child);
      }
    }
  }
}
