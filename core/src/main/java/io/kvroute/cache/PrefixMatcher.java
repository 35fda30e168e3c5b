package io.kvroute.cache;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;

/**
 * Walks the tree along a prompt or along a chain of keyed pages, comparing whole extents. Prompts
 * are hashed in windows, just ahead of the walk, and the hashes of the last window stay at hand so
 * that the part behind the match is not hashed twice.
 */
final class PrefixMatcher {
  /** Most hashes kept at hand. */
  private static final int MAX_WINDOW_PAGES = 512;

  private final PagePool pool;
  private final NodeStore nodes;
  private final BlockHasher hasher;
  private final Region window;
  private final Region keys;
  private final int windowPages;
  private int promptPages;
  private int windowStart;
  private int windowEnd;
  private int matchedPages;
  private int wholeNode;
  private int insideNode;
  private int pagesInside;
  private int endNode;

  PrefixMatcher(
      final Arena arena, final PagePool pool, final NodeStore nodes, final long pageSize) {
    this.pool = pool;
    this.nodes = nodes;
    this.keys = pool.keys();
    hasher = BlockHasher.of(pageSize);
    windowPages = windowPages(pool.pageCount());
    window = arena.allocate("radix.window", length(pool.pageCount()));
  }

  private static int windowPages(final long pageCount) {
    return (int) Math.min(MAX_WINDOW_PAGES, 8 + pageCount / 16);
  }

  static long length(final long pageCount) {
    return (long) windowPages(pageCount) * Long.BYTES;
  }

  void free(final Arena arena) {
    arena.free(window);
  }

  BlockHasher hasher() {
    return hasher;
  }

  /** The last node that was matched to its end. */
  int wholeNode() {
    return wholeNode;
  }

  /** The node inside whose edge the match ended, if {@link #pagesInside()} is not 0. */
  int insideNode() {
    return insideNode;
  }

  int pagesInside() {
    return pagesInside;
  }

  int endNode() {
    return endNode;
  }

  void endAt(final int node) {
    endNode = node;
  }

  /** Finds the longest prefix of whole pages below {@code start}; returns its pages. */
  int walk(final TokenView tokens, final int start) {
    promptPages = (int) hasher.blockCount(tokens.count());
    windowStart = 0;
    windowEnd = 0;
    matchedPages = 0;
    pagesInside = 0;
    wholeNode = start;
    while (matchedPages < promptPages) {
      slideWindow(tokens);
      final int child = nodes.child(wholeNode, window.getLong(windowOffset(matchedPages)));
      if (child == NodeStore.NONE) {
        break;
      }
      final int pages = walkEdge(tokens, child);
      if (pages < nodes.count(child)) {
        insideNode = child;
        pagesInside = pages;
        break;
      }
      wholeNode = child;
    }
    endNode = wholeNode;
    return matchedPages;
  }

  /** As {@link #walk}, but the outcome of the last walk stays; only its hashes are forgotten. */
  int peek(final TokenView tokens, final int start) {
    final int lastMatchedPages = matchedPages;
    final int lastEndNode = endNode;
    final int pages = walk(tokens, start);
    matchedPages = lastMatchedPages;
    endNode = lastEndNode;
    windowStart = 0;
    windowEnd = 0;
    return pages;
  }

  private int walkEdge(final TokenView tokens, final int node) {
    final int count = nodes.count(node);
    int extent = nodes.head(node);
    int done = 0;
    while (true) {
      final int length = pool.extentLength(extent);
      final int pages = walkExtent(tokens, extent, length);
      done += pages;
      if (pages < length || done == count) {
        return done;
      }
      extent = pool.nextExtent(extent);
    }
  }

  private int walkExtent(final TokenView tokens, final int extent, final int length) {
    int done = 0;
    while (done < length && matchedPages < promptPages) {
      slideWindow(tokens);
      final int step = Math.min(length - done, windowEnd - matchedPages);
      final int pages =
          keys.matchingLongs((long) (extent + done) << 3, window, windowOffset(matchedPages), step);
      done += pages;
      matchedPages += pages;
      if (pages < step) {
        break;
      }
    }
    return done;
  }

  private long windowOffset(final int page) {
    return (long) (page - windowStart) << 3;
  }

  /** Makes sure that the hash of the page behind the match is in the window. */
  private void slideWindow(final TokenView tokens) {
    if (matchedPages < windowEnd) {
      return;
    }
    windowStart = matchedPages;
    windowEnd = Math.min(promptPages, windowStart + windowPages);
    hasher.localHashes(tokens, windowStart, windowEnd - windowStart, window, 0);
  }

