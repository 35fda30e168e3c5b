package io.kvroute.memory;

/**
 * An off-heap min-heap of items 0 to n-1, each at most once, ordered by a signed 64-bit key. Four
 * children a node, so that a level costs one cache line of keys; the position of every item is
 * kept, so any item can be re-keyed or removed. 16 bytes an item.
 *
 * <p>All operations but {@link #peekItem}, {@link #peekKey}, {@link #contains} and {@link #size}
 * cost O(log size). Equal keys come out in no particular order. Not thread-safe; no method
 * allocates after construction.
 */
public final class IndexedHeap {
  /** Returned when the heap is empty. */
  public static final int NONE = -1;

  private static final int ARITY_SHIFT = 2;

  private final Region keys;
  private final Region items;
  private final Region positions;
  private int size;

  /**
   * Makes a heap.
   *
   * @param itemCount items are 0 to itemCount-1
   * @throws CapacityExceededException if the arena has too little room; nothing is allocated then
   */
  public IndexedHeap(final Arena arena, final String name, final int itemCount) {
    arena.requireRoom(name, length(itemCount));
    keys = arena.allocate(name + ".keys", (long) itemCount * Long.BYTES);
    items = arena.allocate(name + ".items", (long) itemCount * Integer.BYTES);
    positions = arena.allocate(name + ".positions", (long) itemCount * Integer.BYTES);
  }

  /** Off-heap bytes of a heap for {@code itemCount} items. */
  public static long length(final int itemCount) {
    return (long) itemCount * (Long.BYTES + 2 * Integer.BYTES);
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    arena.free(keys);
    arena.free(items);
    arena.free(positions);
  }

  /** Number of items in the heap. */
  public int size() {
    return size;
  }

  /** True if {@code item} is in the heap. */
  public boolean contains(final int item) {
    return positions.getInt((long) item << 2) != 0;
  }

  /** The item with the lowest key, or {@link #NONE}. */
  public int peekItem() {
    return size == 0 ? NONE : items.getInt(0);
  }

  /** The lowest key; only meaningful if the heap is not empty. */
  public long peekKey() {
    return keys.getLong(0);
  }

  /** The item at {@code index} of the heap's array, 0 to size-1; for inspection. */
  public int itemAt(final int index) {
    return items.getInt((long) index << 2);
  }

  /** The key at {@code index} of the heap's array, 0 to size-1; for inspection. */
  public long keyAt(final int index) {
    return keys.getLong((long) index << 3);
  }

  /** Adds an item that is not there. */
  public void push(final int item, final long key) {
    siftUp(size++, item, key);
  }

  /** Changes the key of an item that is there. */
  public void update(final int item, final long key) {
    place(positions.getInt((long) item << 2) - 1, item, key);
  }

  /** Removes an item that is there. */
  public void remove(final int item) {
    final int hole = positions.getInt((long) item << 2) - 1;
    positions.putInt((long) item << 2, 0);
    final int last = --size;
    if (hole != last) {
      place(hole, items.getInt((long) last << 2), keys.getLong((long) last << 3));
    }
  }

  private void place(final int hole, final int item, final long key) {
    if (hole > 0 && keys.getLong((long) parent(hole) << 3) > key) {
      siftUp(hole, item, key);
    } else {
      siftDown(hole, item, key);
    }
  }

  private void siftUp(final int from, final int item, final long key) {
    int hole = from;
    while (hole > 0) {
      final int parent = parent(hole);
      final long parentKey = keys.getLong((long) parent << 3);
      if (parentKey <= key) {
        break;
      }
      set(hole, items.getInt((long) parent << 2), parentKey);
      hole = parent;
    }
    set(hole, item, key);
  }

  private void siftDown(final int from, final int item, final long key) {
    int hole = from;
    int child;
    while ((child = lowestChild(hole)) != NONE) {
      final long childKey = keys.getLong((long) child << 3);
      if (childKey >= key) {
        break;
      }
      set(hole, items.getInt((long) child << 2), childKey);
      hole = child;
    }
    set(hole, item, key);
  }

  private int lowestChild(final int index) {
    final long first = ((long) index << ARITY_SHIFT) + 1;
    if (first >= size) {
      return NONE;
    }
    final long end = Math.min(first + 4, size);
    long lowest = first;
    long lowestKey = keys.getLong(first << 3);
    for (long child = first + 1; child < end; child++) {
      final long childKey = keys.getLong(child << 3);
      if (childKey < lowestKey) {
        lowest = child;
        lowestKey = childKey;
      }
    }
    return (int) lowest;
  }

  private static int parent(final int index) {
    return (index - 1) >> ARITY_SHIFT;
  }

  private void set(final int index, final int item, final long key) {
    keys.putLong((long) index << 3, key);
    items.putInt((long) index << 2, item);
    positions.putInt((long) item << 2, index + 1);
  }
}
