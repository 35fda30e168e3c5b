package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.kvroute.memory.Arena;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class RepeatCheckTest {

  @Test
  void shouldFindARepeatWhereverItIs() {
    final Random random = new Random(3);
    try (Arena arena = Arena.ofCapacity(RepeatCheck.length())) {
      final RepeatCheck check = new RepeatCheck(arena);
      for (final int count : new int[] {0, 1, 2, 31, 32, 33, 100, 2047, 5000, 40_000, 100_000}) {
        for (int round = 0; round < 4; round++) {
          final long[] hashes = distinct(random, count, round);
          assertEquals(false, check.hasRepeat(new HashList().wrap(hashes, 0, count)));
          if (count > 1) {
            final int to = 1 + random.nextInt(count - 1);
            hashes[to] = hashes[random.nextInt(to)];
            assertEquals(
                Arrays.stream(hashes).distinct().count() < count,
                check.hasRepeat(new HashList().wrap(hashes, 0, count)),
                "count=" + count + " round=" + round);
          }
        }
      }
    }
  }

  /** Random numbers, small ones, and ones that differ in few bits. */
  private static long[] distinct(final Random random, final int count, final int kind) {
    final int shift = random.nextInt(40);
    final LongStream stream =
        switch (kind) {
          case 0 -> LongStream.range(0, count);
          case 1 -> LongStream.range(0, count).map(i -> i << shift);
          case 2 -> LongStream.range(0, count).map(i -> -i);
          default -> LongStream.generate(random::nextLong).distinct().limit(count);
        };
    return stream.toArray();
  }
}
