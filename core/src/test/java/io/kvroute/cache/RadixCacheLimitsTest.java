package io.kvroute.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.TokenView;
import io.kvroute.memory.AllocationMeter;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.IndexedHeap;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Sizes, refusals, costs and the end of life of a radix cache. */
final class RadixCacheLimitsTest {
  private static final long MOST_PAGES = Integer.MAX_VALUE;
  private static final int MOST_NODES = Integer.MAX_VALUE - 1;

  @Test
  void shouldCountPagesInLongArithmetic() {
    assertEquals(1L << 27, RadixCache.pageCount(1L << 33, 64));
    assertEquals(MOST_PAGES, RadixCache.pageCount(MOST_PAGES, 1));
    assertEquals(MOST_PAGES, RadixCache.pageCount(MOST_PAGES * 0xFFFF_FFFFL, 0xFFFF_FFFFL));
    assertEquals(2, RadixCache.pageCount(11, 4));
  }

  @Test
  void shouldRefuseMorePagesThanIntsCanNameAndNameTheLimit() {
    for (final long[] size :
        new long[][] {{1L << 31, 1}, {1L << 37, 64}, {Long.MAX_VALUE, 1}, {Long.MAX_VALUE, 64}}) {
      try (Arena arena = Arena.tracking(1 << 20)) {
        final String message =
            "too many pages: pageCount=" + size[0] / size[1] + " limit=2147483647";
        for (final Executable call :
            List.<Executable>of(
                () -> RadixCache.pageCount(size[0], size[1]),
                () -> RadixCache.length(size[0], size[1], 100),
                () -> new RadixCache(arena, size[0], size[1], 100))) {
          assertEquals(message, assertThrows(CapacityExceededException.class, call).getMessage());
        }
        arena.assertNothingLive();
      }
    }
  }

  @Test
  void shouldRefuseSizesThatMakeNoSense() {
    try (Arena arena = Arena.tracking(1 << 20)) {
      for (final long[] size :
          new long[][] {
            {0, 1},
            {-1, 1},
            {15, 16},
            {16, 0},
            {16, -1},
            {Long.MIN_VALUE, Long.MIN_VALUE},
            {Long.MAX_VALUE, 1L << 32},
            {1L << 32, 1L << 32}
          }) {
        assertThrows(
            IllegalArgumentException.class,
            () -> new RadixCache(arena, size[0], size[1], 100),
            size[0] + " " + size[1]);
        assertThrows(
            IllegalArgumentException.class, () -> RadixCache.length(size[0], size[1], 100));
      }
      for (final int nodeCapacity : new int[] {0, -1, Integer.MIN_VALUE}) {
        final IllegalArgumentException failure =
            assertThrows(
                IllegalArgumentException.class, () -> new RadixCache(arena, 64, 4, nodeCapacity));
        assertTrue(failure.getMessage().contains("nodeCapacity=" + nodeCapacity));
      }
      assertThrows(
          CapacityExceededException.class, () -> new RadixCache(arena, 64, 4, Integer.MAX_VALUE));
      assertThrows(
          CapacityExceededException.class, () -> RadixCache.length(64, 4, Integer.MAX_VALUE));
      arena.assertNothingLive();
    }
  }

  @Test
  void shouldStateItsMemoryExactlyWhateverItsSize() {
    for (final int pages : new int[] {1, 2, 63, 64, 65, 1000, 10_000}) {
      for (final int nodeCapacity : new int[] {1, 2, 100, pages}) {
        try (Arena arena = Arena.tracking(1 << 22)) {
          final RadixCache cache = new RadixCache(arena, pages * 3L, 3, nodeCapacity);
          assertEquals(RadixCache.length(pages * 3L, 3, nodeCapacity), arena.usedBytes());
          cache.free(arena);
          arena.assertNothingLive();
        }
      }
    }
  }

