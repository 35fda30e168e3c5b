package io.kvroute.load;

import static io.kvroute.load.PathEdgeLayout.CHILD;
import static io.kvroute.load.PathEdgeLayout.CHILDREN;
import static io.kvroute.load.PathEdgeLayout.COUNT;
import static io.kvroute.load.PathEdgeLayout.FIRST;
import static io.kvroute.load.PathEdgeLayout.LAST;
import static io.kvroute.load.PathEdgeLayout.LENGTH;
import static io.kvroute.load.PathEdgeLayout.PARENT;
import static io.kvroute.load.PathEdgeLayout.RANKS;
import static io.kvroute.load.PathEdgeLayout.REQUESTS;
import static io.kvroute.load.PathEdgeLayout.START;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;

/**
 * The edges of the tree of active prompts, and the one table of all children, keyed by (edge above,
 * first hash).
 */
final class PathEdges {
  static final int ROOT = -1;
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long PARENT_MIX = 0xC2B2AE3D27D4EB4FL;

  private final Region records;
  private final TagTable children;
  private final HashGranules granules;
  private final int capacity;
  private final int words;
  private final long stride;
  private final long tagMask;
  private int fresh;
  private int free = NONE;
  private int used;

  PathEdges(
      final Arena arena,
      final int capacity,
      final int rankCapacity,
      final HashGranules granules,
      final long tagMask) {
    this.capacity = capacity;
    this.granules = granules;
    this.tagMask = tagMask;
    words = words(rankCapacity);
    stride = stride(rankCapacity);
    records = arena.allocate("load edges", capacity * stride);
    children = new TagTable(arena, "load edge children", capacity);
  }

  private static int words(final int rankCapacity) {
    return (rankCapacity + 63) >>> 6;
  }

  private static long stride(final int rankCapacity) {
    return LENGTH + (long) words(rankCapacity) * Long.BYTES;
  }

  static long length(final int capacity, final int rankCapacity) {
    return capacity * stride(rankCapacity) + TagTable.length(capacity);
  }

  void free(final Arena arena) {
    arena.free(records);
    children.free(arena);
  }

  int capacity() {
    return capacity;
  }

  int used() {
    return used;
  }

  /** One more than the highest number that an edge ever had. */
  int bound() {
    return fresh;
  }

  /** Words of 64 ranks. */
  int words() {
    return words;
  }

  private int get(final int edge, final int field) {
    return records.getInt(edge * stride + field);
  }

  private void put(final int edge, final int field, final int value) {
    records.putInt(edge * stride + field, value);
  }

  int parent(final int edge) {
    return get(edge, PARENT);
  }

  int first(final int edge) {
    return get(edge, FIRST);
  }

  int last(final int edge) {
    return get(edge, LAST);
  }

  int start(final int edge) {
    return get(edge, START);
  }

  int count(final int edge) {
    return get(edge, COUNT);
  }

  int children(final int edge) {
    return get(edge, CHILDREN);
  }

  /** The child of an edge that has one child. */
  int onlyChild(final int edge) {
    return get(edge, CHILD);
  }

  /** Requests that go through, of all ranks; 0 if the edge is not in use. */
  int requests(final int edge) {
    return get(edge, REQUESTS);
  }

  void requests(final int edge, final int requests) {
    put(edge, REQUESTS, requests);
  }

  /** The blocks of an edge: a chain of granules, and which positions of it. */
  void blocks(final int edge, final int first, final int last, final int start, final int count) {
    put(edge, FIRST, first);
    put(edge, LAST, last);
    put(edge, START, start);
    put(edge, COUNT, count);
  }

  long firstHash(final int edge) {
    return granules.hash(first(edge), start(edge));
  }

  // ------ ranks

  /** Ranks {@code 64 * word} and following of which requests go through. */
  long ranks(final int edge, final int word) {
    return records.getLong(edge * stride + RANKS + ((long) word << 3));
  }

  boolean hasRank(final int edge, final int rank) {
    return (ranks(edge, rank >>> 6) >>> rank & 1) != 0;
  }

  void flipRank(final int edge, final int rank) {
    putRanks(edge, rank >>> 6, ranks(edge, rank >>> 6) ^ 1L << rank);
  }

  private void putRanks(final int edge, final int word, final long ranks) {
    records.putLong(edge * stride + RANKS + ((long) word << 3), ranks);
  }

  int rankCount(final int edge) {
    int count = 0;
    for (int w = 0; w < words; w++) {
      count += Long.bitCount(ranks(edge, w));
    }
    return count;
  }

  void copyRanks(final int from, final int to) {
    for (int w = 0; w < words; w++) {
      putRanks(to, w, ranks(from, w));
    }
  }

  // ------ coming and going

  /** Takes an edge without blocks, children and ranks; there is one. */
  int take() {
    final int edge;
    if (free == NONE) {
      edge = fresh++;
    } else {
      edge = free;
      free = parent(edge);
    }
    used++;
    put(edge, CHILDREN, 0);
    put(edge, CHILD, 0);
    put(edge, REQUESTS, 0);
    for (int w = 0; w < words; w++) {
      putRanks(edge, w, 0);
    }
    return edge;
  }

  void release(final int edge) {
    put(edge, REQUESTS, 0);
    put(edge, PARENT, free);
    free = edge;
    used--;
  }

  // ------ children

  private long key(final int parent, final long firstHash) {
    return (firstHash ^ parent * PARENT_MIX) * MIX & tagMask;
  }

  /** The edge below {@code parent} that begins with a hash, or {@link #NONE}. */
  int child(final int parent, final long firstHash) {
    final long key = key(parent, firstHash);
    long slot = children.first(key);
    while (slot != TagTable.ABSENT) {
      final int edge = children.value(slot);
      if (parent(edge) == parent && firstHash(edge) == firstHash) {
        return edge;
      }
      slot = children.next(slot, key);
    }
    return NONE;
  }

  /** Puts an edge, the blocks of which are set, below another one. */
  void attach(final int edge, final int parent) {
    put(edge, PARENT, parent);
    children.insert(key(parent, firstHash(edge)), edge);
    countChild(parent, 1, edge);
  }

  /** Takes an edge away from below its parent. */
  void detach(final int edge) {
    final int parent = parent(edge);
    children.remove(children.slotOf(key(parent, firstHash(edge)), edge));
    countChild(parent, -1, edge);
  }

  private void countChild(final int parent, final int difference, final int edge) {
    if (parent != ROOT) {
      put(parent, CHILDREN, children(parent) + difference);
      put(parent, CHILD, get(parent, CHILD) ^ edge);
    }
  }
}
