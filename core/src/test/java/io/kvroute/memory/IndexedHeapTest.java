package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class IndexedHeapTest {
  private final Arena arena = Arena.tracking(1 << 24);

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  @Test
  void shouldAgreeWithASortedListUnderRandomUse() {
    for (final int items : new int[] {1, 2, 4, 5, 6, 21, 22, 300}) {
      agree(items, items, 5, SeededRun.operations() / 4);
      agree(-items, items, Integer.MAX_VALUE, SeededRun.operations() / 4);
    }
  }

  @Test
  @Tag("long")
  void shouldAgreeWithASortedListOverManyOperations() {
    agree(1, 50, 10, 400_000);
    agree(2, 5000, Integer.MAX_VALUE, 400_000);
  }

  private void agree(final long seed, final int items, final int keys, final int operations) {
    final IndexedHeap heap = new IndexedHeap(arena, "heap", items);
    final Map<Integer, Long> model = new HashMap<>();
    SeededRun.run(
        seed,
        operations,
        run -> {
          final int item = run.below(items);
          final long key = drawKey(run, keys);
          final int kind = run.below(100);
          if (!model.containsKey(item)) {
            run.note("push item, key", item, key);
            heap.push(item, key);
            model.put(item, key);
          } else if (kind < 50) {
            run.note("update item, key", item, key);
            heap.update(item, key);
            model.put(item, key);
          } else if (kind < 75) {
            run.note("remove item", item);
            heap.remove(item);
            model.remove(item);
          } else {
            run.note("pop");
            final int lowest = heap.peekItem();
            heap.remove(lowest);
            model.remove(lowest);
          }
          assertEquals(model.containsKey(item), heap.contains(item));
          assertEquals(model.size(), heap.size());
          if (model.isEmpty()) {
            assertEquals(IndexedHeap.NONE, heap.peekItem());
          } else if (items < 50 || run.operation() % 20 == 0) {
            assertHolds(heap, model, items);
          }
        });
    heap.free(arena);
    arena.assertNothingLive();
  }

  private static long drawKey(final SeededRun run, final int keys) {
    return switch (run.below(12)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      default -> run.below(keys) - keys / 2;
    };
  }

  private static void assertHolds(
      final IndexedHeap heap, final Map<Integer, Long> model, final int items) {
    final long lowest = model.values().stream().mapToLong(Long::longValue).min().orElseThrow();
    assertEquals(lowest, heap.peekKey());
    assertEquals(lowest, model.get(heap.peekItem()));
    final BitSet seen = new BitSet();
    for (int i = 0; i < heap.size(); i++) {
      final int item = heap.itemAt(i);
      assertFalse(seen.get(item), "an item stands twice: " + item);
      seen.set(item);
      assertEquals(model.get(item), heap.keyAt(i), "key of item " + item);
      assertTrue(i == 0 || heap.keyAt((i - 1) / 4) <= heap.keyAt(i), "out of order at " + i);
    }
    for (int item = 0; item < items; item++) {
      assertEquals(model.containsKey(item), heap.contains(item), "item=" + item);
    }
  }

  @Test
  void shouldGiveKeysInAscendingOrderWhateverTheOrderOfArrival() {
    final int items = 5000;
    final IndexedHeap heap = new IndexedHeap(arena, "heap", items);
    final Random random = new Random(17);
    for (int round = 0; round < 3; round++) {
      final long[] keys = new long[items];
      for (int item = 0; item < items; item++) {
        keys[item] = round == 0 ? -item : round == 1 ? item : random.nextLong();
        heap.push(item, keys[item]);
      }
      final long[] sorted = keys.clone();
      Arrays.sort(sorted);
      for (int i = 0; i < items; i++) {
        assertEquals(sorted[i], heap.peekKey(), "round=" + round + " i=" + i);
        assertEquals(sorted[i], keys[heap.peekItem()], "round=" + round + " i=" + i);
        heap.remove(heap.peekItem());
      }
      assertEquals(0, heap.size());
    }
  }

  @Test
  void shouldMoveAnItemUpAndDownWhenItsKeyChanges() {
    final IndexedHeap heap = new IndexedHeap(arena, "heap", 100);
    for (int item = 0; item < 100; item++) {
      heap.push(item, item);
    }
    heap.update(70, -5);
    assertEquals(70, heap.peekItem());
    heap.update(70, 1000);
    assertEquals(0, heap.peekItem());
    heap.update(0, 0);
    assertEquals(0, heap.peekItem());
    final List<Integer> order = new ArrayList<>();
    while (heap.size() > 0) {
      order.add(heap.peekItem());
      heap.remove(heap.peekItem());
    }
    assertEquals(70, order.get(99));
    assertEquals(71, order.get(70));
  }

  @Test
  void shouldWriteNoMoreThanALevelEachWhenAnItemComesOrGoes() {
    final int items = 100_000;
    final IndexedHeap heap = new IndexedHeap(arena, "heap", items);
    final Random random = new Random(18);
    for (int item = 0; item < items; item++) {
      heap.push(item, random.nextLong());
    }
    final int levels = 10;
    int[] before = snapshot(heap);
    for (int round = 0; round < 60; round++) {
      final int item = heap.peekItem();
      heap.remove(item);
      heap.push(item, round % 2 == 0 ? Long.MAX_VALUE : Long.MIN_VALUE);
      if (round % 3 == 0) {
        heap.update(random.nextInt(items), random.nextLong());
      }
      final int[] after = snapshot(heap);
      int moved = 0;
      for (int i = 0; i < items; i++) {
        moved += before[i] == after[i] ? 0 : 1;
      }
      assertTrue(moved <= 3 * levels, "moved=" + moved + " round=" + round);
      before = after;
    }
  }

  private static int[] snapshot(final IndexedHeap heap) {
    final int[] items = new int[heap.size()];
    for (int i = 0; i < items.length; i++) {
      items[i] = heap.itemAt(i);
    }
    return items;
  }

  @Test
  void shouldCostSixteenBytesAnItemAndCountThemExactly() {
    for (final int items : new int[] {0, 1, 1000, 65_537}) {
      try (Arena counting = Arena.ofCapacity(1 << 22)) {
        final IndexedHeap heap = new IndexedHeap(counting, "heap", items);
        assertEquals(16L * items, IndexedHeap.length(items));
        assertEquals(16L * items, counting.usedBytes());
        heap.free(counting);
        counting.assertNothingLive();
      }
    }
    assertEquals(16L * Integer.MAX_VALUE, IndexedHeap.length(Integer.MAX_VALUE));
  }

  @Test
  void shouldLeaveNothingBehindWhenTheArenaHasTooLittleRoom() {
    for (int room = 0; room < 1600; room += 100) {
      try (Arena small = Arena.tracking(room)) {
        final CapacityExceededException failure =
            assertThrows(
                CapacityExceededException.class, () -> new IndexedHeap(small, "heap", 100));
        assertTrue(failure.getMessage().contains("capacity=" + room), failure.getMessage());
        small.assertNothingLive();
        assertEquals(0, small.usedBytes());
      }
    }
  }

  @Test
  void shouldRefuseANegativeItemCount() {
    assertThrows(IllegalArgumentException.class, () -> new IndexedHeap(arena, "heap", -1));
    arena.assertNothingLive();
  }

  @Test
  void shouldAllocateNothing() {
    final IndexedHeap heap = new IndexedHeap(arena, "heap", 1000);
    final long[] keys = new Random(3).longs(1000).toArray();
    final long allocated =
        AllocationMeter.bytes(
            200,
            () -> {
              for (int item = 0; item < 1000; item++) {
                heap.push(item, keys[item]);
              }
              for (int item = 0; item < 1000; item++) {
                heap.update(item, keys[999 - item]);
              }
              while (heap.size() > 0) {
                heap.remove(heap.peekItem());
              }
            });
    assertEquals(0, allocated);
  }
}
