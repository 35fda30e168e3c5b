package io.kvroute.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.hash.TokenView;
import io.kvroute.hash.TokensWithHashes;
import io.kvroute.memory.Arena;
import io.kvroute.memory.SeededRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The radix cache beside a trie of single pages, with everything verified after each operation. */
final class RadixCacheTwinTest {
  private static final int MOST_PAGES = 14;

  /** A request: what it asked for, what of it is cached, and the pages of its own. */
  private static final class Request {
    final List<Integer> symbols;
    final PageChain suffix = new PageChain();
    int cached;
    int node;

    Request(final List<Integer> symbols) {
      this.symbols = new ArrayList<>(symbols);
    }

    List<Integer> cachedSymbols() {
      return symbols.subList(0, cached);
    }
  }

  private static final class Twin {
    final RadixCache cache;
    final PagePool pool;
    final int pageSize;
    final int symbolCount;
    final PageTrie trie = new PageTrie();
    final List<Request> requests = new ArrayList<>();
    final List<List<Integer>> earlier = new ArrayList<>();
    final PageChain scratch = new PageChain();
    final PageChain duplicates = new PageChain();
    long unbalancedUnlocks;

    Twin(final RadixCache cache, final int symbolCount) {
      this.cache = cache;
      this.pool = cache.pool();
      this.pageSize = (int) cache.pageSize();
      this.symbolCount = symbolCount;
    }

    void step(final SeededRun run) {
      final int kind = run.below(100);
      if (requests.isEmpty() || kind < 25) {
        begin(run);
      } else if (kind < 35) {
        extend(run, any(run));
      } else if (kind < 55) {
        publish(run, any(run));
      } else if (kind < 70) {
        finish(run, any(run));
      } else if (kind < 78) {
        abort(run, any(run));
      } else if (kind < 86) {
        evict(run);
      } else if (kind < 97) {
        look(run);
      } else {
        unlockTooOften(run);
      }
      verify();
    }

    private Request any(final SeededRun run) {
      return requests.get(run.below(requests.size()));
    }

    private long[] numbers(final List<Integer> symbols) {
      return symbols.stream().mapToLong(Integer::longValue).toArray();
    }

    private void begin(final SeededRun run) {
      final List<Integer> symbols = Prompts.draw(run, earlier, MOST_PAGES, symbolCount);
      run.note("begin", numbers(symbols));
      final TokenView prompt = Prompts.of(pageSize, symbols);
      final List<Integer> expected = trie.match(symbols);
      assertEquals(expected.size() * (long) pageSize, cache.matchPrefix(prompt));
      final Request request = new Request(symbols);
      request.cached = expected.size();
      request.node = cache.matchedNode();
      assertEquals(expected, path(request.node));
      cache.lock(request.node);
      trie.lock(request.cachedSymbols(), 1);
      final int missing = symbols.size() - request.cached;
      if (missing > pool.available() + trie.count(false)) {
        cache.unlock(request.node);
        trie.lock(request.cachedSymbols(), -1);
        return;
      }
      if (missing > pool.available()) {
        evict((missing - pool.available()) * (long) pageSize);
      }
      assertTrue(pool.allocate(missing, request.suffix));
      keySuffix(run, request, prompt, missing);
      requests.add(request);
      earlier.add(symbols);
      if (earlier.size() > 30) {
        earlier.remove(0);
      }
    }

    private void keySuffix(
        final SeededRun run, final Request request, final TokenView prompt, final int missing) {
      final boolean chained = run.random().nextBoolean();
      if (!chained) {
        cache.keySuffix(prompt, request.suffix, missing);
      } else {
        final long[] hashes = hashes(request.symbols);
        final boolean hasParent = request.cached > 0;
        final long parent = hasParent ? hashes[request.cached - 1] : 0;
        cache.keyAndChainSuffix(prompt, request.suffix, missing, hasParent, parent);
        final List<Integer> pages = PageBook.places(pool, request.suffix);
        for (int i = 0; i < missing; i++) {
          assertEquals(hashes[request.cached + i], pool.hashes().getLong((long) pages.get(i) << 3));
        }
      }
    }

