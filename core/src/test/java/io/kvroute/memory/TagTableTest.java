package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class TagTableTest {
  private final Arena arena = Arena.tracking(1 << 24);

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  /** Which values a table should hold, by hash. */
  private static final class Model {
    final Map<Integer, Long> hashes = new HashMap<>();

    TreeSet<Integer> valuesWithTagOf(final long hash) {
      final TreeSet<Integer> values = new TreeSet<>();
      hashes.forEach((value, other) -> values.addAll(sameTag(hash, other, value)));
      return values;
    }

    private static List<Integer> sameTag(final long hash, final long other, final int value) {
      return other >>> 32 == hash >>> 32 ? List.of(value) : List.of();
    }
  }

  private static TreeSet<Integer> candidates(final TagTable table, final long hash) {
    final TreeSet<Integer> values = new TreeSet<>();
    for (long slot = table.first(hash); slot != TagTable.ABSENT; slot = table.next(slot, hash)) {
      assertTrue(values.add(table.value(slot)), "a value came twice: " + table.value(slot));
    }
    return values;
  }

  private static long slotOf(final TagTable table, final long hash, final int value) {
    long slot = table.first(hash);
    while (slot != TagTable.ABSENT && table.value(slot) != value) {
      slot = table.next(slot, hash);
    }
    return slot;
  }

  private static void assertHolds(final TagTable table, final Model model) {
    assertEquals(model.hashes.size(), table.size());
    model.hashes.forEach(
        (value, hash) ->
            assertNotEquals(TagTable.ABSENT, slotOf(table, hash, value), "lost value=" + value));
  }

  /** Hashes with few different tags, at the ends of the range, so that clusters wrap around. */
  private static long crampedHash(final Random random, final int tags) {
    final long tag = random.nextInt(tags) - tags / 2L;
    return (tag << 32) | (random.nextInt() & 0xFFFF_FFFFL);
  }

  @Test
  void shouldAgreeWithAPlainMapInCrampedTablesThatAreOftenFull() {
    for (int entries = 0; entries <= 20; entries++) {
      agree(100 + entries, entries, 1 + entries / 2, SeededRun.operations() / 10);
    }
  }

  @Test
  void shouldAgreeWithAPlainMapWhenAllTagsAreTheSame() {
    agree(7, 30, 1, SeededRun.operations());
  }

  @Test
  void shouldAgreeWithAPlainMapUnderRandomHashes() {
    agree(8, 500, Integer.MAX_VALUE, SeededRun.operations());
  }

  @Test
  @Tag("long")
  void shouldAgreeWithAPlainMapOverManyOperations() {
    for (final int tags : new int[] {2, 50, 1000, Integer.MAX_VALUE}) {
      agree(tags, 300, tags, 200_000);
    }
  }

  private void agree(final long seed, final int entries, final int tags, final int operations) {
    final TagTable table = new TagTable(arena, "table", entries);
    final Model model = new Model();
    final int[] nextValue = new int[1];
    SeededRun.run(
        seed,
        operations,
        run -> {
          final long hash = crampedHash(run.random(), tags);
          final int kind = run.below(100);
          if (kind < 52) {
            insert(run, table, model, hash, nextValue[0]++);
          } else if (kind < 90) {
            removeAny(run, table, model);
          } else if (kind < 95) {
            replaceAny(run, table, model, nextValue[0]++);
          } else if (kind == 95 && run.below(20) == 0) {
            run.note("clear");
            table.clear();
            model.hashes.clear();
          }
          assertEquals(model.hashes.size(), table.size());
          assertEquals(model.valuesWithTagOf(hash), candidates(table, hash));
        });
    assertHolds(table, model);
    table.free(arena);
    arena.assertNothingLive();
  }

  private static void insert(
      final SeededRun run,
      final TagTable table,
      final Model model,
      final long hash,
      final int value) {
    run.note("insert hash, value", hash, value);
    if (model.hashes.size() == table.maxEntries()) {
      assertThrows(CapacityExceededException.class, () -> table.insert(hash, value));
      assertHolds(table, model);
    } else {
      table.insert(hash, value);
      model.hashes.put(value, hash);
    }
  }

  private static void removeAny(final SeededRun run, final TagTable table, final Model model) {
    if (!model.hashes.isEmpty()) {
      final int value = any(run, model);
      final long hash = model.hashes.remove(value);
      run.note("remove hash, value", hash, value);
      table.remove(slotOf(table, hash, value));
      if (model.hashes.size() < 64 || run.operation() % 50 == 0) {
        assertHolds(table, model);
      }
    }
  }

  private static void replaceAny(
      final SeededRun run, final TagTable table, final Model model, final int newValue) {
    if (!model.hashes.isEmpty()) {
      final int value = any(run, model);
      final long hash = model.hashes.remove(value);
      run.note("set hash, value, newValue", hash, value, newValue);
      table.setValue(slotOf(table, hash, value), newValue);
      model.hashes.put(newValue, hash);
    }
  }

  private static int any(final SeededRun run, final Model model) {
    final List<Integer> values = new ArrayList<>(model.hashes.keySet());
    return values.get(run.below(values.size()));
  }

  @Test
  void shouldHoldExactlyItsCapacityAndNameItWhenRefusingMore() {
    final TagTable table = new TagTable(arena, "children", 10);
    for (int i = 0; i < 10; i++) {
      table.insert((long) i << 60, i);
    }
    final CapacityExceededException failure =
        assertThrows(CapacityExceededException.class, () -> table.insert(1, 10));
    assertEquals("table is full: name=children maxEntries=10", failure.getMessage());
    assertEquals(10, table.size());
    for (int i = 0; i < 10; i++) {
      assertTrue(candidates(table, (long) i << 60).contains(i));
    }
    assertEquals(TagTable.ABSENT, slotOf(table, 1, 10));
  }

  @Test
  void shouldRefuseEveryInsertWhenMadeForNoEntries() {
    final TagTable table = new TagTable(arena, "none", 0);
    assertEquals(TagTable.ABSENT, table.first(0));
    assertEquals(TagTable.ABSENT, table.first(-1));
    assertThrows(CapacityExceededException.class, () -> table.insert(0, 0));
    assertEquals(0, table.size());
  }

  @Test
  void shouldTellAbsenceFromAnEntryWhoseTagOrValueIsZeroOrAllOnes() {
    final TagTable table = new TagTable(arena, "table", 4);
    table.insert(0, 0);
    table.insert(-1, 0);
    table.insert(0, Integer.MAX_VALUE - 1);
    table.insert(-1, Integer.MAX_VALUE - 1);
    assertEquals(new TreeSet<>(List.of(0, Integer.MAX_VALUE - 1)), candidates(table, 0));
    assertEquals(new TreeSet<>(List.of(0, Integer.MAX_VALUE - 1)), candidates(table, -1));
    table.remove(slotOf(table, 0, 0));
    assertEquals(new TreeSet<>(List.of(Integer.MAX_VALUE - 1)), candidates(table, 0));
    assertEquals(new TreeSet<>(List.of(0, Integer.MAX_VALUE - 1)), candidates(table, -1));
  }

  @Test
  void shouldVisitEveryPairWhenALookUpRunsInsideALookUpOfTheSameTable() {
    final TagTable table = new TagTable(arena, "table", 4);
    for (int value = 0; value < 4; value++) {
      table.insert(-1, value);
    }
    int pairs = 0;
    for (long left = table.first(-1); left != TagTable.ABSENT; left = table.next(left, -1)) {
      for (long right = table.first(-1); right != TagTable.ABSENT; right = table.next(right, -1)) {
        pairs++;
      }
    }
    assertEquals(16, pairs);
  }

  @Test
  void shouldRefuseValuesThatItCannotTellFromAbsence() {
    final TagTable table = new TagTable(arena, "table", 4);
    table.insert(0, 5);
    for (final int value : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      final IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> table.insert(0, value));
      assertTrue(failure.getMessage().contains("value=" + value), failure.getMessage());
      assertThrows(IllegalArgumentException.class, () -> table.setValue(table.first(0), value));
    }
    assertEquals(1, table.size());
    assertEquals(new TreeSet<>(List.of(5)), candidates(table, 0));
  }

  @Test
  void shouldKeepEveryOtherEntryReachableWhateverIsRemovedFromAWrappedCluster() {
    final int entries = 8;
    for (int shift = 0; shift < 1 << entries; shift++) {
      final TagTable table = new TagTable(arena, "table", entries);
      final Model model = new Model();
      for (int value = 0; value < entries; value++) {
        final long hash = (shift & 1 << value) == 0 ? -1L << 32 : (value % 3L) << 32;
        table.insert(hash, value);
        model.hashes.put(value, hash);
      }
      final List<Integer> order = new ArrayList<>(model.hashes.keySet());
      Collections.shuffle(order, new Random(shift));
      for (final int value : order) {
        table.remove(slotOf(table, model.hashes.remove(value), value));
        assertHolds(table, model);
      }
      table.free(arena);
    }
  }

  @Test
  void shouldProbeFewSlotsAtTheFullLoad() {
    final int entries = 100_000;
    final TagTable table = new TagTable(arena, "table", entries);
    final long slotCount = TagTable.length(entries) / Long.BYTES;
    final Random random = new Random(77);
    final long[] hashes = new long[entries];
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < entries; i++) {
        if (round > 0) {
          table.remove(slotOf(table, hashes[i], i));
        }
        hashes[i] = random.nextLong();
        table.insert(hashes[i], i);
      }
      long sum = 0;
      long longest = 0;
      for (int i = 0; i < entries; i++) {
        final long home = ((hashes[i] >>> 32) * slotCount) >>> 32;
        final long distance = Math.floorMod(slotOf(table, hashes[i], i) - home, slotCount) + 1;
        sum += distance;
        longest = Math.max(longest, distance);
      }
      assertTrue(sum < entries * 2.1, "average=" + (double) sum / entries + " round=" + round);
      assertTrue(longest < 100, "longest=" + longest + " round=" + round);
    }
  }

  @Test
  void shouldCostTwelveBytesAnEntryAndCountThemExactly() {
    for (final int entries : new int[] {0, 1, 2, 3, 1000, 65_537}) {
      try (Arena counting = Arena.ofCapacity(1 << 22)) {
        final TagTable table = new TagTable(counting, "table", entries);
        assertEquals(TagTable.length(entries), counting.usedBytes());
        assertTrue(TagTable.length(entries) <= 12L * entries + 16, "entries=" + entries);
        table.free(counting);
        counting.assertNothingLive();
      }
    }
    assertEquals(12L * 2_147_483_646 + 16, TagTable.length(2_147_483_646L));
  }

  @Test
  void shouldRefuseCapacitiesOutOfRangeAndNameTheLimit() {
    for (final long entries : new long[] {-1, Long.MIN_VALUE, 2_147_483_647L, Long.MAX_VALUE}) {
      final CapacityExceededException failure =
          assertThrows(
              CapacityExceededException.class, () -> new TagTable(arena, "table", entries));
      assertTrue(failure.getMessage().contains("maxEntries=" + entries), failure.getMessage());
      assertTrue(failure.getMessage().contains("limit=2147483646"), failure.getMessage());
      assertThrows(CapacityExceededException.class, () -> TagTable.length(entries));
    }
    assertThrows(
        CapacityExceededException.class, () -> new TagTable(arena, "table", 1_000_000_000));
    arena.assertNothingLive();
  }

  @Test
  void shouldAllocateNothing() {
    final TagTable table = new TagTable(arena, "table", 1000);
    final Random random = new Random(3);
    final long[] hashes = random.longs(1000).toArray();
    final long allocated =
        AllocationMeter.bytes(
            200,
            () -> {
              for (int i = 0; i < hashes.length; i++) {
                table.insert(hashes[i], i);
              }
              for (int i = 0; i < hashes.length; i++) {
                long slot = table.first(hashes[i]);
                while (table.value(slot) != i) {
                  slot = table.next(slot, hashes[i]);
                }
                table.setValue(slot, i + 1);
                table.remove(slot);
              }
            });
    assertEquals(0, allocated);
    assertEquals(0, table.size());
  }
}
