package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class LongIntMapTest {
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long UNMIX =
      BigInteger.valueOf(MIX).modInverse(BigInteger.ONE.shiftLeft(64)).longValue();

  private final Arena arena = Arena.tracking(1 << 24);

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  /** A key whose home is at {@code high} 2^32ths of the table, whatever the table's size. */
  private static long keyAt(final long high, final long low) {
    return (high << 32 | low) * UNMIX;
  }

  private static void assertHolds(final LongIntMap map, final Map<Long, Integer> model) {
    assertEquals(model.size(), map.size());
    model.forEach(
        (key, value) -> assertEquals(value, map.get(key), "key=" + Long.toUnsignedString(key)));
  }

  @Test
  void shouldAgreeWithAPlainMapInCrampedMapsThatAreOftenFull() {
    for (int entries = 0; entries <= 20; entries++) {
      final int keys = entries + 3;
      agree(entries, entries, SeededRun.operations() / 10, low -> keyAt(-(low % 2), low % keys));
    }
  }

  @Test
  void shouldAgreeWithAPlainMapWhenAllKeysWantTheLastSlot() {
    agree(1, 100, SeededRun.operations(), low -> keyAt(0xFFFF_FFFFL, low % 120));
  }

  @Test
  void shouldAgreeWithAPlainMapOverSmallNumbersAndTheirNegatives() {
    agree(2, 400, SeededRun.operations(), low -> low % 600 - 300);
  }

  @Test
  void shouldAgreeWithAPlainMapOverKeysThatDifferOnlyInHighBits() {
    agree(3, 400, SeededRun.operations(), low -> (low % 600) << 54 | 1);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithAPlainMapOverManyOperations() {
    for (final int keys : new int[] {5, 100, 3000}) {
      agree(keys, 1000, 200_000, low -> low % keys * MIX);
      agree(keys, keys, 200_000, low -> keyAt(low % 3 - 1, low % keys));
    }
  }

  private void agree(
      final long seed, final int entries, final int operations, final LongUnaryOperator keyOf) {
    final LongIntMap map = new LongIntMap(arena, "map", entries);
    final Map<Long, Integer> model = new HashMap<>();
    SeededRun.run(
        seed,
        operations,
        run -> {
          final boolean filling = run.operation() / 500 % 2 == 0;
          final long key = keyOf.applyAsLong(run.below(Integer.MAX_VALUE));
          final int value = 1 + run.below(run.below(2) == 0 ? 3 : Integer.MAX_VALUE);
          final int kind = run.below(100);
          run.note(kind < (filling ? 65 : 25) ? "put" : "remove", key, value);
          if (kind < (filling ? 65 : 25)) {
            put(map, model, key, value, entries, kind % 2 == 0);
          } else if (kind % 2 == 0) {
            assertEquals(model.getOrDefault(key, 0), map.remove(key));
            model.remove(key);
          } else {
            final long slot = map.slot(key);
            assertEquals(model.getOrDefault(key, 0), map.valueAt(slot));
            if (model.remove(key) != null) {
              map.removeAt(slot);
            }
          }
          assertEquals(model.size(), map.size());
          assertEquals(model.getOrDefault(key, LongIntMap.ABSENT), map.get(key));
          if (model.size() < 32 || run.operation() % 25 == 0) {
            assertHolds(map, model);
          }
        });
    assertHolds(map, model);
    map.free(arena);
    arena.assertNothingLive();
  }

  private static void put(
      final LongIntMap map,
      final Map<Long, Integer> model,
      final long key,
      final int value,
      final int entries,
      final boolean bySlot) {
    if (model.size() == entries && !model.containsKey(key)) {
      assertThrows(CapacityExceededException.class, () -> map.put(key, value));
      assertThrows(CapacityExceededException.class, () -> map.insertAt(map.slot(key), key, value));
      assertHolds(map, model);
      return;
    }
    if (!bySlot) {
      map.put(key, value);
    } else if (model.containsKey(key)) {
      map.setAt(map.slot(key), value);
    } else {
      map.insertAt(map.slot(key), key, value);
    }
    model.put(key, value);
  }

  @Test
  void shouldFillToItsCapacityDrainAndFillAgainAtEveryCapacityUpToThreeHundred() {
    for (int entries = 0; entries <= 300; entries++) {
      final LongIntMap map = new LongIntMap(arena, "map", entries);
      final Map<Long, Integer> model = new HashMap<>();
      final Random random = new Random(entries);
      for (int round = 0; round < 3; round++) {
        while (model.size() < entries) {
          final long key =
              round == 1 ? keyAt(-1 - random.nextInt(3), random.nextInt(5000)) : random.nextLong();
          map.put(key, model.size() + 1);
          model.put(key, map.get(key));
        }
        assertHolds(map, model);
        final CapacityExceededException failure =
            assertThrows(CapacityExceededException.class, () -> map.put(keyAt(7, 7), 1));
        assertTrue(failure.getMessage().contains("maxEntries=" + model.size()));
        assertHolds(map, model);
        final List<Long> order = new ArrayList<>(model.keySet());
        Collections.shuffle(order, random);
        final int kept = round == 0 ? 0 : random.nextInt(entries + 1);
        for (final long key : order.subList(kept, entries)) {
          assertEquals(model.remove(key), map.remove(key));
          assertEquals(LongIntMap.ABSENT, map.get(key));
        }
        assertHolds(map, model);
      }
      map.free(arena);
    }
  }

  @Test
  void shouldTakeEveryKeyAndEveryPositiveValue() {
    final LongIntMap map = new LongIntMap(arena, "map", 10);
    final long[] keys = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 0xFFFF_FFFFL};
    for (final long key : keys) {
      assertEquals(LongIntMap.ABSENT, map.get(key));
    }
    for (int i = 0; i < keys.length; i++) {
      map.put(keys[i], i % 2 == 0 ? Integer.MAX_VALUE - i : i);
    }
    for (int i = 0; i < keys.length; i++) {
      assertEquals(i % 2 == 0 ? Integer.MAX_VALUE - i : i, map.get(keys[i]));
    }
    for (final long key : keys) {
      map.remove(key);
      assertEquals(LongIntMap.ABSENT, map.get(key));
      assertEquals(LongIntMap.ABSENT, map.remove(key));
    }
    assertEquals(0, map.size());
  }

  @Test
  void shouldRefuseValuesThatAreNotPositiveAndChangeNothing() {
    final LongIntMap map = new LongIntMap(arena, "map", 10);
    map.put(-1, 5);
    for (final int value : new int[] {0, -1, Integer.MIN_VALUE}) {
      final IllegalArgumentException failure =
          assertThrows(IllegalArgumentException.class, () -> map.put(-1, value));
      assertTrue(failure.getMessage().contains("key=18446744073709551615"), failure.getMessage());
      assertTrue(failure.getMessage().contains("value=" + value), failure.getMessage());
      assertThrows(IllegalArgumentException.class, () -> map.put(3, value));
    }
    assertEquals(1, map.size());
    assertEquals(5, map.get(-1));
    assertEquals(LongIntMap.ABSENT, map.get(3));
  }

  @Test
  void shouldNameItsCapacityAndTheKeyWhenItIsFull() {
    final LongIntMap map = new LongIntMap(arena, "copies", 1);
    map.put(4, 1);
    assertEquals(
        "map is full: name=copies maxEntries=1 key=18446744073709551615",
        assertThrows(CapacityExceededException.class, () -> map.put(-1, 1)).getMessage());
    map.put(4, 2);
    assertEquals(2, map.get(4));
    assertEquals(1, map.size());
  }

  @Test
  void shouldProbeFewSlotsAtTheFullLoad() {
    final int entries = 100_000;
    final long slotCount = LongIntMap.length(entries) / 12;
    final Random random = new Random(78);
    final List<LongUnaryOperator> kinds =
        List.of(i -> i, i -> -i, i -> i << 32, i -> i * 4096, i -> random.nextLong());
    for (int kind = 0; kind < kinds.size(); kind++) {
      final LongIntMap map = new LongIntMap(arena, "map", entries);
      final long[] keys = new long[entries];
      for (int i = 0; i < entries; i++) {
        keys[i] = kinds.get(kind).applyAsLong(i);
        map.put(keys[i], 1);
      }
      long sum = 0;
      long longest = 0;
      for (final long key : keys) {
        final long home = (((key * MIX) >>> 32) * slotCount) >>> 32;
        final long distance = Math.floorMod(map.slot(key) - home, slotCount) + 1;
        sum += distance;
        longest = Math.max(longest, distance);
      }
      assertTrue(sum < entries * 3.2, "average=" + (double) sum / entries + " kind=" + kind);
      assertTrue(longest < 300, "longest=" + longest + " kind=" + kind);
      map.free(arena);
    }
  }

  @Test
  void shouldStayInFewSlotsWhileItIsSmall() {
    final LongIntMap map = new LongIntMap(arena, "map", 100_000);
    final Random random = new Random(6);
    long highest = 0;
    for (int round = 0; round < 1000; round++) {
      final long[] keys = random.longs(30).toArray();
      for (final long key : keys) {
        map.put(key, 1);
        highest = Math.max(highest, map.slot(key));
      }
      for (final long key : keys) {
        map.remove(key);
      }
    }
    assertTrue(highest < 64, "highest slot=" + highest);
    final long[] many = random.longs(50_000).toArray();
    for (final long key : many) {
      map.put(key, 1);
    }
    for (final long key : many) {
      map.remove(key);
    }
    for (int i = 0; i < 30; i++) {
      map.put(i, 1);
    }
    for (int i = 0; i < 30; i++) {
      map.remove(i);
    }
    for (int i = 0; i < 30; i++) {
      map.put(i, 1);
      assertTrue(map.slot(i) < 4096, "slot=" + map.slot(i));
    }
  }

  @Test
  void shouldCostFifteenBytesAnEntryAndCountThemExactly() {
    for (final int entries : new int[] {0, 1, 3, 4, 1000, 65_537}) {
      try (Arena counting = Arena.ofCapacity(1 << 22)) {
        final LongIntMap map = new LongIntMap(counting, "map", entries);
        assertEquals(LongIntMap.length(entries), counting.usedBytes());
        assertTrue(LongIntMap.length(entries) <= 15L * entries + 12, "entries=" + entries);
        map.free(counting);
        counting.assertNothingLive();
      }
    }
    assertEquals(12L * (2_147_483_647L + 536_870_911L + 1), LongIntMap.length(Integer.MAX_VALUE));
  }

  @Test
  void shouldRefuseCapacitiesOutOfRangeAndNameTheLimit() {
    for (final long entries : new long[] {-1, Long.MIN_VALUE, 1L << 31, Long.MAX_VALUE}) {
      final CapacityExceededException failure =
          assertThrows(
              CapacityExceededException.class, () -> new LongIntMap(arena, "map", entries));
      assertTrue(failure.getMessage().contains("maxEntries=" + entries), failure.getMessage());
      assertTrue(failure.getMessage().contains("limit=2147483647"), failure.getMessage());
    }
    assertThrows(
        CapacityExceededException.class, () -> new LongIntMap(arena, "map", Integer.MAX_VALUE));
    arena.assertNothingLive();
  }

  @Test
  void shouldAllocateNothingWhileItGrowsAndShrinks() {
    final LongIntMap map = new LongIntMap(arena, "map", 1000);
    final long[] keys = new Random(3).longs(1000).toArray();
    final long allocated =
        AllocationMeter.bytes(
            200,
            () -> {
              for (final long key : keys) {
                map.put(key, 1);
              }
              for (final long key : keys) {
                map.put(key, map.get(key) + 1);
              }
              for (final long key : keys) {
                map.remove(key);
              }
            });
    assertEquals(0, allocated);
    assertEquals(0, map.size());
  }
}
