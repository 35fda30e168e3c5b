package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BitColumnTest {
  private static final int BITS = 1000;

  private final Arena arena = Arena.ofCapacity(1 << 20);
  private final BitColumn column = new BitColumn(arena, "bits", BITS);

  @AfterEach
  void giveBack() {
    column.free(arena);
    arena.assertNothingLive();
    arena.close();
  }

  private void assertAlike(final BitSet twin) {
    for (int i = 0; i < BITS; i++) {
      assertEquals(twin.get(i), column.get(i), "bit " + i);
    }
    assertEquals(twin.cardinality(), column.count(0, BITS));
  }

  @Test
  void shouldAgreeWithABitSet() {
    final BitSet twin = new BitSet();
    SeededRun.run(
        11,
        SeededRun.operations(),
        run -> {
          final int first = run.below(BITS);
          final int count = run.below(BITS - first + 1);
          final boolean value = run.random().nextBoolean();
          if (run.below(4) == 0) {
            run.note("set", first, value ? 1 : 0);
            column.set(first, value);
            twin.set(first, value);
          } else {
            run.note("set", first, count, value ? 1 : 0);
            column.set(first, count, value);
            twin.set(first, first + count, value);
          }
          assertEquals(twin.get(first), column.get(first));
          assertEquals(twin.get(first, first + count).cardinality(), column.count(first, count));
          if (run.operation() % 64 == 0) {
            assertAlike(twin);
          }
        });
    assertAlike(twin);
  }

  @Test
  void shouldSetAndCountAcrossTheBordersOfWords() {
    for (int first = 60; first <= 68; first++) {
      for (int end = first; end <= 132; end++) {
        column.clear(BITS);
        column.set(first, (long) end - first, true);
        assertEquals(end - first, column.count(0, BITS), "first=" + first + " end=" + end);
        assertEquals(end - first, column.count(first, (long) end - first));
        assertEquals(0, column.count(0, first));
      }
    }
  }

  @Test
  void shouldClearTheWordsOfTheFirstBitsOnly() {
    column.set(0, BITS, true);
    column.clear(65);
    assertEquals(BITS - 128, column.count(0, BITS));
    column.clear(0);
    assertEquals(BITS - 128, column.count(0, BITS));
  }

  @Test
  void shouldRefuseBitsBeyondItsWordsWhenChecked() {
    assumeTrue(Region.CHECKED);
    assertThrows(IndexOutOfBoundsException.class, () -> column.get(1024));
    assertThrows(IndexOutOfBoundsException.class, () -> column.set(1024, true));
    assertThrows(IndexOutOfBoundsException.class, () -> column.get(-1));
  }

  @Test
  void shouldAllocateNothing() {
    assertEquals(
        0,
        AllocationMeter.bytes(
            2000,
            () -> {
              column.set(3, 200, true);
              column.set(100, false);
              assertEquals(199, column.count(0, BITS));
              column.clear(BITS);
            }));
  }
}