  @Test
  void shouldStateTheMemoryOfTheLargestCacheWithoutOverflow() {
    assertEquals(expectedLength(1L << 27, MOST_NODES), RadixCache.length(1L << 33, 64, MOST_NODES));
    assertEquals(
        expectedLength(MOST_PAGES, MOST_NODES), RadixCache.length(MOST_PAGES, 1, MOST_NODES));
    assertEquals(
        expectedLength(40_000_000, 40_000_000), RadixCache.length(40_000_000, 1, 40_000_000));
  }

  /** 28 bytes and two bits a place, 4 a page, 60 a node, the root, the spare slots, the window. */
  private static long expectedLength(final long pages, final long nodes) {
    final long places = Math.min(pages + pages / 32, Integer.MAX_VALUE);
    final BigInteger words = BigInteger.valueOf(places).add(BigInteger.valueOf(63)).shiftRight(6);
    return BigInteger.valueOf(places)
        .multiply(BigInteger.valueOf(28))
        .add(words.shiftLeft(4))
        .add(BigInteger.valueOf(pages).shiftLeft(2))
        .add(BigInteger.valueOf(nodes + 1).multiply(BigInteger.valueOf(48)))
        .add(BigInteger.valueOf(nodes + nodes / 2 + 2).shiftLeft(3))
        .add(BigInteger.valueOf(512 * 8))
        .longValueExact();
  }

  @Test
  void shouldCostAtMostThirtyFourBytesAPageAndSixtyANodeAndAFewHundred() {
    for (int pages = 1; pages < 20_000; pages += 1 + pages / 50) {
      for (final int nodeCapacity : new int[] {1, 2, 10, 1000, pages}) {
        final long length = RadixCache.length(pages, 1, nodeCapacity);
        assertTrue(
            length <= 34L * pages + 60L * nodeCapacity + 244,
            "pages=" + pages + " nodeCapacity=" + nodeCapacity + " length=" + length);
      }
    }
  }

  @Test
  void shouldLeaveNothingBehindWhenTheArenaHasTooLittleRoom() {
    final long length = RadixCache.length(64, 4, 16);
    for (long room = 0; room < length; room += 24) {
      try (Arena arena = Arena.tracking(room)) {
        assertThrows(CapacityExceededException.class, () -> new RadixCache(arena, 64, 4, 16));
        arena.assertNothingLive();
      }
    }
    try (Arena arena = Arena.tracking(length)) {
      assertEquals(64, new RadixCache(arena, 64, 4, 16).availableTokens());
    }
  }

  @Test
  void shouldRefuseEveryAccessAfterTheArenaWasClosedWithBoundsChecksOnOrOff() {
    final Arena arena = Arena.tracking(1 << 16);
    final RadixCache cache = new RadixCache(arena, 64, 4, 16);
    final TokenView prompt = Prompts.of(4, 1, 2);
    final PageChain chain = new PageChain();
    cache.pool().allocate(2, chain);
    arena.close();
    for (final Executable access :
        List.<Executable>of(
            () -> cache.prefixMatchLen(prompt),
            () -> cache.matchPrefix(prompt),
            () -> cache.keySuffix(prompt, chain, 2),
            () -> cache.keyAndChainSuffix(prompt, chain, 2, false, 0),
            () -> cache.lock(1),
            () -> cache.unlock(1),
            () -> cache.coveredPages(0, chain),
            () -> cache.coveringPage(0, chain, 0),
            () -> cache.insert(0, chain, new PageChain()),
            () -> cache.evict(1, chain),
            () -> cache.evictLeaf(chain),
            () -> cache.parent(1),
            () -> cache.loadEdge(1, new PageChain()),
            cache::pool)) {
      final IllegalStateException failure = assertThrows(IllegalStateException.class, access);
      assertEquals("radix cache used after close: totalTokens=64 pageSize=4", failure.getMessage());
    }
  }

