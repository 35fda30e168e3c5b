package io.kvroute.engine;

import io.kvroute.cache.PageChain;
import io.kvroute.cache.PagePool;
import io.kvroute.cache.RadixCache;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.memory.Arena;
import io.kvroute.protocol.KvEventSink;

/**
 * Decides what is announced. A block is announced as stored when its first physical copy is
 * complete and as removed when its last one goes; pages are announced once each, whole pages only,
 * with the chain hash and the parent that the block truly has.
 *
 * <p>Copies are counted only while there may be two. As long as all announced pages in flight are
 * those of one suffix, none of whose blocks the tree has announced, that suffix stands {@code
 * alone}: nothing of it is counted, and the counts are empty. It is counted when another one
 * announces a page beside it.
 */
final class EventPublisher {
  private final RadixCache cache;
  private final PagePool pool;
  private final CopyCounts copies;
  private final EventWriter writer;
  private final PageChain edge = new PageChain();
  private PageChain alone;
  private long parentHash;

  EventPublisher(final Arena arena, final RadixCache cache, final long workerId, final int dpRank) {
    this.cache = cache;
    this.pool = cache.pool();
    copies = new CopyCounts(arena, pool.hashes(), pool.pageCount());
    writer = new EventWriter(pool, workerId, dpRank);
  }

  void free(final Arena arena) {
    copies.free(arena);
  }

  void sink(final KvEventSink sink) {
    writer.sink(sink);
  }

  EventWriter writer() {
    return writer;
  }

  CopyCounts copies() {
    return copies;
  }

  boolean isAttached() {
    return writer.isAttached();
  }

  /**
   * Hashes, chains and announces the complete pages of a fresh suffix, none of which the tree
   * holds.
   */
  void publishFresh(
      final TokenView tokens, final int node, final PageChain suffix, final int completePages) {
    final boolean hasParent = findParent(node, suffix, 0);
    final long parent = parentHash;
    cache.keyAndChainSuffix(tokens, suffix, completePages, hasParent, parent);
    mark(suffix, completePages, true);
    if (isAlone(suffix)) {
      alone = suffix;
      announce(suffix, 0, completePages, 0, hasParent, parent);
      return;
    }
    countAlone();
    int newStart = 0;
    int extent = pool.firstExtent(suffix);
    for (int position = 0; position < completePages; ) {
      final int count = Math.min(pool.extentLength(extent), completePages - position);
      for (int i = 0; i < count; i++, position++) {
        if (!copies.publish(extent + i, false)) {
          announce(suffix, newStart, position, 0, hasParent, parent);
          newStart = position + 1;
        }
      }
      extent = pool.nextExtent(extent);
    }
    announce(suffix, newStart, completePages, 0, hasParent, parent);
  }

  /** True if no announced page is in flight, or only such of {@code owner} as are not counted. */
  private boolean isAlone(final PageChain owner) {
    return copies.isEmpty() && (alone == null || alone == owner);
  }

  /** Whether pages of a suffix can be announced uncounted; if not, all are counted from now on. */
  private boolean staysAlone(final PageChain owner, final PageChain suffix, final int covered) {
    if (covered == 0 && isAlone(owner)) {
      if (suffix == owner) {
        alone = owner;
      }
      return true;
    }
    if (alone == owner && suffix != owner) {
      count(suffix);
    }
    countAlone();
    return false;
  }

  private void countAlone() {
    if (alone != null) {
      count(alone);
      alone = null;
    }
  }

  private void count(final PageChain pages) {
    int extent = pool.firstExtent(pages);
    for (int done = 0; done < pages.count(); ) {
      final int length = pool.extentLength(extent);
      for (int page = extent; page < extent + length; page++) {
        if (pool.isPublished(page)) {
          copies.publish(page, false);
        }
      }
      done += length;
      extent = pool.nextExtent(extent);
    }
  }

  /** No announced page of {@code owner} is in flight any more. */
  void forget(final PageChain owner) {
    if (alone == owner) {
      alone = null;
    }
  }

  /** The suffix whose announced pages are not counted, or null; for inspection. */
  PageChain alone() {
    return alone;
  }

