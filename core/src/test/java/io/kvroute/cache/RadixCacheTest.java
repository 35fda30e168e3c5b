package io.kvroute.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rules of the radix cache, one by one, on small trees. */
final class RadixCacheTest {
  private static final int PAGE = 4;

  private final Arena arena = Arena.tracking(1 << 20);
  private final RadixCache cache = new RadixCache(arena, 64 * PAGE, PAGE, 64);
  private final NodeStore nodes = cache.nodeStore();
  private final PageChain duplicates = new PageChain();
  private final PageChain evicted = new PageChain();

  @AfterEach
  void shouldFitTogetherAtTheEnd() {
    cache.pool().release(evicted);
    cache.pool().release(duplicates);
    CacheInspector.verify(cache, List.of());
    arena.close();
  }

  /** Caches a prompt as a request that comes and goes; its node. */
  private int put(final int... symbols) {
    final PageChain suffix = new PageChain();
    final int node = begin(suffix, symbols);
    final int end = cache.insert(node, suffix, duplicates);
    cache.unlock(node);
    return end;
  }

  /** Matches, locks and gives pages, as a request that begins; its node. */
  private int begin(final PageChain suffix, final int... symbols) {
    final long matched = cache.matchPrefix(Prompts.of(PAGE, symbols)) / PAGE;
    final int node = cache.matchedNode();
    cache.lock(node);
    final int missing = symbols.length - (int) matched;
    assertTrue(cache.pool().allocate(missing, suffix));
    cache.keySuffix(Prompts.of(PAGE, symbols), suffix, missing);
    return node;
  }

  private long matchLen(final int... symbols) {
    return cache.prefixMatchLen(Prompts.of(PAGE, symbols)) / PAGE;
  }

  private List<Integer> pages(final int node) {
    final PageChain edge = new PageChain();
    cache.loadEdge(node, edge);
    return PageBook.numbers(cache.pool(), edge);
  }

  private int depthInPages(final int node) {
    int depth = 0;
    for (int n = node; n != RadixCache.ROOT; n = cache.parent(n)) {
      depth += pages(n).size();
    }
    return depth;
  }

  private List<Integer> evict(final long tokens) {
    cache.pool().release(evicted);
    final long freed = cache.evict(tokens, evicted);
    assertEquals(evicted.count() * (long) PAGE, freed);
    return PageBook.numbers(cache.pool(), evicted);
  }

  @Test
  void shouldStartWithARootAndAllPagesFree() {
    assertEquals(1, cache.nodes());
    assertEquals(64, cache.availableNodes());
    assertEquals(64 * PAGE, cache.totalTokens());
    assertEquals(64 * PAGE, cache.availableTokens());
    assertEquals(0, cache.evictableTokens());
    assertEquals(0, cache.protectedTokens());
    assertEquals(PAGE, cache.pageSize());
    assertEquals(0, matchLen(1, 2));
    assertEquals(0, cache.matchPrefix(Prompts.of(PAGE, 1, 2)));
    assertEquals(RadixCache.ROOT, cache.matchedNode());
  }

  @Test
  void shouldMatchWholePagesOnly() {
    put(1, 2, 3);
    assertEquals(3 * PAGE, cache.prefixMatchLen(Prompts.withTail(PAGE, 3, 1, 2, 3)));
    assertEquals(2 * PAGE, cache.prefixMatchLen(Prompts.withTail(PAGE, PAGE - 1, 1, 2)));
    assertEquals(0, cache.prefixMatchLen(Prompts.withTail(PAGE, PAGE - 1)));
    assertEquals(0, cache.prefixMatchLen(Prompts.of(PAGE)));
    assertEquals(2 * PAGE, cache.prefixMatchLen(Prompts.of(PAGE, 1, 2, 9, 3)));
  }

  @Test
  void shouldChangeNothingWhenAskedForTheLengthOfAMatch() {
    put(1, 2, 3);
    put(1, 2, 4, 5);
    final int node = begin(evicted, 1, 2, 4);
    final String before = CacheInspector.describe(cache);
    assertEquals(2, matchLen(1, 2));
    assertEquals(1, matchLen(1));
    assertEquals(4, matchLen(1, 2, 4, 5, 6));
    assertEquals(0, matchLen(7));
    assertEquals(before, CacheInspector.describe(cache));
    assertEquals(node, cache.matchedNode());
    cache.unlock(node);
  }

