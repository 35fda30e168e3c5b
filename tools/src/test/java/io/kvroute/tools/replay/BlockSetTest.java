package io.kvroute.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlockSetTest {

  @Test
  void shouldTellHowManyLeadingBlocksWereThere() {
    final BlockSet set = new BlockSet();
    assertEquals(0, set.admit(new long[] {5, 0, 7, 9}, 3));
    assertEquals(3, set.admit(new long[] {5, 0, 7, 9}, 4));
    assertEquals(4, set.admit(new long[] {5, 0, 7, 9, -1}, 5));
    assertEquals(5, set.size());
    assertEquals(0, set.admit(new long[0], 0));
  }

  @Test
  void shouldAgreeWithASetOfTheJdkWhenItGrows() {
    final long seed = 20_260_801;
    final Random random = new Random(seed);
    final BlockSet set = new BlockSet();
    final Set<Long> twin = new HashSet<>();
    final long[] chain = new long[64];
    for (int round = 0; round < 2_000; round++) {
      long state = random.nextInt(40);
      int expected = 0;
      boolean known = true;
      for (int i = 0; i < chain.length; i++) {
        state = state * 6364136223846793005L + random.nextInt(3);
        chain[i] = state;
      }
      for (final long hash : chain) {
        known = known && twin.contains(hash);
        expected += known ? 1 : 0;
      }
      boolean closed = true;
      for (int i = expected; i < chain.length; i++) {
        closed = closed && !twin.contains(chain[i]);
      }
      if (closed) {
        assertEquals(expected, set.admit(chain, chain.length), "seed=" + seed + " round=" + round);
        for (final long hash : chain) {
          twin.add(hash);
        }
      }
    }
    assertEquals(twin.size(), set.size());
  }
}
