package io.kvroute.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.Region;
import io.kvroute.memory.SeededRun;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class NodeStoreTest {
  private static final long PARENT_MIX = 0x9E3779B97F4A7C15L;
  private static final long KEY_UNMIX =
      BigInteger.valueOf(0xC2B2AE3D27D4EB4FL).modInverse(BigInteger.ONE.shiftLeft(64)).longValue();

  private final Arena arena = Arena.tracking(1 << 20);

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  /** A child's parent and first key. */
  private record Place(int parent, long key) {}

  /** A key under which a child of {@code parent} has a chosen hash, to make children collide. */
  private static long collidingKey(final int parent, final long hash) {
    return (hash * KEY_UNMIX) ^ (parent * PARENT_MIX);
  }

  @Test
  void shouldFindEveryChildByParentAndKeyEvenWhenAllHashesCollide() {
    final int capacity = 40;
    final Region keys = arena.allocate("keys", 8L * (capacity + 1));
    final NodeStore nodes = new NodeStore(arena, capacity, keys);
    final Map<Place, Integer> model = new HashMap<>();
    final Map<Integer, Place> places = new HashMap<>();
    final List<Integer> freePages = new ArrayList<>();
    for (int page = 0; page < capacity; page++) {
      freePages.add(page);
    }
    SeededRun.run(
        12,
        SeededRun.operations(),
        run -> {
          final List<Integer> parents = new ArrayList<>(places.keySet());
          parents.add(NodeStore.ROOT);
          final int parent = parents.get(run.below(parents.size()));
          final long key = collidingKey(parent, run.below(4));
          final Place place = new Place(parent, key);
          assertEquals(model.getOrDefault(place, NodeStore.NONE), nodes.child(parent, key));
          if (!model.containsKey(place) && nodes.available() > 0 && run.below(5) < 3) {
            run.note("attach below, key", parent, key);
            final int page = freePages.remove(freePages.size() - 1);
            keys.putLong(8L * page, key);
            final int node = take(nodes, page);
            nodes.attach(parent, node);
            model.put(place, node);
            places.put(node, place);
          } else if (model.containsKey(place) && nodes.childCount(model.get(place)) == 0) {
            final int node = model.remove(place);
            run.note("detach", node);
            nodes.detach(node);
            freePages.add(nodes.head(node));
            nodes.release(node);
            places.remove(node);
          }
          verify(nodes, model, capacity);
        });
  }

  private static int take(final NodeStore nodes, final int page) {
    final int node = nodes.take();
    assertEquals(0, nodes.lockCount(node));
    assertEquals(0, nodes.stamp(node));
    assertEquals(0, nodes.childCount(node));
    assertEquals(0, nodes.count(node));
    final PageChain edge = new PageChain();
    edge.set(page, page, 1);
    nodes.storeEdge(node, edge);
    nodes.setLockCount(node, page);
    nodes.setStamp(node, ~page);
    return node;
  }

  private static void verify(
      final NodeStore nodes, final Map<Place, Integer> model, final int capacity) {
    final int[] children = new int[capacity + 1];
    model.forEach(
        (place, node) -> {
          children[place.parent]++;
          assertEquals(node, nodes.child(place.parent, place.key));
          assertEquals(place.parent, nodes.parent(node));
          assertEquals(place.key, nodes.firstKey(node));
          assertEquals(nodes.head(node), nodes.lockCount(node));
          assertEquals(~nodes.head(node), nodes.stamp(node));
        });
    for (final int node : model.values()) {
      assertEquals(children[node], nodes.childCount(node));
    }
    assertEquals(children[0], nodes.childCount(NodeStore.ROOT));
    assertEquals(model.size(), nodes.childEntries());
    assertEquals(model.size() + 1, nodes.live());
    assertEquals(capacity - model.size(), nodes.available());
    assertTrue(nodes.highWater() <= capacity + 1);
  }

  @Test
  void shouldPutANewNodeInThePlaceOfAnother() {
    final Region keys = arena.allocate("keys", 80);
    final NodeStore nodes = new NodeStore(arena, 4, keys);
    keys.putLong(0, 77);
    keys.putLong(8, 78);
    final int node = take(nodes, 0);
    nodes.attach(NodeStore.ROOT, node);
    final int front = take(nodes, 0);
    nodes.replaceChild(node, front);
    final PageChain rear = new PageChain();
    rear.set(1, 1, 1);
    nodes.storeEdge(node, rear);
    nodes.attach(front, node);
    assertEquals(front, nodes.child(NodeStore.ROOT, 77));
    assertEquals(NodeStore.NONE, nodes.child(NodeStore.ROOT, 78));
    assertEquals(node, nodes.child(front, 78));
    assertEquals(1, nodes.childCount(NodeStore.ROOT));
    assertEquals(1, nodes.childCount(front));
    assertEquals(front, nodes.parent(node));
    assertEquals(2, nodes.childEntries());
  }

  @Test
  void shouldRefuseANodeTooManyAndChangeNothing() {
    final NodeStore nodes = new NodeStore(arena, 2, arena.allocate("keys", 80));
    final int first = nodes.take();
    nodes.take();
    final CapacityExceededException failure =
        assertThrows(CapacityExceededException.class, nodes::take);
    assertEquals("radix nodes have run out: nodes=3 capacity=3", failure.getMessage());
    assertEquals(3, nodes.live());
    assertEquals(0, nodes.available());
    nodes.release(first);
    assertEquals(first, nodes.take());
    assertThrows(CapacityExceededException.class, nodes::take);
  }

  @Test
  void shouldAccountForItsMemoryExactly() {
    for (final int capacity : new int[] {1, 2, 1000}) {
      try (Arena counting = Arena.ofCapacity(1 << 20)) {
        final NodeStore nodes = new NodeStore(counting, capacity, null);
        assertEquals(NodeStore.length(capacity), counting.usedBytes());
        assertTrue(NodeStore.length(capacity) <= 44L * capacity + 48);
        nodes.free(counting);
        counting.assertNothingLive();
      }
    }
  }
}