  @Test
  void shouldKeyTheSuffixOfItsOwnPromptWhenAnotherWasLookedUpMeanwhile() {
    put(1, 2, 3);
    put(5, 6, 7, 8);
    final PageChain suffix = new PageChain();
    cache.matchPrefix(Prompts.of(PAGE, 1, 2, 3, 4, 5));
    final int node = cache.matchedNode();
    assertTrue(cache.pool().allocate(2, suffix));
    assertEquals(4, matchLen(5, 6, 7, 8, 9));
    assertEquals(0, matchLen(9));
    cache.keySuffix(Prompts.of(PAGE, 1, 2, 3, 4, 5), suffix, 2);
    assertEquals(node, cache.matchedNode());
    cache.insert(node, suffix, duplicates);
    assertEquals(5, matchLen(1, 2, 3, 4, 5));
  }

  @Test
  void shouldCopyLockCountAndStampWhenAnEdgeIsSplit() {
    final int node = put(1, 2, 3, 4);
    final List<Integer> before = pages(node);
    cache.lock(node);
    cache.lock(node);
    final long stamp = nodes.stamp(node);
    assertEquals(3 * PAGE, cache.matchPrefix(Prompts.of(PAGE, 1, 2, 3, 9)));
    final int front = cache.matchedNode();
    assertNotEquals(node, front);
    assertEquals(front, cache.parent(node));
    assertEquals(RadixCache.ROOT, cache.parent(front));
    assertEquals(2, nodes.lockCount(front));
    assertEquals(2, nodes.lockCount(node));
    assertEquals(stamp, nodes.stamp(front));
    assertEquals(stamp, nodes.stamp(node));
    assertEquals(before.subList(0, 3), pages(front));
    assertEquals(before.subList(3, 4), pages(node));
    assertEquals(4 * PAGE, cache.protectedTokens());
    assertEquals(4, depthInPages(node));
    CacheInspector.verify(cache, List.of());
    cache.unlock(node);
    cache.unlock(node);
    assertEquals(0, nodes.lockCount(front));
    assertEquals(0, nodes.lockCount(node));
    assertEquals(4 * PAGE, cache.evictableTokens());
    assertEquals(0, cache.unbalancedUnlocks());
  }

  @Test
  void shouldSplitAgainAndAgainDownToSinglePages() {
    final int node = put(1, 2, 3, 4, 5);
    cache.lock(node);
    for (int length = 4; length >= 1; length--) {
      assertEquals(
          (long) length * PAGE,
          cache.matchPrefix(Prompts.of(PAGE, List.of(1, 2, 3, 4).subList(0, length))));
      assertEquals(length, depthInPages(cache.matchedNode()));
    }
    assertEquals(6, cache.nodes());
    assertEquals(5, depthInPages(node));
    assertEquals(5 * PAGE, cache.protectedTokens());
    cache.unlock(node);
    assertEquals(0, cache.protectedTokens());
    assertEquals(5 * PAGE, cache.evictableTokens());
  }

  @Test
  void shouldStampNodesMatchedToTheirEndAndNoHalfOfASplit() {
    put(1, 2);
    put(1, 2, 3, 4);
    final int other = put(1, 9);
    final int shared = cache.parent(other);
    final long otherStamp = nodes.stamp(other);
    cache.matchPrefix(Prompts.of(PAGE, 1, 2, 3));
    final int front = cache.matchedNode();
    final long tick = nodes.stamp(RadixCache.ROOT);
    assertEquals(tick, nodes.stamp(shared));
    assertTrue(nodes.stamp(front) < tick);
    assertEquals(otherStamp, nodes.stamp(other));
    cache.matchPrefix(Prompts.of(PAGE, 1, 2, 3));
    assertEquals(front, cache.matchedNode());
    assertEquals(tick + 1, nodes.stamp(front));
    assertEquals(tick + 1, nodes.stamp(shared));
    assertEquals(tick + 1, nodes.stamp(RadixCache.ROOT));
  }

  @Test
  void shouldTakeNoTickWhenNothingIsInserted() {
    final int node = put(1, 2);
    final long before = nodes.stamp(node);
    assertEquals(node, cache.insert(node, new PageChain(), duplicates));
    assertEquals(before, nodes.stamp(node));
    cache.lock(node);
    cache.unlock(node);
    assertEquals(before, nodes.stamp(node));
    cache.matchPrefix(Prompts.of(PAGE, 1, 2));
    assertEquals(before + 1, nodes.stamp(node));
  }

  @Test
  void shouldFreeNothingWhileTheTerminalNodeIsLocked() {
    put(1, 2);
    final int node = put(1, 2);
    cache.lock(node);
    assertEquals(List.of(), evict(2 * PAGE));
    cache.unlock(node);
    cache.unlock(node);
    assertEquals(1, cache.unbalancedUnlocks());
    assertEquals(0, nodes.lockCount(node));
    cache.lock(node);
    assertEquals(1, nodes.lockCount(node));
    assertEquals(List.of(), evict(2 * PAGE));
    assertEquals(2, matchLen(1, 2));
    cache.unlock(node);
    assertEquals(2, evict(2 * PAGE).size());
    assertEquals(0, matchLen(1, 2));
  }

