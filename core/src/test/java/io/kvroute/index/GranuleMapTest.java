package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.Arena;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class GranuleMapTest {

  @Test
  void shouldGiveEveryGranuleOnceAndPreferTheOneAskedFor() {
    final Random random = new Random(8);
    for (final int count : new int[] {1, 63, 64, 65, 4095, 4096, 4097, 10_000}) {
      try (Arena arena = Arena.ofCapacity(GranuleMap.length(count))) {
        final GranuleMap map = new GranuleMap(arena, count);
        final BitSet used = new BitSet();
        for (int step = 0; step < 6 * count; step++) {
          final boolean fill = step < 2 * count || random.nextInt(3) != 0;
          if (fill && map.freeCount() > 0) {
            final int preferred = random.nextInt(count + 2) - 1;
            final boolean free = preferred >= 0 && preferred < count && !used.get(preferred);
            final int granule = map.take(preferred);
            assertTrue(granule >= 0 && granule < count && !used.get(granule), "step=" + step);
            assertTrue(!free || granule == preferred, "step=" + step);
            used.set(granule);
          } else if (!fill && !used.isEmpty()) {
            final int granule = used.previousSetBit(random.nextInt(count));
            if (granule >= 0) {
              used.clear(granule);
              map.release(granule);
              assertFalse(map.isUsed(granule));
            }
          }
          assertEquals(used.cardinality(), map.usedCount());
          assertEquals(count - used.cardinality(), map.freeCount());
        }
      }
    }
  }

  @Test
  void shouldFailWhenNoGranuleIsFree() {
    try (Arena arena = Arena.ofCapacity(GranuleMap.length(3))) {
      final GranuleMap map = new GranuleMap(arena, 3);
      for (int i = 0; i < 3; i++) {
        map.take(GranuleMap.NONE);
      }
      assertThrows(IllegalStateException.class, () -> map.take(1));
    }
  }
}
