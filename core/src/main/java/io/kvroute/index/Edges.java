package io.kvroute.index;

import static io.kvroute.index.EdgeLayout.CHILD;
import static io.kvroute.index.EdgeLayout.COUNT;
import static io.kvroute.index.EdgeLayout.FIRST;
import static io.kvroute.index.EdgeLayout.LENGTH_SHIFT;
import static io.kvroute.index.EdgeLayout.NEXT;
import static io.kvroute.index.EdgeLayout.OLDER;
import static io.kvroute.index.EdgeLayout.PARENT;
import static io.kvroute.index.EdgeLayout.PARTS;
import static io.kvroute.index.EdgeLayout.PREVIOUS;
import static io.kvroute.index.EdgeLayout.START;
import static io.kvroute.index.EdgeLayout.TAIL;
import static io.kvroute.index.EdgeLayout.WORDS;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.SequenceLock;
import io.kvroute.memory.TagTable;

/**
 * The edges of the tree, their links, and the one table in which every child is found by its parent
 * and the local hash of its first block. Edge 0 is the root; it has no blocks and no holders.
 */
final class Edges {
  static final int ROOT = 0;
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long EDGE_MIX = 0xD6E8FEB86659FD93L;

  private final Region records;
  private final TagTable children;
  private final Blocks blocks;
  private final LeafOrder leaves;
  private final SequenceLock lock;
  private final int capacity;
  private int fresh;
  private int free;
  private int used;

  /**
   * Lays out the records.
   *
   * @param capacity edges apart from the root
   */
  Edges(final Arena arena, final int capacity, final Blocks blocks, final SequenceLock lock) {
    this.capacity = capacity;
    this.blocks = blocks;
    this.lock = lock;
    this.records = arena.allocate("index edges", (capacity + 1L) << LENGTH_SHIFT);
    this.children = new TagTable(arena, "index children", capacity);
    this.leaves = new LeafOrder(records);
    reset();
  }

  static long length(final int capacity) {
    return ((capacity + 1L) << LENGTH_SHIFT) + TagTable.length(capacity);
  }

  void free(final Arena arena) {
    arena.free(records);
    children.free(arena);
  }

  private void reset() {
    put(ROOT, PARENT, NONE);
    put(ROOT, FIRST, NONE);
    put(ROOT, TAIL, NONE);
    put(ROOT, CHILD, NONE);
    put(ROOT, NEXT, NONE);
    put(ROOT, PREVIOUS, NONE);
    fresh = 1;
    free = NONE;
    used = 0;
  }

  Region records() {
    return records;
  }

  /** The edges without children, in the order of the last stores that ended there. */
  LeafOrder leaves() {
    return leaves;
  }

  static long offset(final int edge) {
    return (long) edge << LENGTH_SHIFT;
  }

  private int get(final int edge, final int field) {
    return records.getInt(offset(edge) + field);
  }

  private void put(final int edge, final int field, final int value) {
    records.putInt(offset(edge) + field, value);
  }

  /** Edges in use, not counting the root. */
  int used() {
    return used;
  }

  int freeCount() {
    return capacity - used;
  }

  /** One more than the highest number that an edge ever had. */
  int bound() {
    return fresh;
  }

  boolean isUsed(final int edge) {
    return get(edge, COUNT) > 0;
  }

  int parent(final int edge) {
    return get(edge, PARENT);
  }

  int first(final int edge) {
    return get(edge, FIRST);
  }

  int start(final int edge) {
    return get(edge, START);
  }

  int count(final int edge) {
    return get(edge, COUNT);
  }

  int tail(final int edge) {
    return get(edge, TAIL);
  }

  int firstChild(final int edge) {
    return get(edge, CHILD);
  }

  int nextSibling(final int edge) {
    return get(edge, NEXT);
  }

  boolean isOnlyChild(final int edge) {
    return get(edge, NEXT) == NONE && get(edge, PREVIOUS) == NONE;
  }

  /** Sets where the edge ends. */
  void end(final int edge, final int tail, final int count) {
    lock.beginChange();
    put(edge, TAIL, tail);
    put(edge, COUNT, count);
  }

  /** The edge on which the block in {@code slot} lies. */
  int edgeOf(final int slot) {
    final int depth = blocks.depth(slot);
    int edge = blocks.owner(slot);
    while (get(edge, START) > depth) {
      edge = get(edge, PARENT);
    }
    return edge;
  }

  /** The slot of the block {@code index} of an edge. */
  int slot(final int edge, final int index) {
    final int count = count(edge);
    return index <= count >>> 1
        ? blocks.forward(first(edge), index)
        : blocks.back(tail(edge), count - 1 - index);
  }

  private static long childHash(final int parent, final long local) {
    return (local ^ parent * EDGE_MIX) * MIX;
  }