  /** Writes the local hashes of the pages behind the match to the pages of {@code suffix}. */
  void keySuffix(final TokenView tokens, final PageChain suffix, final int completePages) {
    int extent = suffix.head;
    int done = 0;
    while (done < completePages) {
      final int length = Math.min(pool.extentLength(extent), completePages - done);
      final int firstPage = matchedPages + done;
      final int known = copyKnown(extent, length, firstPage);
      if (known < length) {
        final long offset = (long) (extent + known) << 3;
        hasher.localHashes(tokens, firstPage + known, length - known, keys, offset);
      }
      done += length;
      extent = pool.nextExtent(extent);
    }
  }

  /** As {@link #keySuffix}, and writes the chain hashes in the same pass. */
  void keyAndChainSuffix(
      final TokenView tokens,
      final PageChain suffix,
      final int completePages,
      final boolean hasParent,
      final long parentHash) {
    final Region hashes = pool.hashes();
    long parent = parentHash;
    int extent = suffix.head;
    int done = 0;
    while (done < completePages) {
      final int length = Math.min(pool.extentLength(extent), completePages - done);
      final int firstPage = matchedPages + done;
      final int known = copyKnown(extent, length, firstPage);
      final long offset = (long) extent << 3;
      if (known > 0) {
        SequenceHash.chain(keys, offset, known, hasParent || done > 0, parent, hashes, offset);
        parent = hashes.getLong(offset + ((long) (known - 1) << 3));
      }
      if (known < length) {
        final long from = offset + ((long) known << 3);
        hasher.hashes(
            tokens,
            firstPage + known,
            length - known,
            hasParent || done + known > 0,
            parent,
            keys,
            from,
            hashes,
            from);
        parent = hashes.getLong(offset + ((long) (length - 1) << 3));
      }
      done += length;
      extent = pool.nextExtent(extent);
    }
  }

  /** Copies those local hashes of an extent that the window still holds; returns how many. */
  private int copyKnown(final int extent, final int length, final int firstPage) {
    final int known = Math.max(0, Math.min(length, windowEnd - firstPage));
    if (known > 0) {
      window.copyTo(windowOffset(firstPage), keys, (long) extent << 3, (long) known << 3);
    }
    return known;
  }

  /** Number of leading pages of {@code suffix} that the tree holds below {@code start}. */
  int cover(final int start, final PageChain suffix) {
    int node = start;
    int extent = suffix.head;
    int within = 0;
    int covered = 0;
    while (covered < suffix.count) {
      final int child = nodes.child(node, keys.getLong((long) (extent + within) << 3));
      if (child == NodeStore.NONE) {
        break;
      }
      final int pages = compare(child, extent, within, suffix.count - covered);
      covered += pages;
      if (pages < nodes.count(child) || covered == suffix.count) {
        break;
      }
      node = child;
      within += pages;
      int length;
      while (within >= (length = pool.extentLength(extent))) {
        within -= length;
        extent = pool.nextExtent(extent);
      }
    }
    return covered;
  }

  /** The tree's page at {@code position} of a suffix that it holds that far below {@code start}. */
  int coveringPage(final int start, final PageChain suffix, final int position) {
    int node = start;
    int extent = suffix.head;
    int within = 0;
    int passed = 0;
    while (true) {
      node = nodes.child(node, keys.getLong((long) (extent + within) << 3));
      final int count = nodes.count(node);
      if (position < passed + count) {
        return pool.pageAt(nodes.head(node), position - passed);
      }
      passed += count;
      within += count;
      int length;
      while (within >= (length = pool.extentLength(extent))) {
        within -= length;
        extent = pool.nextExtent(extent);
      }
    }
  }

  /** Number of leading pages of {@code suffix} that equal the edge of {@code node}. */
  int matchingPages(final int node, final PageChain suffix) {
    return compare(node, suffix.head, 0, suffix.count);
  }

  private int compare(final int node, final int firstExtent, final int skip, final int count) {
    final int limit = Math.min(nodes.count(node), count);
    int left = nodes.head(node);
    int leftRest = pool.extentLength(left);
    int leftPage = left;
    int right = firstExtent;
    int rightRest = pool.extentLength(right) - skip;
    int rightPage = right + skip;
    int done = 0;
    while (true) {
      final int step = Math.min(limit - done, Math.min(leftRest, rightRest));
      final int pages = keys.matchingLongs((long) leftPage << 3, keys, (long) rightPage << 3, step);
      done += pages;
      if (pages < step || done == limit) {
        return done;
      }
      leftPage += step;
      rightPage += step;
      if ((leftRest -= step) == 0) {
        left = pool.nextExtent(left);
        leftPage = left;
        leftRest = pool.extentLength(left);
      }
      if ((rightRest -= step) == 0) {
        right = pool.nextExtent(right);
        rightPage = right;
        rightRest = pool.extentLength(right);
      }
    }
  }
}