  @Test
  void shouldCountAnUnlockTooManyAndStopItsWalkThere() {
    final int leaf = put(1, 2, 3);
    put(1, 8);
    final int shared = cache.parent(leaf);
    cache.lock(shared);
    final String before = CacheInspector.describe(cache);
    cache.unlock(leaf);
    cache.unlock(leaf);
    assertEquals(2, cache.unbalancedUnlocks());
    assertEquals(before, CacheInspector.describe(cache));
    assertEquals(1, nodes.lockCount(shared));
    cache.unlock(shared);
    cache.unlock(RadixCache.ROOT);
    assertEquals(2, cache.unbalancedUnlocks());
  }

  @Test
  void shouldNeverLockTheRoot() {
    cache.lock(RadixCache.ROOT);
    assertEquals(0, nodes.lockCount(RadixCache.ROOT));
    put(1);
    assertEquals(1, evict(PAGE).size());
    assertEquals(1, cache.nodes());
    assertEquals(List.of(), evict(PAGE));
  }

  @Test
  void shouldGrowAnUnlockedLeafInPlace() {
    final int node = put(1, 2);
    assertEquals(node, put(1, 2, 3));
    assertEquals(2, cache.nodes());
    assertEquals(3, pages(node).size());
    assertEquals(3 * PAGE, cache.evictableTokens());
  }

  @Test
  void shouldGrowTheStartNodeWhenItsOnlyLockIsTheInsertersOwn() {
    put(1, 2);
    final PageChain suffix = new PageChain();
    final int node = begin(suffix, 1, 2, 3, 4);
    assertEquals(node, cache.insert(node, suffix, duplicates));
    assertEquals(2, cache.nodes());
    assertEquals(4 * PAGE, cache.protectedTokens());
    cache.unlock(node);
    assertEquals(4 * PAGE, cache.evictableTokens());
  }

  @Test
  void shouldGiveAChildToALeafThatOthersLockToo() {
    final int node = put(1, 2);
    cache.lock(node);
    final PageChain suffix = new PageChain();
    begin(suffix, 1, 2, 3);
    final int child = cache.insert(node, suffix, duplicates);
    assertNotEquals(node, child);
    assertEquals(node, cache.parent(child));
    assertEquals(0, nodes.lockCount(child));
    assertEquals(PAGE, cache.evictableTokens());
    assertEquals(2 * PAGE, cache.protectedTokens());
    CacheInspector.verify(cache, List.of());
    cache.unlock(node);
    cache.unlock(node);
  }

  @Test
  void shouldGiveAChildToALockedLeafThatIsNotTheStart() {
    final PageChain mine = new PageChain();
    final int start = begin(mine, 1, 2, 3);
    final int other = put(1, 2);
    cache.lock(other);
    final int child = cache.insert(start, mine, duplicates);
    assertEquals(other, cache.parent(child));
    assertEquals(2, duplicates.count());
    cache.unlock(other);
    assertEquals(3, matchLen(1, 2, 3));
  }

  @Test
  void shouldReturnDuplicatesOfTheDeepestNodeFirst() {
    final PageChain mine = new PageChain();
    assertEquals(RadixCache.ROOT, begin(mine, 1, 2, 3, 4, 5, 6, 7));
    final List<Integer> own = PageBook.numbers(cache.pool(), mine);
    put(1, 2);
    put(1, 2, 3, 4, 5);
    put(1, 2, 3, 9);
    put(1, 8);
    cache.pool().release(duplicates);
    final int end = cache.insert(RadixCache.ROOT, mine, duplicates);
    assertTrue(mine.isEmpty());
    assertEquals(
        List.of(own.get(3), own.get(4), own.get(1), own.get(2), own.get(0)),
        PageBook.numbers(cache.pool(), duplicates));
    assertEquals(own.subList(5, 7), pages(end).subList(pages(end).size() - 2, pages(end).size()));
    assertEquals(7, matchLen(1, 2, 3, 4, 5, 6, 7));
  }

  @Test
  void shouldSplitWithoutAStampWhenAnInsertEndsInsideAnEdge() {
    final PageChain mine = new PageChain();
    begin(mine, 1, 2);
    final int node = put(1, 2, 3, 4);
    final long stamp = nodes.stamp(node);
    final int end = cache.insert(RadixCache.ROOT, mine, duplicates);
    assertEquals(end, cache.parent(node));
    assertEquals(stamp, nodes.stamp(end));
    assertEquals(stamp, nodes.stamp(node));
    assertEquals(stamp + 1, nodes.stamp(RadixCache.ROOT));
    assertEquals(2, duplicates.count());
  }