  /**
   * The edge below {@code parent} that begins with a local hash, or {@link #NONE}. A look-up beside
   * a change may find a slot of the table empty that was not, hence the check of the number.
   */
  int child(final int parent, final long local) {
    final long hash = childHash(parent, local);
    long position = children.first(hash);
    while (position != TagTable.ABSENT) {
      final int edge = children.value(position);
      if (edge >= 0 && get(edge, PARENT) == parent && blocks.local(get(edge, FIRST)) == local) {
        return edge;
      }
      position = children.next(position, hash);
    }
    return NONE;
  }

  private long position(final int edge) {
    return children.slotOf(childHash(parent(edge), blocks.local(first(edge))), edge);
  }

  private int allocate() {
    final int edge;
    if (free == NONE) {
      edge = fresh++;
    } else {
      edge = free;
      free = parent(edge);
    }
    used++;
    put(edge, WORDS, 0);
    put(edge, PARTS, 0);
    put(edge, OLDER, LeafOrder.ABSENT);
    return edge;
  }

  private void release(final int edge) {
    put(edge, COUNT, 0);
    put(edge, PARENT, free);
    free = edge;
    used--;
  }

  /** Makes an edge without holders below {@code parent}; its blocks have been laid out. */
  int add(final int parent, final int first, final int tail, final int start, final int count) {
    lock.beginChange();
    final int edge = allocate();
    put(edge, PARENT, parent);
    put(edge, FIRST, first);
    put(edge, START, start);
    end(edge, tail, count);
    put(edge, CHILD, NONE);
    final int sibling = firstChild(parent);
    put(edge, NEXT, sibling);
    put(edge, PREVIOUS, NONE);
    if (sibling != NONE) {
      put(sibling, PREVIOUS, edge);
    }
    put(parent, CHILD, edge);
    children.insert(childHash(parent, blocks.local(first)), edge);
    leaves.remove(parent);
    leaves.add(edge);
    return edge;
  }

  /**
   * Takes a childless edge out of the tree; its number may be used again. A parent whose last child
   * it was takes its place among the leaves.
   */
  void remove(final int edge) {
    lock.beginChange();
    children.remove(position(edge));
    final int next = get(edge, NEXT);
    final int previous = get(edge, PREVIOUS);
    if (next != NONE) {
      put(next, PREVIOUS, previous);
    }
    if (previous != NONE) {
      put(previous, NEXT, next);
    } else {
      put(parent(edge), CHILD, next);
    }
    if (parent(edge) != ROOT && firstChild(parent(edge)) == NONE) {
      leaves.replace(edge, parent(edge));
    } else {
      leaves.remove(edge);
    }
    release(edge);
  }

  /**
   * Splits an edge before its block {@code index}. The rear part keeps the number, and with it the
   * children; the part in front gets a new one, without holders.
   *
   * @param index more than 0 and less than the count
   */
  int split(final int edge, final int index) {
    lock.beginChange();
    final int slot = slot(edge, index);
    final long position = position(edge);
    final int front = allocate();
    final int first = first(edge);
    final int tail = blocks.previous(slot);
    put(front, FIRST, first);
    put(front, START, start(edge));
    end(front, tail, index);
    put(front, CHILD, edge);
    takePlace(front, edge);
    children.setValue(position, front);
    put(edge, PARENT, front);
    put(edge, FIRST, slot);
    put(edge, START, start(edge) + index);
    put(edge, COUNT, count(edge) - index);
    put(edge, NEXT, NONE);
    put(edge, PREVIOUS, NONE);
    children.insert(childHash(front, blocks.local(slot)), edge);
    blocks.replaceOwner(first, slot, edge, front);
    return front;
  }

  /** Puts {@code edge} where {@code old} is below its parent, between the same siblings. */
  private void takePlace(final int edge, final int old) {
    final int parent = parent(old);
    final int next = get(old, NEXT);
    final int previous = get(old, PREVIOUS);
    put(edge, PARENT, parent);
    put(edge, NEXT, next);
    put(edge, PREVIOUS, previous);
    if (next != NONE) {
      put(next, PREVIOUS, edge);
    }
    if (previous != NONE) {
      put(previous, NEXT, edge);
    } else {
      put(parent, CHILD, edge);
    }
  }

  /**
   * Joins an edge with its only child. The child keeps its number; the edge above disappears. Its
   * blocks have been made one chain.
   */
  void absorbParent(final int edge) {
    lock.beginChange();
    final int above = parent(edge);
    children.remove(position(edge));
    children.setValue(position(above), edge);
    blocks.replaceOwner(first(above), NONE, above, edge);
    takePlace(edge, above);
    put(edge, FIRST, first(above));
    put(edge, START, start(above));
    put(edge, COUNT, count(edge) + count(above));
    release(above);
  }

  /** Sets the first block of an edge whose blocks were moved; its local hash must be the same. */
  void first(final int edge, final int slot) {
    lock.beginChange();
    put(edge, FIRST, slot);
  }
}