  /**
   * Announces the pages of {@code suffix} from position {@code from} to {@code to} that were not
   * announced before and whose block has no other copy; one event for each chain of them. With a
   * sink from the start that is one event at most.
   *
   * @param owner the lease's suffix; {@code suffix} is either the same or was cut from it and goes
   *     to the tree at once
   * @param node where the suffix hangs in the tree
   * @param covered leading pages of the suffix that the tree holds already
   * @return pages looked at, from the first unannounced one on
   */
  int publishStored(
      final PageChain owner,
      final int node,
      final PageChain suffix,
      final int from,
      final int to,
      final int covered) {
    int position = nextPosition(suffix, from, to, false);
    final int firstUnpublished = position;
    final boolean counted = position < to && !staysAlone(owner, suffix, covered);
    while (position < to) {
      final int end = nextPosition(suffix, position, to, true);
      publishRun(node, suffix, position, end, covered, counted);
      position = nextPosition(suffix, end, to, false);
    }
    return to - firstUnpublished;
  }

  /** The first position from {@code from} on whose page is published or not, as asked; or to. */
  private int nextPosition(
      final PageChain chain, final int from, final int to, final boolean published) {
    int extent = pool.firstExtent(chain);
    int extentStart = 0;
    for (int position = from; position < to; ) {
      final int length = pool.extentLength(extent);
      final int end = Math.min(extentStart + length, to);
      if (position < end) {
        final int count = end - position;
        final int first = extent + position - extentStart;
        final int marked = pool.publishedCount(first, count);
        if (marked != (published ? 0 : count)) {
          return position + scan(first, published);
        }
        position = end;
      }
      extentStart += length;
      extent = pool.nextExtent(extent);
    }
    return to;
  }

  private int scan(final int first, final boolean published) {
    int skipped = 0;
    while (pool.isPublished(first + skipped) != published) {
      skipped++;
    }
    return skipped;
  }

  /** Announces those of a run of unannounced pages that have no other copy, a chain at a time. */
  private void publishRun(
      final int node,
      final PageChain suffix,
      final int from,
      final int to,
      final int covered,
      final boolean counted) {
    final boolean hasParent = findParent(node, suffix, from);
    final long parent = parentHash;
    long chained = parent;
    int newStart = from;
    int extent = pool.firstExtent(suffix);
    int extentStart = 0;
    for (int position = from; position < to; ) {
      final int end = Math.min(extentStart + pool.extentLength(extent), to);
      if (position < end) {
        final int page = extent + position - extentStart;
        chained = chainExtent(page, end - position, hasParent || position > from, chained);
        if (!counted) {
          position = end;
        }
      }
      for (; position < end; position++) {
        final int page = extent + position - extentStart;
        if (!countCopy(node, suffix, page, position, covered)) {
          announce(suffix, newStart, position, from, hasParent, parent);
          newStart = position + 1;
        }
      }
      extentStart += pool.extentLength(extent);
      extent = pool.nextExtent(extent);
    }
    announce(suffix, newStart, to, from, hasParent, parent);
  }

  /** Sends the pages from {@code start} to {@code end} of a run that begins at {@code runStart}. */
  private void announce(
      final PageChain suffix,
      final int start,
      final int end,
      final int runStart,
      final boolean runHasParent,
      final long runParent) {
    if (start < end) {
      final boolean first = start == runStart;
      final long parent = first ? runParent : hashAt(suffix, start - 1);
      writer.stored(suffix, start, end - start, !first || runHasParent, parent);
    }
  }

  private long chainExtent(
      final int page, final int count, final boolean hasParent, final long parent) {
    final long offset = (long) page << 3;
    SequenceHash.chain(pool.keys(), offset, count, hasParent, parent, pool.hashes(), offset);
    pool.setPublished(page, count, true);
    return pool.hashes().getLong(offset + ((long) (count - 1) << 3));
  }

  /** Counts a copy of a page's block; true if it is the only one. */
  private boolean countCopy(
      final int node,
      final PageChain suffix,
      final int page,
      final int position,
      final int covered) {
    final boolean inTree = position < covered && isTreeCopyPublished(node, suffix, position);
    return copies.publish(page, inTree);
  }

  /** Whether the tree's page for a position of the suffix, which it holds, was announced. */
  private boolean isTreeCopyPublished(final int node, final PageChain suffix, final int position) {
    return pool.isPublished(cache.coveringPage(node, suffix, position));
  }

  /** Sets {@link #parentHash} to the hash of the page before a position; false if there is none. */
  private boolean findParent(final int node, final PageChain suffix, final int position) {
    parentHash = 0;
    if (position == 0 && node == RadixCache.ROOT) {
      return false;
    }
    final int page = position > 0 ? pool.pageAt(suffix, position - 1) : cache.lastPage(node);
    if (pool.isPublished(page)) {
      parentHash = pool.hashes().getLong((long) page << 3);
    } else {
      parentHash = recompute(node, suffix, position);
    }
    return true;
  }

  private long hashAt(final PageChain chain, final int position) {
    return pool.hashes().getLong((long) pool.pageAt(chain, position) << 3);
  }