  @Test
  void shouldRefuseAMatchOrAnInsertWhenNodesHaveRunOutAndChangeNothing() {
    try (Arena arena = Arena.tracking(1 << 16)) {
      final RadixCache cache = new RadixCache(arena, 64, 1, 3);
      final PageChain duplicates = new PageChain();
      put(cache, duplicates, 1, 2, 3, 4);
      assertEquals(3, cache.matchPrefix(Prompts.of(1, 1, 2, 3)));
      assertEquals(2, cache.matchPrefix(Prompts.of(1, 1, 2)));
      assertEquals(0, cache.availableNodes());
      final String before = CacheInspector.describe(cache);
      final CapacityExceededException failure =
          assertThrows(
              CapacityExceededException.class, () -> cache.matchPrefix(Prompts.of(1, 1, 9)));
      assertEquals("radix nodes have run out: nodes=4 capacity=4", failure.getMessage());
      assertEquals(before, CacheInspector.describe(cache));
      final PageChain suffix = new PageChain();
      final int node = begin(cache, suffix, 7, 8);
      final String begun = CacheInspector.describe(cache);
      assertThrows(CapacityExceededException.class, () -> cache.insert(node, suffix, duplicates));
      assertEquals(begun, CacheInspector.describe(cache));
      assertEquals(2, suffix.count());
      CacheInspector.verify(cache, List.of(suffix, duplicates));
      assertEquals(3, cache.matchPrefix(Prompts.of(1, 1, 2, 3)));
      final PageChain evicted = new PageChain();
      cache.evictLeaf(evicted);
      cache.evictLeaf(evicted);
      cache.pool().release(evicted);
      cache.insert(node, suffix, duplicates);
      assertEquals(2, cache.prefixMatchLen(Prompts.of(1, 7, 8)));
      CacheInspector.verify(cache, List.of(duplicates));
    }
  }

  @Test
  void shouldNeedNoMoreNodesThanThereArePages() {
    try (Arena arena = Arena.tracking(1 << 16)) {
      final RadixCache cache = new RadixCache(arena, 8, 1, 8);
      final PageChain duplicates = new PageChain();
      put(cache, duplicates, 1, 2, 3, 4, 5, 6, 7, 8);
      for (int length = 1; length < 8; length++) {
        final int[] prompt = IntStream.rangeClosed(1, length).toArray();
        assertEquals(length, cache.matchPrefix(Prompts.of(1, prompt)));
      }
      assertEquals(9, cache.nodes());
      assertEquals(0, cache.availableNodes());
      CacheInspector.verify(cache, List.of(duplicates));
    }
  }

  private static int begin(final RadixCache cache, final PageChain suffix, final int... symbols) {
    final TokenView prompt = Prompts.of((int) cache.pageSize(), symbols);
    final int missing = symbols.length - (int) (cache.matchPrefix(prompt) / cache.pageSize());
    assertTrue(cache.pool().allocate(missing, suffix));
    cache.keySuffix(prompt, suffix, missing);
    return cache.matchedNode();
  }

  private static void put(
      final RadixCache cache, final PageChain duplicates, final int... symbols) {
    final PageChain suffix = new PageChain();
    cache.insert(begin(cache, suffix, symbols), suffix, duplicates);
  }

  /** A cache full of one-page leaves, and the loop that replaces the oldest by a new one. */
  private static final class Churn {
    final RadixCache cache;
    final int leaves;
    final PageChain suffix = new PageChain();
    final PageChain duplicates = new PageChain();
    final PageChain evicted = new PageChain();
    final int[] token = new int[1];
    final TokenView prompt = new TokenView();

    Churn(final Arena arena, final int leaves) {
      this.leaves = leaves;
      cache = new RadixCache(arena, leaves, 1, leaves);
      while (cache.pool().available() > 0) {
        insertNext();
      }
    }

    void insertNext() {
      token[0]++;
      prompt.wrap(token, 0, 1);
      assertEquals(0, cache.matchPrefix(prompt));
      cache.pool().allocate(1, suffix);
      cache.keySuffix(prompt, suffix, 1);
      cache.insert(RadixCache.ROOT, suffix, duplicates);
    }

    void replaceOldest() {
      assertEquals(1, cache.evict(1, evicted));
      cache.pool().release(evicted);
      insertNext();
    }

