package io.kvroute.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import java.util.Random;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class SequenceHashTest {
  private static final long[] LOCALS = {11, 22, 33, Long.MIN_VALUE, -1};

  @Test
  void shouldAgreeWithReferenceImplementation() {
    final long seed = 5;
    final Random random = new Random(seed);
    final LongHashFunction reference = LongHashFunction.xx3(1337);
    for (int round = 0; round < 1000; round++) {
      final long parent = random.nextLong();
      final long local = random.nextLong();
      assertEquals(
          reference.hashLongs(new long[] {parent, local}),
          SequenceHash.next(parent, local),
          "seed=" + seed + " round=" + round);
    }
  }

  @Test
  void shouldChainWithAndWithoutParent() {
    final long[] root = new long[7];
    assertEquals(5, SequenceHash.chain(LOCALS, 0, 5, false, 99, root, 1));
    assertArrayEquals(
        new long[] {
          0,
          11,
          next(11, 22),
          next(root[2], 33),
          next(root[3], Long.MIN_VALUE),
          next(root[4], -1),
          0
        },
        root);
    final long[] rest = new long[3];
    assertEquals(3, SequenceHash.chain(LOCALS, 2, 3, true, root[2], rest, 0));
    assertArrayEquals(new long[] {root[3], root[4], root[5]}, rest);
    assertEquals(0, SequenceHash.chain(LOCALS, 5, 0, true, 1, rest, 3));
    assertArrayEquals(new long[] {root[3], root[4], root[5]}, rest);
  }

  private static long next(final long parent, final long local) {
    return SequenceHash.next(parent, local);
  }

  @Test
  void shouldChainInPlace() {
    final long[] hashes = LOCALS.clone();
    SequenceHash.chain(hashes, 0, 5, false, 0, hashes, 0);
    assertArrayEquals(BlockHashes.computeSeqHashForBlock(LOCALS), hashes);
  }

  @Test
  void shouldChainInRegions() {
    try (Arena arena = Arena.ofCapacity(4096)) {
      final Region locals = arena.allocate("locals", 64);
      final Region out = arena.allocate("out", 64);
      for (int i = 0; i < LOCALS.length; i++) {
        locals.putLong(8 + 8L * i, LOCALS[i]);
      }
      assertEquals(5, SequenceHash.chain(locals, 8, 5, false, 99, out, 16));
      final long[] expected = BlockHashes.computeSeqHashForBlock(LOCALS);
      for (int i = 0; i < expected.length; i++) {
        assertEquals(expected[i], out.getLong(16 + 8L * i), "index=" + i);
      }
      assertEquals(0, out.getLong(8));
      assertEquals(0, out.getLong(56));
      assertEquals(2, SequenceHash.chain(locals, 32, 2, true, expected[2], locals, 32));
      assertEquals(expected[3], locals.getLong(32));
      assertEquals(expected[4], locals.getLong(40));
      assertEquals(0, SequenceHash.chain(locals, 8, 0, false, 0, out, 0));
      assertEquals(0, out.getLong(0));
    }
  }

  @Test
  void shouldRefuseSlicesOutsideOfArraysAndRegions() {
    final long[] out = new long[3];
    refused(() -> SequenceHash.chain(LOCALS, 3, 3, false, 0, out, 0));
    refused(() -> SequenceHash.chain(LOCALS, 0, 3, false, 0, out, 1));
    refused(() -> SequenceHash.chain(LOCALS, 0, -1, false, 0, out, 0));
    assertArrayEquals(new long[3], out);
  }

  @Test
  void shouldRefuseRangesOutsideOfRegionsInCheckedMode() {
    Assumptions.assumeTrue(Region.CHECKED, "regions are verified in checked mode only");
    try (Arena arena = Arena.ofCapacity(4096)) {
      final Region region = arena.allocate("region", 24);
      refused(() -> SequenceHash.chain(region, 0, 4, false, 0, region, 0));
      refused(() -> SequenceHash.chain(region, 0, -1, false, 0, region, 0));
    }
  }

  private static void refused(final org.junit.jupiter.api.function.Executable call) {
    assertThrows(IndexOutOfBoundsException.class, call);
  }
}