  /**
   * The chain hash of the page before {@code position} when that page was never announced: a sink
   * came late. Walks the whole path; allocates.
   */
  private long recompute(final int node, final PageChain suffix, final int position) {
    int depth = 0;
    for (int n = node; n != RadixCache.ROOT; n = cache.parent(n)) {
      depth++;
    }
    final int[] path = new int[depth];
    for (int n = node; n != RadixCache.ROOT; n = cache.parent(n)) {
      path[--depth] = n;
    }
    boolean parented = false;
    long hash = 0;
    for (final int n : path) {
      cache.loadEdge(n, edge);
      hash = fold(edge, edge.count(), parented, hash);
      parented = true;
    }
    return fold(suffix, position, parented, hash);
  }

  private long fold(
      final PageChain chain, final int count, final boolean hasParent, final long parent) {
    long hash = parent;
    boolean parented = hasParent;
    int extent = pool.firstExtent(chain);
    for (int done = 0; done < count; ) {
      final int length = Math.min(pool.extentLength(extent), count - done);
      for (int i = 0; i < length; i++) {
        final long key = pool.keys().getLong((long) (extent + i) << 3);
        hash = parented ? SequenceHash.next(hash, key) : key;
        parented = true;
      }
      done += length;
      extent = pool.nextExtent(extent);
    }
    return hash;
  }

  /** The pages of {@code suffix} behind the covered ones are about to become the tree's. */
  void moveToTree(final PageChain suffix, final int covered) {
    if (copies.isEmpty()) {
      return;
    }
    int extent = pool.firstExtent(suffix);
    int extentStart = 0;
    while (extentStart < suffix.count()) {
      final int length = pool.extentLength(extent);
      for (int i = Math.max(0, covered - extentStart); i < length; i++) {
        if (pool.isPublished(extent + i)) {
          copies.moveToTree(extent + i);
        }
      }
      extentStart += length;
      extent = pool.nextExtent(extent);
    }
  }

  /**
   * Pages are about to be freed: takes their announcements back and announces as removed those
   * whose last copy goes.
   *
   * @param inTree whether they were the tree's or in flight
   */
  void publishRemoved(final PageChain pages, final boolean inTree) {
    if (pages.isEmpty()) {
      return;
    }
    final int marked = copies.isEmpty() ? countMarked(pages) : keepLastCopies(pages, inTree);
    if (marked > 0 && writer.isAttached()) {
      writer.removed(pages, marked);
    }
    if (marked > 0) {
      mark(pages, pages.count(), false);
    }
  }

  private int countMarked(final PageChain pages) {
    int marked = 0;
    int extent = pool.firstExtent(pages);
    for (int done = 0; done < pages.count(); ) {
      final int length = pool.extentLength(extent);
      marked += pool.publishedCount(extent, length);
      done += length;
      extent = pool.nextExtent(extent);
    }
    return marked;
  }

  /** Takes the mark of every page away that has another copy; returns how many keep theirs. */
  private int keepLastCopies(final PageChain pages, final boolean inTree) {
    int marked = 0;
    int extent = pool.firstExtent(pages);
    for (int done = 0; done < pages.count(); ) {
      final int length = pool.extentLength(extent);
      for (int page = extent; page < extent + length; page++) {
        if (pool.isPublished(page)) {
          if (isLastCopy(page, inTree)) {
            marked++;
          } else {
            pool.setPublished(page, false);
          }
        }
      }
      done += length;
      extent = pool.nextExtent(extent);
    }
    return marked;
  }

  private boolean isLastCopy(final int page, final boolean inTree) {
    return inTree ? copies.removeFromTree(page) : copies.removeInFlight(page);
  }

  /** Marks the first {@code count} pages of a chain as announced or not. */
  private void mark(final PageChain pages, final int count, final boolean announced) {
    int extent = pool.firstExtent(pages);
    for (int done = 0; done < count; ) {
      final int length = Math.min(pool.extentLength(extent), count - done);
      pool.setPublished(extent, length, announced);
      done += length;
      extent = pool.nextExtent(extent);
    }
  }

  /** Announces as removed all that is still announced, in the order of places. */
  void publishEverythingRemoved() {
    int marked = 0;
    for (int page = 0; page < pool.placeCount(); page++) {
      if (pool.isPublished(page)) {
        if (copies.removeAny(page)) {
          marked++;
        } else {
          pool.setPublished(page, false);
        }
      }
    }
    if (marked > 0 && writer.isAttached()) {
      final PageChain everything = new PageChain();
      pool.wholePool(everything);
      writer.removed(everything, marked);
    }
  }
}