    private long[] hashes(final List<Integer> symbols) {
      final int[] tokens = new int[symbols.size() * pageSize];
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] = symbols.get(i / pageSize) * 1000 + i % pageSize;
      }
      return new TokensWithHashes(tokens, pageSize).getOrComputeSeqHashes();
    }

    /** A request gets more pages without eviction. */
    private void extend(final SeededRun run, final Request request) {
      final int more = Math.min(1 + run.below(3), MOST_PAGES - request.symbols.size());
      run.note("extend", requests.indexOf(request), more);
      if (more <= 0 || !pool.allocate(more, request.suffix)) {
        return;
      }
      for (int i = 0; i < more; i++) {
        request.symbols.add(run.below(symbolCount));
      }
      final TokenView prompt = Prompts.of(pageSize, request.symbols);
      final List<Integer> pages = PageBook.places(pool, request.suffix);
      for (int i = pages.size() - more; i < pages.size(); i++) {
        cache
            .hasher()
            .localHashes(prompt, request.cached + i, 1, pool.keys(), (long) pages.get(i) << 3);
      }
    }

    private void publish(final SeededRun run, final Request request) {
      final int count = run.below(request.suffix.count() + 1);
      run.note("publish", requests.indexOf(request), count);
      final int oldNode = request.node;
      final List<Integer> oldPath = new ArrayList<>(request.cachedSymbols());
      request.node = insert(request, count);
      request.cached += count;
      if (request.node != oldNode) {
        cache.lock(request.node);
        cache.unlock(oldNode);
      }
      trie.lock(request.cachedSymbols(), 1);
      trie.lock(oldPath, -1);
      pool.release(duplicates);
    }

    /** Hands the first pages of a suffix to the tree. */
    private int insert(final Request request, final int count) {
      final List<Integer> path = request.symbols.subList(0, request.cached + count);
      final List<Integer> held = trie.match(path);
      pool.cutFront(request.suffix, count, scratch);
      final List<Integer> pages = PageBook.places(pool, scratch);
      final int covered = held.size() - request.cached;
      assertEquals(covered, cache.coveredPages(request.node, scratch));
      for (int i = 0; i < covered; i++) {
        assertEquals(held.get(request.cached + i), cache.coveringPage(request.node, scratch, i));
      }
      final int end = cache.insert(request.node, scratch, duplicates);
      assertTrue(scratch.isEmpty());
      checkDuplicates(pages.subList(0, covered));
      trie.put(path, pages, request.cached);
      assertEquals(trie.match(path), path(end));
      return end;
    }

    /** The covered pages, in runs that ascend, the last run first. */
    private void checkDuplicates(final List<Integer> expected) {
      final List<Integer> actual = PageBook.places(pool, duplicates);
      final List<Integer> restored = new ArrayList<>();
      int end = actual.size();
      while (end > 0) {
        int start = end - 1;
        while (start > 0
            && expected.indexOf(actual.get(start - 1)) == expected.indexOf(actual.get(start)) - 1) {
          start--;
        }
        restored.addAll(actual.subList(start, end));
        end = start;
      }
      assertEquals(expected, restored, "duplicates=" + actual);
    }

    private void finish(final SeededRun run, final Request request) {
      final int count = run.below(request.suffix.count() + 1);
      run.note("finish", requests.indexOf(request), count);
      pool.cutBehind(request.suffix, count, duplicates);
      pool.release(duplicates);
      final List<Integer> oldPath = new ArrayList<>(request.cachedSymbols());
      final int oldNode = request.node;
      insert(request, count);
      cache.unlock(oldNode);
      trie.lock(oldPath, -1);
      pool.release(duplicates);
      requests.remove(request);
    }

    private void abort(final SeededRun run, final Request request) {
      run.note("abort", requests.indexOf(request));
      pool.release(request.suffix);
      cache.unlock(request.node);
      trie.lock(request.cachedSymbols(), -1);
      requests.remove(request);
    }

    private void evict(final SeededRun run) {
      final long tokens = run.below(6 * pageSize) - (long) pageSize;
      run.note("evict", tokens);
      if (run.below(5) > 0) {
        evict(tokens);
      } else {
        final long freed = cache.evictLeaf(scratch);
        assertEquals(trie.count(false) > 0, freed > 0);
        settleEviction(freed);
      }
    }

    private void evict(final long tokens) {
      final long wanted = tokens <= 0 ? 0 : (tokens + pageSize - 1) / pageSize;
      final long expected = Math.min(wanted, trie.count(false)) * pageSize;
      final long freed = cache.evict(tokens, scratch);
      assertEquals(expected, freed);
      settleEviction(freed);
    }

    private void settleEviction(final long freed) {
      assertEquals(freed, scratch.count() * (long) pageSize);
      trie.remove(PageBook.places(pool, scratch));
      pool.release(scratch);
    }

    private void look(final SeededRun run) {
      final List<Integer> symbols = Prompts.draw(run, earlier, MOST_PAGES, symbolCount);
      run.note("look", numbers(symbols));
      final String before = CacheInspector.describe(cache);
      final int[] tokens = new int[symbols.size() * pageSize + run.below(pageSize)];
      for (int i = 0; i < symbols.size() * pageSize; i++) {
        tokens[i] = symbols.get(i / pageSize) * 1000 + i % pageSize;
      }
      assertEquals(
          trie.match(symbols).size() * (long) pageSize, cache.prefixMatchLen(TokenView.of(tokens)));
      assertEquals(before, CacheInspector.describe(cache));
    }

    private void unlockTooOften(final SeededRun run) {
      final int node = 1 + run.below(cache.nodeStore().highWater());
      if (node < cache.nodeStore().highWater()
          && cache.nodeStore().count(node) > 0
          && cache.nodeStore().lockCount(node) == 0) {
        run.note("unlock without a lock", node);
        cache.unlock(node);
        unbalancedUnlocks++;
      }
    }

    private List<Integer> path(final int node) {
      final List<List<Integer>> edges = new ArrayList<>();
      for (int n = node; n != RadixCache.ROOT; n = cache.parent(n)) {
        final PageChain edge = new PageChain();
        cache.loadEdge(n, edge);
        edges.add(PageBook.places(pool, edge));
      }
      Collections.reverse(edges);
      return edges.stream().flatMap(List::stream).toList();
    }

    private void verify() {
      final List<PageChain> owned = new ArrayList<>();
      for (final Request request : requests) {
        owned.add(request.suffix);
        assertEquals(trie.match(request.cachedSymbols()), path(request.node));
        assertEquals(request.symbols.size() - request.cached, request.suffix.count());
      }
      CacheInspector.verify(cache, owned);
      assertEquals(trie.count(false) * (long) pageSize, cache.evictableTokens());
      assertEquals(trie.count(true) * (long) pageSize, cache.protectedTokens());
      assertEquals(unbalancedUnlocks, cache.unbalancedUnlocks());
    }

    /** Ends all requests; then nothing is protected and all can be evicted. */
    void drain(final SeededRun run) {
      while (!requests.isEmpty()) {
        abort(run, requests.get(0));
        verify();
      }
      assertEquals(0, cache.protectedTokens());
      evict(Long.MAX_VALUE - pageSize);
      assertEquals(pool.pageCount(), pool.available());
      assertEquals(1, cache.nodes());
      verify();
    }
  }

  private static void agree(
      final long seed,
      final int pages,
      final int pageSize,
      final int symbols,
      final int operations) {
    try (Arena arena = Arena.tracking(1 << 24)) {
      final RadixCache cache =
          new RadixCache(arena, (long) pages * pageSize, pageSize, Math.max(1, pages));
      final Twin twin = new Twin(cache, symbols);
      SeededRun.run(
          seed,
          operations,
          run -> {
            twin.step(run);
            if (run.operation() % 1000 == 999) {
              twin.drain(run);
            }
          });
      assertFalse(arena.isClosed());
      cache.free(arena);
      arena.assertNothingLive();
    }
  }

  @Test
  void shouldAgreeWithATrieOfPagesInASmallPool() {
    for (final int pageSize : new int[] {1, 4, 16}) {
      agree(pageSize, 64, pageSize, 3, SeededRun.operations());
    }
  }

  @Test
  void shouldAgreeWithATrieOfPagesInTinyPools() {
    for (int pages = 1; pages <= 16; pages++) {
      agree(100 + pages, pages, 1 + pages % 3, 2, SeededRun.operations() / 16);
    }
  }

  @Test
  void shouldAgreeWithATrieOfPagesWhereNothingIsShort() {
    agree(200, 400, 2, 3, SeededRun.operations() / 20);
    agree(201, 400, 2, 40, SeededRun.operations() / 20);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithATrieOfPagesOverManyOperations() {
    for (final int pageSize : new int[] {1, 4, 16}) {
      agree(300 + pageSize, 64, pageSize, 6, 100_000);
      agree(400 + pageSize, 20, pageSize, 2, 100_000);
    }
  }
}