  @Test
  void shouldEvictTheLeastRecentlyUsedLeafFirst() {
    put(1, 1);
    put(2, 2);
    put(3, 3);
    cache.matchPrefix(Prompts.of(PAGE, 1, 1));
    assertEquals(List.of(2, 3), evict(2 * PAGE));
    assertEquals(List.of(4, 5), evict(2 * PAGE));
    assertEquals(List.of(0, 1), evict(2 * PAGE));
    assertEquals(1, cache.nodes());
  }

  @Test
  void shouldCutPagesOffTheRearInPathOrderAndKeepTheStamp() {
    final int node = put(1, 2, 3, 4, 5);
    final long stamp = nodes.stamp(node);
    assertEquals(List.of(3, 4), evict(PAGE + 1));
    assertEquals(stamp, nodes.stamp(node));
    assertEquals(3, matchLen(1, 2, 3, 4, 5));
    assertEquals(List.of(2), evict(1));
    assertEquals(List.of(0, 1), evict(Long.MAX_VALUE));
    assertEquals(64 * PAGE, cache.availableTokens() + evicted.count() * (long) PAGE);
  }

  @Test
  void shouldOfferTheParentOfAnEmptiedLeafWithItsOwnStampAndNotMergeIt() {
    put(1, 2);
    final int left = put(1, 2, 3);
    put(1, 9);
    final int middle = cache.parent(left);
    put(7);
    assertEquals(5, cache.nodes());
    assertEquals(List.of(1, 2), evict(2 * PAGE));
    assertEquals(4, cache.nodes());
    assertEquals(1, pages(middle).size());
    assertEquals(List.of(3), evict(PAGE), "the child of the shared node");
    assertEquals(List.of(0), evict(PAGE), "the shared node, older than the last leaf");
    assertEquals(List.of(4), evict(PAGE));
  }

  @Test
  void shouldEvictSeveralLeavesInOneCallInTheOrderOfTheirUse() {
    put(1, 1);
    put(2, 2, 2);
    put(3);
    assertEquals(List.of(0, 1, 3, 4), evict(4 * PAGE - 1));
    assertEquals(1, matchLen(2, 2, 2));
    assertEquals(1, matchLen(3));
  }

  @Test
  void shouldEvictNothingWhenAskedForNothing() {
    put(1, 2);
    final String before = CacheInspector.describe(cache);
    assertEquals(List.of(), evict(0));
    assertEquals(List.of(), evict(-1));
    assertEquals(List.of(), evict(Long.MIN_VALUE));
    assertEquals(before, CacheInspector.describe(cache));
  }

  @Test
  void shouldEvictAWholeLeafOrNothing() {
    put(1, 2, 3);
    put(4);
    assertEquals(3 * PAGE, cache.evictLeaf(evicted));
    assertEquals(List.of(0, 1, 2), PageBook.numbers(cache.pool(), evicted));
    assertEquals(PAGE, cache.evictLeaf(evicted));
    assertEquals(0, cache.evictLeaf(evicted));
    assertEquals(List.of(0, 1, 2, 3), PageBook.numbers(cache.pool(), evicted));
  }

  @Test
  void shouldTellWhatTheTreeHoldsOfASuffix() {
    final int node = put(1, 2, 3, 4);
    put(1, 2, 8);
    final List<Integer> rear = pages(node);
    final List<Integer> front = pages(cache.parent(node));
    final PageChain suffix = new PageChain();
    assertTrue(cache.pool().allocate(5, suffix));
    cache.hasher().localHashes(Prompts.of(PAGE, 1, 2, 3, 4, 5), 0, 5, cache.pool().keys(), 40);
    assertEquals(List.of(5, 6, 7, 8, 9), PageBook.numbers(cache.pool(), suffix));
    assertEquals(4, cache.coveredPages(RadixCache.ROOT, suffix));
    assertEquals(front.get(0), cache.coveringPage(RadixCache.ROOT, suffix, 0));
    assertEquals(front.get(1), cache.coveringPage(RadixCache.ROOT, suffix, 1));
    assertEquals(rear.get(0), cache.coveringPage(RadixCache.ROOT, suffix, 2));
    assertEquals(rear.get(1), cache.coveringPage(RadixCache.ROOT, suffix, 3));
    assertEquals(0, cache.coveredPages(node, suffix));
    cache.pool().release(suffix);
  }
}
