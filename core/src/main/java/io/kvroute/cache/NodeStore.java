package io.kvroute.cache;

import static io.kvroute.cache.NodeLayout.CHILD_COUNT_OFFSET;
import static io.kvroute.cache.NodeLayout.COUNT_OFFSET;
import static io.kvroute.cache.NodeLayout.HEAD_OFFSET;
import static io.kvroute.cache.NodeLayout.LENGTH;
import static io.kvroute.cache.NodeLayout.LOCK_COUNT_OFFSET;
import static io.kvroute.cache.NodeLayout.PARENT_OFFSET;
import static io.kvroute.cache.NodeLayout.STAMP_OFFSET;
import static io.kvroute.cache.NodeLayout.TAIL_OFFSET;

import io.kvroute.memory.Arena;
import io.kvroute.memory.CapacityExceededException;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;

/**
 * The records of the radix nodes and the one table that finds a child by its parent and the local
 * hash of its first page. Node 0 is the root.
 */
final class NodeStore {
  static final int ROOT = 0;
  static final int NONE = -1;

  private static final long PARENT_MIX = 0x9E3779B97F4A7C15L;
  private static final long KEY_MIX = 0xC2B2AE3D27D4EB4FL;

  private final Region nodes;
  private final TagTable children;
  private final Region keys;
  private final int capacity;
  private int used = 1;
  private int freeHead = NONE;
  private int live = 1;

  NodeStore(final Arena arena, final int nodeCapacity, final Region keys) {
    this.capacity = nodeCapacity + 1;
    this.keys = keys;
    nodes = arena.allocate("radix.nodes", (long) LENGTH * capacity);
    children = new TagTable(arena, "radix.children", nodeCapacity);
  }

  static long length(final int nodeCapacity) {
    return (long) LENGTH * (nodeCapacity + 1L) + TagTable.length(nodeCapacity);
  }

  void free(final Arena arena) {
    arena.free(nodes);
    children.free(arena);
  }

  /** Live nodes, the root included. */
  int live() {
    return live;
  }

  int available() {
    return capacity - live;
  }

  /** One more than the highest node number used so far; for inspection. */
  int highWater() {
    return used;
  }

  /** Entries of the child table; for inspection. */
  long childEntries() {
    return children.size();
  }

  /**
   * Takes a node whose fields are all zero.
   *
   * @throws CapacityExceededException if there is none; nothing changes then
   */
  int take() {
    if (live == capacity) {
      throw full();
    }
    live++;
    if (freeHead == NONE) {
      return used++;
    }
    final int node = freeHead;
    freeHead = parent(node);
    nodes.fill(offset(node), LENGTH, (byte) 0);
    return node;
  }

  CapacityExceededException full() {
    return new CapacityExceededException(
        "radix nodes have run out: nodes=" + live + " capacity=" + capacity);
  }

  /** Gives a node back; its count becomes 0, which tells it from live nodes. */
  void release(final int node) {
    live--;
    nodes.putInt(offset(node) + COUNT_OFFSET, 0);
    setParent(node, freeHead);
    freeHead = node;
  }

  private static long offset(final int node) {
    return (long) node * LENGTH;
  }

  int parent(final int node) {
    return nodes.getInt(offset(node) + PARENT_OFFSET);
  }

  void setParent(final int node, final int parent) {
    nodes.putInt(offset(node) + PARENT_OFFSET, parent);
  }

  int childCount(final int node) {
    return nodes.getInt(offset(node) + CHILD_COUNT_OFFSET);
  }

  private void addToChildCount(final int node, final int delta) {
    nodes.putInt(offset(node) + CHILD_COUNT_OFFSET, childCount(node) + delta);
  }

  int head(final int node) {
    return nodes.getInt(offset(node) + HEAD_OFFSET);
  }

  int tail(final int node) {
    return nodes.getInt(offset(node) + TAIL_OFFSET);
  }

  int count(final int node) {
    return nodes.getInt(offset(node) + COUNT_OFFSET);
  }

  void loadEdge(final int node, final PageChain edge) {
    edge.set(head(node), tail(node), count(node));
  }

  void storeEdge(final int node, final PageChain edge) {
    final long offset = offset(node);
    nodes.putInt(offset + HEAD_OFFSET, edge.head);
    nodes.putInt(offset + TAIL_OFFSET, edge.tail);
    nodes.putInt(offset + COUNT_OFFSET, edge.count);
  }

  int lockCount(final int node) {
    return nodes.getInt(offset(node) + LOCK_COUNT_OFFSET);
  }

  void setLockCount(final int node, final int lockCount) {
    nodes.putInt(offset(node) + LOCK_COUNT_OFFSET, lockCount);
  }

  long stamp(final int node) {
    return nodes.getLong(offset(node) + STAMP_OFFSET);
  }

  void setStamp(final int node, final long stamp) {
    nodes.putLong(offset(node) + STAMP_OFFSET, stamp);
  }

  /** Local hash of the first page of a node's edge. */
  long firstKey(final int node) {
    return keys.getLong((long) head(node) << 3);
  }

  private static long childHash(final int parent, final long key) {
    return (key ^ parent * PARENT_MIX) * KEY_MIX;
  }

  private long childSlot(final int parent, final long key) {
    final long hash = childHash(parent, key);
    long slot = children.first(hash);
    while (slot != TagTable.ABSENT) {
      final int child = children.value(slot);
      if (parent(child) == parent && firstKey(child) == key) {
        return slot;
      }
      slot = children.next(slot, hash);
    }
    return TagTable.ABSENT;
  }

  /** The child of {@code parent} whose edge starts with {@code key}, or {@link #NONE}. */
  int child(final int parent, final long key) {
    final long slot = childSlot(parent, key);
    return slot == TagTable.ABSENT ? NONE : children.value(slot);
  }

  /** Hangs {@code child}, whose edge is stored, below {@code parent}. */
  void attach(final int parent, final int child) {
    setParent(child, parent);
    addToChildCount(parent, 1);
    children.insert(childHash(parent, firstKey(child)), child);
  }

  /** Takes {@code child} out of the child table of its parent. */
  void detach(final int child) {
    final int parent = parent(child);
    children.remove(childSlot(parent, firstKey(child)));
    addToChildCount(parent, -1);
  }

  /** Puts {@code front} in the place of {@code child} below its parent; first keys agree. */
  void replaceChild(final int child, final int front) {
    final int parent = parent(child);
    children.setValue(childSlot(parent, firstKey(child)), front);
    setParent(front, parent);
  }
}