    int[] heap() {
      final IndexedHeap candidates = cache.candidates();
      final int[] items = new int[candidates.size()];
      for (int i = 0; i < items.length; i++) {
        items[i] = candidates.itemAt(i);
      }
      return items;
    }

    /** Most places of the heap that change in one replacement. */
    int mostMoved(final int rounds) {
      int most = 0;
      int[] before = heap();
      for (int round = 0; round < rounds; round++) {
        replaceOldest();
        final int[] after = heap();
        int moved = 0;
        for (int i = 0; i < leaves; i++) {
          moved += before[i] == after[i] ? 0 : 1;
        }
        most = Math.max(most, moved);
        before = after;
      }
      return most;
    }
  }

  @Test
  void shouldTouchALogarithmicNumberOfHeapPlacesWhenALeafGoesAndOneComes() {
    try (Arena arena = Arena.tracking(1 << 25)) {
      final int few = new Churn(arena, 1000).mostMoved(500);
      final Churn churn = new Churn(arena, 100_000);
      final int many = churn.mostMoved(40);
      assertTrue(few <= 7 && few > 1, "of 1,000 leaves: " + few);
      assertTrue(many <= 11 && many > 1, "of 100,000 leaves: " + many);
      CacheInspector.verify(churn.cache, List.of());
    }
  }

  @Test
  void shouldTouchNoLeafWhenThereIsNothingToEvict() {
    try (Arena arena = Arena.tracking(1 << 25)) {
      final Churn churn = new Churn(arena, 10_000);
      final int[] before = churn.heap();
      assertEquals(0, churn.cache.evict(0, churn.evicted));
      assertArrayEquals(before, churn.heap());
      for (int leaf = 1; leaf <= 10_000; leaf++) {
        churn.cache.lock(leaf);
      }
      assertEquals(0, churn.heap().length);
      assertEquals(0, churn.cache.evict(Long.MAX_VALUE, churn.evicted));
      assertEquals(0, churn.cache.evictLeaf(churn.evicted));
      assertTrue(churn.evicted.isEmpty());
      assertEquals(10_000, churn.cache.protectedTokens());
    }
  }

  @Test
  void shouldEvictAHundredThousandLeavesInTheOrderOfTheirUse() {
    try (Arena arena = Arena.tracking(1 << 25)) {
      final Churn churn = new Churn(arena, 100_000);
      assertEquals(100_000, churn.cache.evict(Long.MAX_VALUE, churn.evicted));
      final List<Integer> pages = PageBook.numbers(churn.cache.pool(), churn.evicted);
      for (int i = 0; i < pages.size(); i++) {
        assertEquals(i, pages.get(i));
      }
      assertEquals(1, churn.cache.nodes());
    }
  }

  @Test
  void shouldAllocateNothingInAnyOperation() {
    try (Arena arena = Arena.tracking(1 << 20)) {
      final Churn churn = new Churn(arena, 500);
      final TokenView shared = Prompts.of(1, -1, -2, -3, -4, -5, -6, -7);
      final TokenView part = Prompts.of(1, -1, -2, -3);
      assertEquals(0, AllocationMeter.bytes(20_000, () -> cycle(churn, shared, part)));
      CacheInspector.verify(churn.cache, List.of(churn.duplicates));
    }
  }

  private static void cycle(final Churn churn, final TokenView shared, final TokenView part) {
    final RadixCache cache = churn.cache;
    cache.evict(10, churn.evicted);
    cache.pool().release(churn.evicted);
    final int missing = 7 - (int) cache.matchPrefix(shared);
    final int node = cache.matchedNode();
    cache.lock(node);
    cache.pool().allocate(missing, churn.suffix);
    cache.keyAndChainSuffix(shared, churn.suffix, missing, false, 0);
    cache.coveredPages(node, churn.suffix);
    cache.insert(node, churn.suffix, churn.duplicates);
    cache.unlock(node);
    cache.matchPrefix(part);
    cache.prefixMatchLen(shared);
    cache.evictLeaf(churn.evicted);
    cache.pool().release(churn.evicted);
    cache.pool().release(churn.duplicates);
    churn.insertNext();
  }
}
