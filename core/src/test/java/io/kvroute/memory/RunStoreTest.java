package io.kvroute.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RunStoreTest {
  private record Run(int start, int count, long mark) {}

  @Test
  void shouldReturnEveryUnitToOneLongRunWhenAllRunsAreFreed() {
    try (Arena arena = Arena.tracking(1 << 20)) {
      final RunStore store = new RunStore(arena, "runs", 1024);
      final int[] runs = new int[1024];
      for (int i = 0; i < runs.length; i++) {
        runs[i] = store.allocate(1);
        assertNotEquals(RunStore.NONE, runs[i]);
      }
      assertEquals(RunStore.NONE, store.allocate(1));
      assertEquals(0, store.longestFreeRun());
      for (final int run : runs) {
        store.free(run, 1);
      }
      assertEquals(0, store.usedUnits());
      assertEquals(1024, store.longestFreeRun());
      assertEquals(0, store.allocate(1024));
    }
  }

  @Test
  void shouldServeAnyRunsThatAddUpToTheLongestFreeRun() {
    final Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      try (Arena arena = Arena.ofCapacity(1 << 20)) {
        final RunStore store = new RunStore(arena, "runs", 64 + random.nextInt(400));
        int rest = store.longestFreeRun();
        while (rest > 0) {
          final int count = 1 + random.nextInt(rest);
          if (RunStore.roundUp(count) <= rest) {
            assertNotEquals(RunStore.NONE, store.allocate(count), "round=" + round);
            rest -= RunStore.roundUp(count);
          }
        }
      }
    }
  }

  @Test
  void shouldAgreeWithABitMapOfUnitsUnderRandomUse() {
    final int units = 777;
    try (Arena arena = Arena.tracking(1 << 20)) {
      final RunStore store = new RunStore(arena, "runs", units);
      final BitSet used = new BitSet();
      final List<Run> live = new ArrayList<>();
      final Random random = new Random(42);
      for (int step = 0; step < 20_000; step++) {
        if (random.nextInt(100) < 52) {
          allocate(store, used, live, 1 + random.nextInt(1 << random.nextInt(7)), step);
        } else if (!live.isEmpty() && random.nextInt(4) == 0) {
          final int index = random.nextInt(live.size());
          final Run run = live.get(index);
          final int count = 1 + random.nextInt(run.count);
          store.shrink(run.start, run.count, count);
          used.clear(run.start + RunStore.roundUp(count), run.start + RunStore.roundUp(run.count));
          live.set(index, new Run(run.start, count, run.mark));
        } else if (!live.isEmpty()) {
          final Run run = live.remove(random.nextInt(live.size()));
          assertEquals(
              run.mark, store.region().getLong(RunStore.offset(run.start)), "step=" + step);
          used.clear(run.start, run.start + RunStore.roundUp(run.count));
          store.free(run.start, run.count);
        }
        assertEquals(used.cardinality(), store.usedUnits(), "seed=42 step=" + step);
      }
      live.forEach(run -> store.free(run.start, run.count));
      assertEquals(512, store.longestFreeRun());
      store.free(arena);
      arena.assertNothingLive();
    }
  }

  private static void allocate(
      final RunStore store,
      final BitSet used,
      final List<Run> live,
      final int count,
      final int step) {
    final int length = RunStore.roundUp(count);
    final int start = store.allocate(count);
    if (start == RunStore.NONE) {
      for (int at = 0; at + length <= store.unitCount(); at += length) {
        final int next = used.nextSetBit(at);
        assertTrue(next >= 0 && next < at + length, "a free run was not found: step=" + step);
      }
      return;
    }
    assertEquals(0, start % length, "step=" + step);
    final int next = used.nextSetBit(start);
    assertTrue(next < 0 || next >= start + length, "runs overlap: seed=42 step=" + step);
    used.set(start, start + length);
    live.add(new Run(start, count, step));
    for (int i = 0; i < length; i++) {
      store.region().putLong(RunStore.offset(start + i), step);
      store.region().putLong(RunStore.offset(start + i) + 8, step);
    }
  }

  @Test
  void shouldRefuseToFreeWhatIsNotALiveRunInCheckedMode() {
    assumeTrue(Region.CHECKED);
    try (Arena arena = Arena.ofCapacity(1 << 20)) {
      final RunStore store = new RunStore(arena, "runs", 64);
      final int run = store.allocate(4);
      store.free(run, 4);
      assertThrows(IllegalStateException.class, () -> store.free(run, 4));
      assertThrows(IllegalStateException.class, () -> store.free(3, 2));
      assertThrows(IllegalStateException.class, () -> store.free(-1, 1));
    }
  }

  @Test
  void shouldRefuseACapacityOutOfRange() {
    try (Arena arena = Arena.ofCapacity(1 << 20)) {
      assertThrows(CapacityExceededException.class, () -> new RunStore(arena, "runs", 0));
      assertThrows(
          CapacityExceededException.class, () -> new RunStore(arena, "runs", (1L << 30) + 1));
      assertThrows(CapacityExceededException.class, () -> new RunStore(arena, "runs", 1 << 20));
      arena.assertNothingLive();
    }
  }

  @Test
  void shouldKeepTheCommittedLayout() throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/layouts/FreeRunLayout.txt")) {
      assertEquals(new String(in.readAllBytes(), StandardCharsets.UTF_8), FreeRunLayout.table());
    }
  }

  @Test
  void shouldAccountForItsMemoryExactly() {
    try (Arena arena = Arena.ofCapacity(1 << 20)) {
      new RunStore(arena, "runs", 1000);
      assertEquals(RunStore.length(1000), arena.usedBytes());
    }
  }
}
