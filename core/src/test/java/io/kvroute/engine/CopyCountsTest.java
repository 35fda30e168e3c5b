package io.kvroute.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.SeededRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CopyCountsTest {
  private final Arena arena = Arena.tracking(1 << 22);

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  /** The table beside a map of counts and a set of blocks that the tree holds. */
  private final class Twin {
    final int places;
    final int blocks;
    final Region hashes;
    final CopyCounts copies;
    final List<Integer> idle = new ArrayList<>();
    final List<Integer> inFlight = new ArrayList<>();
    final Map<Long, Integer> counts = new HashMap<>();
    final Map<Long, Integer> tree = new HashMap<>();

    Twin(final int places, final int blocks) {
      this.places = places;
      this.blocks = blocks;
      hashes = arena.allocate("hashes", places * 8L);
      copies = new CopyCounts(arena, hashes, places);
      for (int place = 0; place < places; place++) {
        idle.add(place);
      }
    }

    long hashOf(final int place) {
      return hashes.getLong((long) place << 3);
    }

    void step(final SeededRun run) {
      // Long spells of growth and of decline, so that the table grows and shrinks.
      final boolean growing = run.operation() / (2 * places) % 2 == 0;
      if (!idle.isEmpty() && (growing ? run.below(4) > 0 : run.below(8) == 0)) {
        publish(run);
      } else if (!inFlight.isEmpty()) {
        leave(run);
      }
      if (!tree.isEmpty() && run.below(3) == 0) {
        removeFromTree(run);
      }
      assertEquals(inFlight.size(), copies.size());
      assertEquals(inFlight.isEmpty(), copies.isEmpty());
      final Set<Long> all = run.operation() % 50 == 0 ? new HashSet<>(counts.keySet()) : Set.of();
      all.forEach(hash -> assertEquals(expected(hash), copies.count(hash)));
    }

    private int expected(final long hash) {
      final int count = counts.getOrDefault(hash, 0);
      return count == 0 ? 0 : 2 * count + (tree.containsKey(hash) ? 1 : 0);
    }

    private void publish(final SeededRun run) {
      final int place = idle.remove(run.below(idle.size()));
      // Blocks come in families whose hashes share their upper bits, hence their home.
      final long hash = ((long) run.below(blocks) << 40) + run.below(3);
      run.note("publish place, hash", place, hash);
      hashes.putLong((long) place << 3, hash);
      final boolean first = !counts.containsKey(hash) && !tree.containsKey(hash);
      assertEquals(first, copies.publish(place, tree.containsKey(hash)));
      counts.merge(hash, 1, Integer::sum);
      inFlight.add(place);
    }

    private void leave(final SeededRun run) {
      final int place = inFlight.remove(run.below(inFlight.size()));
      final long hash = hashOf(place);
      final boolean toTree = !tree.containsKey(hash) && run.below(2) == 0;
      run.note("leave place, to tree", place, toTree ? 1 : 0);
      counts.merge(hash, -1, (a, b) -> a + b == 0 ? null : a + b);
      if (toTree) {
        copies.moveToTree(place);
        tree.put(hash, place);
      } else {
        final boolean last = !counts.containsKey(hash) && !tree.containsKey(hash);
        assertEquals(last, copies.removeInFlight(place));
        idle.add(place);
      }
    }

    private void removeFromTree(final SeededRun run) {
      final long hash = tree.keySet().stream().sorted().toList().get(run.below(tree.size()));
      final int place = tree.remove(hash);
      run.note("remove from tree", place);
      assertEquals(!counts.containsKey(hash), copies.removeFromTree(place));
      idle.add(place);
    }

    /** Takes every copy away as closing does; the last one of each block says so. */
    void close() {
      final Map<Long, Integer> rest = new HashMap<>(counts);
      tree.keySet().forEach(hash -> rest.merge(hash, 1, Integer::sum));
      final List<Integer> held = new ArrayList<>(inFlight);
      held.addAll(tree.values());
      held.sort(null);
      for (final int place : held) {
        final int left = rest.merge(hashOf(place), -1, Integer::sum);
        assertEquals(left == 0, copies.removeAny(place), "place " + place);
      }
      assertEquals(0, copies.size());
      copies.free(arena);
      arena.free(hashes);
      arena.assertNothingLive();
    }
  }

  @Test
  void shouldAgreeWithAMapOfCountsWhileItGrowsAndShrinks() {
    for (final int places : new int[] {1, 2, 40, 65, 300, 9000}) {
      for (final int blocks : new int[] {1 + places / 8, 2 * places}) {
        final Twin twin = new Twin(places, blocks);
        SeededRun.run(places + blocks, Math.max(400, 5 * places), twin::step);
        twin.close();
      }
    }
  }

  @Test
  void shouldCostFiveBytesAndAQuarterAnEntryAtMost() {
    for (final long places : new long[] {1, 100, 1000, 1 << 20, Integer.MAX_VALUE}) {
      assertTrue(CopyCounts.length(places) <= places * 21 / 4 + 20, "places=" + places);
    }
  }

  @Test
  void shouldAllocateNothing() {
    final Region hashes = arena.allocate("hashes", 1000 * 8L);
    for (int place = 0; place < 1000; place++) {
      hashes.putLong((long) place << 3, place % 900 * 0x9E3779B97F4A7C15L);
    }
    final CopyCounts copies = new CopyCounts(arena, hashes, 1000);
    final long allocated =
        AllocationMeter.bytes(
            300,
            () -> {
              for (int place = 0; place < 1000; place++) {
                copies.publish(place, false);
              }
              for (int place = 0; place < 1000; place++) {
                copies.removeAny(place);
              }
            });
    assertEquals(0, allocated);
  }
}
