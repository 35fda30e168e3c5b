package io.kvroute.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.SeededRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PagePoolTest {
  private final Arena arena = Arena.tracking(1 << 24);

  @AfterEach
  void shouldLeaveTheCanariesIntact() {
    arena.close();
  }

  /** A pool and a few chains, beside plain lists that say what they should hold. */
  private static final class Twin {
    final PagePool pool;
    final List<PageChain> chains = new ArrayList<>();
    final List<List<Integer>> lists = new ArrayList<>();
    final List<Integer> free = new ArrayList<>();
    final BitSet published = new BitSet();
    int fresh;

    Twin(final PagePool pool, final int chainCount) {
      this.pool = pool;
      for (int i = 0; i < chainCount; i++) {
        chains.add(new PageChain());
        lists.add(new ArrayList<>());
      }
    }

    int available() {
      return free.size() + pool.pageCount() - fresh;
    }

    void step(final SeededRun run) {
      final int a = run.below(chains.size());
      final int b = (a + 1 + run.below(chains.size() - 1)) % chains.size();
      switch (run.below(10)) {
        case 0, 1, 2 -> allocate(run, a);
        case 3 -> release(run, a);
        case 4 -> append(run, a, b);
        case 5, 6, 7 -> cut(run, a, b);
        case 8 -> publish(run, a);
        default -> publishPage(run);
      }
      verify(run.operation() % 10 == 0);
    }

    private void allocate(final SeededRun run, final int a) {
      final int count = run.below(2 + run.below(Math.max(1, pool.pageCount())));
      run.note("allocate chain, count", a, count);
      final boolean fits = count <= available();
      assertEquals(fits, pool.allocate(count, chains.get(a)));
      if (fits) {
        final int recycled = Math.min(count, free.size());
        final List<Integer> rear = free.subList(free.size() - recycled, free.size());
        lists.get(a).addAll(rear);
        rear.clear();
        for (int i = recycled; i < count; i++) {
          lists.get(a).add(fresh++);
        }
      }
    }

    private void release(final SeededRun run, final int a) {
      run.note("release chain", a);
      pool.release(chains.get(a));
      free.addAll(lists.get(a));
      lists.get(a).clear();
    }

    private void append(final SeededRun run, final int a, final int b) {
      run.note("append target, source", a, b);
      pool.append(chains.get(a), chains.get(b));
      lists.get(a).addAll(lists.get(b));
      lists.get(b).clear();
    }

    /** Cuts chain a; what is cut goes to chain b, which is freed first. */
    private void cut(final SeededRun run, final int a, final int b) {
      release(run, b);
      final List<Integer> list = lists.get(a);
      final int kind = run.below(3);
      final int count = run.below(list.size() + 1);
      run.note("cut (0 front, 1 behind, 2 rear) chain, target, count", kind, a, b, count);
      final int at = kind == 2 ? list.size() - count : count;
      final List<Integer> front = new ArrayList<>(list.subList(0, at));
      final List<Integer> rear = new ArrayList<>(list.subList(at, list.size()));
      switch (kind) {
        case 0 -> pool.cutFront(chains.get(a), count, chains.get(b));
        case 1 -> pool.cutBehind(chains.get(a), count, chains.get(b));
        default -> pool.cutRear(chains.get(a), count, chains.get(b));
      }
      lists.set(a, kind == 0 ? rear : front);
      lists.set(b, kind == 0 ? front : rear);
    }

    private void publish(final SeededRun run, final int a) {
      final boolean value = run.random().nextBoolean();
      run.note("publish chain", a, value ? 1 : 0);
      int extent = chains.get(a).isEmpty() ? 0 : pool.firstExtent(chains.get(a));
      for (int done = 0; done < chains.get(a).count(); ) {
        final int length = pool.extentLength(extent);
        pool.setPublished(extent, length, value);
        published.set(extent, extent + length, value);
        assertEquals(value ? length : 0, pool.publishedCount(extent, length));
        done += length;
        extent = done < chains.get(a).count() ? pool.nextExtent(extent) : extent;
      }
    }

    private void publishPage(final SeededRun run) {
      final int page = run.below(pool.placeCount());
      run.note("publish place", page);
      pool.setPublished(page, !published.get(page));
      published.flip(page);
    }

    private void verify(final boolean thoroughly) {
      final PageBook book = new PageBook(pool);
      assertEquals(free, PageBook.freeNumbers(pool), "free list");
      assertEquals(fresh, pool.freshNumber());
      assertEquals(available(), pool.available());
      for (int i = 0; i < chains.size(); i++) {
        book.claim("chain " + i, chains.get(i));
        assertEquals(lists.get(i), PageBook.numbers(pool, chains.get(i)), "chain " + i);
        assertEquals(lists.get(i).size(), chains.get(i).count());
        assertEquals(lists.get(i).isEmpty(), chains.get(i).isEmpty());
        if (thoroughly && !lists.get(i).isEmpty()) {
          verifyPlaces(chains.get(i), lists.get(i));
        }
      }
      book.verifyComplete();
      if (thoroughly) {
        for (int page = 0; page < pool.placeCount(); page++) {
          assertEquals(published.get(page), pool.isPublished(page), "published page " + page);
        }
      }
    }

    private void verifyPlaces(final PageChain chain, final List<Integer> list) {
      final List<Integer> places = PageBook.places(pool, chain);
      for (int position = 0; position < list.size(); position++) {
        assertEquals(places.get(position), pool.pageAt(chain, position), "position " + position);
      }
      assertEquals(places.get(0), pool.firstExtent(chain));
      assertEquals(places.get(list.size() - 1), pool.lastPage(chain));
      pool.keys().putLong((long) places.get(0) << 3, -list.size());
      assertEquals(-list.size(), pool.firstKey(chain));
    }
  }

  private void agree(
      final long seed, final int pages, final int boundary, final int chains, final int steps) {
    final Twin twin = new Twin(new PagePool(arena, pages, boundary), chains);
    SeededRun.run(seed, steps, twin::step);
    twin.pool.free(arena);
    arena.assertNothingLive();
  }

  @Test
  void shouldAgreeWithPlainListsUnderRandomUse() {
    for (final int pages : new int[] {1, 2, 3, 7, 64, 65}) {
      agree(pages, pages, PageLayout.EXTENT_BOUNDARY, 4, SeededRun.operations() / 10);
    }
    agree(1000, 1000, PageLayout.EXTENT_BOUNDARY, 8, SeededRun.operations() / 20);
  }

  @Test
  void shouldNeverLetAnExtentCrossABoundary() {
    for (final int boundary : new int[] {1, 2, 4, 16}) {
      agree(boundary, 61, boundary, 4, SeededRun.operations() / 10);
    }
  }

  @Test
  @Tag("long")
  void shouldAgreeWithPlainListsOverManyOperations() {
    agree(1, 300, PageLayout.EXTENT_BOUNDARY, 6, 200_000);
    agree(2, 300, 8, 6, 200_000);
  }

  @Test
  void shouldTakeRecycledPagesFromTheEndInListOrderAndThenFreshOnes() {
    final PagePool pool = new PagePool(arena, 10);
    final PageChain first = new PageChain();
    final PageChain second = new PageChain();
    assertTrue(pool.allocate(3, first));
    assertEquals(List.of(0, 1, 2), PageBook.numbers(pool, first));
    pool.release(first);
    assertTrue(pool.allocate(2, first));
    assertEquals(List.of(1, 2), PageBook.numbers(pool, first));
    assertTrue(pool.allocate(2, second));
    assertEquals(List.of(0, 3), PageBook.numbers(pool, second));
    pool.release(second);
    pool.release(first);
    assertEquals(List.of(0, 3, 1, 2), PageBook.freeNumbers(pool));
    assertTrue(pool.allocate(6, first));
    assertEquals(List.of(0, 3, 1, 2, 4, 5), PageBook.numbers(pool, first));
  }

  @Test
  void shouldRefuseMoreThanIsFreeAndChangeNothing() {
    final PagePool pool = new PagePool(arena, 5);
    final PageChain chain = new PageChain();
    final PageChain rest = new PageChain();
    assertTrue(pool.allocate(3, chain));
    pool.cutRear(chain, 1, rest);
    pool.release(rest);
    for (final int count : new int[] {4, 5, 1 << 30, Integer.MAX_VALUE}) {
      assertFalse(pool.allocate(count, chain), "count=" + count);
      assertEquals(List.of(0, 1), PageBook.numbers(pool, chain));
      assertEquals(List.of(2), PageBook.freeNumbers(pool));
      assertEquals(3, pool.available());
    }
    assertTrue(pool.allocate(3, chain));
    assertEquals(List.of(0, 1, 2, 3, 4), PageBook.numbers(pool, chain));
    assertEquals(0, pool.available());
    assertTrue(pool.allocate(0, chain));
    assertFalse(pool.allocate(1, chain));
  }

  @Test
  void shouldJoinPagesThatFollowOneAnotherIntoOneExtent() {
    final PagePool pool = new PagePool(arena, 100);
    final PageChain chain = new PageChain();
    for (int i = 0; i < 100; i++) {
      assertTrue(pool.allocate(1, chain));
      assertEquals(i + 1, pool.extentLength(0));
    }
    final PageChain rear = new PageChain();
    pool.cutRear(chain, 60, rear);
    pool.append(chain, rear);
    assertEquals(100, pool.extentLength(0));
  }

  @Test
  void shouldKeepChainsInFewExtentsHoweverLongAFullPoolIsChurned() {
    final PagePool pool = new PagePool(arena, 1 << 14);
    final Random random = new Random(13);
    final List<PageChain> chains = new ArrayList<>();
    final PageChain cut = new PageChain();
    final int laps = 8;
    final double[] pagesPerExtent = new double[laps];
    for (int lap = 0; lap < laps; lap++) {
      long pages = 0;
      long extents = 0;
      for (int i = 0; i < 2_000; i++) {
        final PageChain chain = new PageChain();
        final int count = 1 + random.nextInt(400);
        while (!pool.allocate(count, chain)) {
          // An eviction takes a leaf, or what another prompt does not share of it.
          final PageChain victim = chains.get(random.nextInt(chains.size()));
          pool.cutRear(victim, Math.min(victim.count(), 1 + random.nextInt(400)), cut);
          pool.release(cut);
          chains.removeIf(PageChain::isEmpty);
        }
        chains.add(chain);
        pages += count;
        extents += extents(pool, chain);
      }
      pagesPerExtent[lap] = (double) pages / extents;
    }
    final String figures = Arrays.toString(pagesPerExtent);
    assertTrue(pagesPerExtent[laps - 1] > 30, figures);
    assertTrue(pagesPerExtent[laps - 1] > 0.9 * pagesPerExtent[1], figures);
  }

  private static int extents(final PagePool pool, final PageChain chain) {
    int extents = 0;
    int extent = pool.firstExtent(chain);
    for (int done = 0; done < chain.count(); extents++) {
      done += pool.extentLength(extent);
      extent = done < chain.count() ? pool.nextExtent(extent) : extent;
    }
    return extents;
  }

  @Test
  void shouldLeaveAChainAloneWhenNothingIsCutOffIt() {
    final PagePool pool = new PagePool(arena, 10);
    final PageChain chain = new PageChain();
    final PageChain other = new PageChain();
    final PageChain none = new PageChain();
    assertTrue(pool.allocate(4, chain));
    assertTrue(pool.allocate(4, other));
    pool.cutRear(chain, 0, none);
    assertTrue(none.isEmpty());
    pool.cutBehind(chain, 4, none);
    assertTrue(none.isEmpty());
    pool.cutFront(chain, 0, none);
    assertTrue(none.isEmpty());
    assertEquals(List.of(0, 1, 2, 3), PageBook.numbers(pool, chain));
    assertEquals(List.of(4, 5, 6, 7), PageBook.numbers(pool, other));
    pool.append(chain, none);
    pool.release(none);
    assertEquals(List.of(0, 1, 2, 3), PageBook.numbers(pool, chain));
  }

  @Test
  void shouldMarkPagesAcrossTheBordersOfWordsAndNoOthers() {
    final int pages = 200;
    final PagePool pool = new PagePool(arena, pages);
    final int[] borders = {0, 1, 62, 63, 64, 65, 126, 127, 128, 129, 191, 192, 193, 199, 200};
    for (final int from : borders) {
      for (final int to : borders) {
        if (from <= to) {
          pool.setPublished(from, to - from, true);
          assertMarked(pool, from, to, pages);
          pool.setPublished(0, pages, true);
          pool.setPublished(from, to - from, false);
          assertEquals(pages - (to - from), pool.publishedCount(0, pages));
          assertEquals(0, pool.publishedCount(from, to - from));
          pool.setPublished(0, pages, false);
        }
      }
    }
  }

  private static void assertMarked(
      final PagePool pool, final int from, final int to, final int pages) {
    for (int page = 0; page < pages; page++) {
      assertEquals(page >= from && page < to, pool.isPublished(page), from + "-" + to);
    }
    assertEquals(to - from, pool.publishedCount(0, pages));
    assertEquals(to - from, pool.publishedCount(from, to - from));
    assertEquals(Math.max(0, to - 63) - Math.max(0, from - 63), pool.publishedCount(63, 137));
  }

  @Test
  void shouldShowAllPagesInOrderAtTheEndOfItsLife() {
    for (final int boundary : new int[] {4, PageLayout.EXTENT_BOUNDARY}) {
      final PagePool pool = new PagePool(arena, 10, boundary);
      final PageChain first = new PageChain();
      final PageChain second = new PageChain();
      assertTrue(pool.allocate(4, first));
      assertTrue(pool.allocate(3, second));
      pool.release(first);
      final PageChain all = new PageChain();
      pool.wholePool(all);
      assertEquals(IntStream.range(0, 10).boxed().toList(), PageBook.places(pool, all));
      pool.free(arena);
    }
  }

  @Test
  void shouldCostLessThanThirtyThreeAndAQuarterBytesAPage() {
    for (final long pages : new long[] {1, 31, 32, 33, 63, 64, 65, 1000}) {
      try (Arena counting = Arena.ofCapacity(1 << 20)) {
        final PagePool pool = new PagePool(counting, pages);
        final long places = pages + pages / 32;
        assertEquals(28 * places + (places + 63) / 64 * 16 + 4 * pages, PagePool.length(pages));
        assertEquals(PagePool.length(pages), counting.usedBytes());
        pool.free(counting);
        counting.assertNothingLive();
      }
    }
    assertTrue(PagePool.length(1 << 20) < (1 << 20) * 33.25);
    final long most = Integer.MAX_VALUE;
    assertEquals(32 * most + (1L << 29), PagePool.length(most));
  }

  @Test
  void shouldRefusePageCountsOutOfRangeAndLeaveNothingBehind() {
    final CapacityExceededException failure =
        assertThrows(CapacityExceededException.class, () -> new PagePool(arena, 1L << 31));
    assertEquals("too many pages: pageCount=2147483648 limit=2147483647", failure.getMessage());
    assertThrows(CapacityExceededException.class, () -> new PagePool(arena, Long.MAX_VALUE));
    assertThrows(CapacityExceededException.class, () -> new PagePool(arena, Integer.MAX_VALUE));
    for (final long pages : new long[] {0, -1, -(1L << 61), Long.MIN_VALUE}) {
      final IllegalArgumentException bad =
          assertThrows(IllegalArgumentException.class, () -> new PagePool(arena, pages));
      assertEquals("a pool has at least one page: pageCount=" + pages, bad.getMessage());
    }
    arena.assertNothingLive();
    for (int room = 0; room < PagePool.length(10); room += 8) {
      try (Arena small = Arena.tracking(room)) {
        assertThrows(CapacityExceededException.class, () -> new PagePool(small, 10));
        small.assertNothingLive();
      }
    }
  }

  @Test
  void shouldAllocateNothing() {
    final PagePool pool = new PagePool(arena, 1000);
    final PageChain first = new PageChain();
    final PageChain second = new PageChain();
    final long allocated =
        AllocationMeter.bytes(
            5000,
            () -> {
              pool.allocate(100, first);
              pool.allocate(33, second);
              pool.allocate(50, first);
              pool.append(second, first);
              pool.cutFront(second, 120, first);
              pool.release(first);
              pool.cutRear(second, 7, first);
              pool.setPublished(first.head, 1, true);
              pool.setPublished(first.head, 1, false);
              pool.release(second);
              pool.release(first);
            });
    assertEquals(0, allocated);
  }
}
