package io.kvroute.memory;

import java.util.Arrays;

/**
 * Runs of consecutive 16-byte units in power-of-two size classes, recycled: a freed run joins its
 * free neighbour ("buddy") again, so memory that was cut into small runs can serve large ones
 * later. A run is named by the number of its first unit and starts at a multiple of its own length.
 *
 * <p>Runs come with whatever bytes were there; the caller initialises them. The caller remembers a
 * run's length. Cost is logarithmic in the capacity at worst, constant as a rule; one bit a unit
 * and nothing else is kept outside the runs.
 *
 * <p>Not thread-safe. No method allocates on the Java heap after construction.
 */
public final class RunStore {
  /** Returned when no run is long enough. */
  public static final int NONE = -1;

  /** Length of a unit in bytes. */
  public static final int UNIT_LENGTH = FreeRunLayout.LENGTH;

  private static final int UNIT_SHIFT = 4;
  private static final int MAX_ORDER = 30;

  private final Region units;
  private final BitColumn freeStarts;
  private final long unitCount;
  private final int[] heads = new int[MAX_ORDER + 1];
  private int availableOrders;
  private long usedUnits;

  /**
   * Makes a store.
   *
   * @param unitCount its capacity in units of 16 bytes, 1 to 2^30
   * @throws CapacityExceededException if the count is larger, or if the arena is full
   */
  public RunStore(final Arena arena, final String name, final long unitCount) {
    if (unitCount < 1 || unitCount > 1L << MAX_ORDER) {
      throw new CapacityExceededException(
          "run store capacity out of range: name=" + name + " units=" + unitCount + " limit=2^30");
    }
    this.unitCount = unitCount;
    this.units = arena.allocate(name, unitCount << UNIT_SHIFT);
    this.freeStarts = new BitColumn(arena, name + " free bits", unitCount);
    clear();
  }

  /** Off-heap bytes of a store of {@code unitCount} units. */
  public static long length(final long unitCount) {
    return (unitCount << UNIT_SHIFT) + BitColumn.length(unitCount);
  }

  /** Gives the memory back. */
  public void free(final Arena arena) {
    arena.free(units);
    freeStarts.free(arena);
  }

  /** Frees all runs. */
  public void clear() {
    freeStarts.clear(unitCount);
    Arrays.fill(heads, NONE);
    availableOrders = 0;
    usedUnits = 0;
    long unit = unitCount;
    for (int order = 0; order <= MAX_ORDER; order++) {
      if ((unitCount & 1L << order) != 0) {
        unit -= 1L << order;
        push((int) unit, order);
      }
    }
  }

  /** Where the bytes of the runs are; see {@link #offset(int)}. */
  public Region region() {
    return units;
  }

  /** The offset of a run's first byte in {@link #region()}. */
  public static long offset(final int run) {
    return (long) run << UNIT_SHIFT;
  }

  /** The length that a run of at least {@code count} units has: the next power of two. */
  public static int roundUp(final int count) {
    return count <= 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
  }

  /** Units needed for {@code bytes} bytes, before rounding up to a size class. */
  public static int unitsFor(final int bytes) {
    return (bytes + UNIT_LENGTH - 1) >>> UNIT_SHIFT;
  }

  /** Capacity in units. */
  public long unitCount() {
    return unitCount;
  }

  /** Units in live runs. */
  public long usedUnits() {
    return usedUnits;
  }

  /**
   * Length of the longest free run, or 0. Any number of runs whose rounded lengths add up to no
   * more than this can be allocated.
   */
  public int longestFreeRun() {
    return Integer.highestOneBit(availableOrders);
  }

  /**
   * Allocates a run of {@code roundUp(count)} units.
   *
   * @param count at least 1 and at most 2^30
   * @return its first unit, or {@link #NONE} if there is no free run of that length
   */
  public int allocate(final int count) {
    final int order = order(count);
    final int fitting = availableOrders & -1 << order;
    if (fitting == 0) {
      return NONE;
    }
    int found = Integer.numberOfTrailingZeros(fitting);
    final int run = heads[found];
    unlink(run, found);
    while (found > order) {
      found--;
      push(run + (1 << found), found);
    }
    usedUnits += 1L << order;
    return run;
  }

  /**
   * Frees a run.
   *
   * @param run as returned by {@link #allocate(int)}
   * @param count as given there
   * @throws IllegalStateException in checked mode, if it cannot be a live run of that length
   */
  public void free(final int run, final int count) {
    int order = order(count);
    if (Region.CHECKED) {
      checkLive(run, order);
    }
    usedUnits -= 1L << order;
    int start = run;
    while (order < MAX_ORDER) {
      final int buddy = start ^ 1 << order;
      if (buddy + (1L << order) > unitCount || !freeStarts.get(buddy) || orderOf(buddy) != order) {
        break;
      }
      unlink(buddy, order);
      start &= ~(1 << order);
      order++;
    }
    push(start, order);
  }

  /**
   * Shortens a run in place to {@code roundUp(newCount)} units; its end is freed. Needs no memory.
   *
   * @param run as returned by {@link #allocate(int)}
   * @param count its present length
   * @param newCount at least 1 and at most {@code count}
   */
  public void shrink(final int run, final int count, final int newCount) {
    int length = roundUp(count);
    final int wanted = roundUp(newCount);
    while (length > wanted) {
      length >>>= 1;
      free(run + length, length);
    }
  }

  private void checkLive(final int run, final int order) {
    boolean legal =
        run >= 0
            && (run & (1 << order) - 1) == 0
            && run + (1L << order) <= unitCount
            && usedUnits >= 1L << order;
    for (int o = 0; legal && o <= MAX_ORDER; o++) {
      final int start = run & -1 << o;
      legal =
          !(freeStarts.get(start) && orderOf(start) >= o && start + (1L << orderOf(start)) > run);
    }
    if (!legal) {
      throw new IllegalStateException(
          "not a live run: name=" + units.name() + " run=" + run + " units=" + (1L << order));
    }
  }

  private static int order(final int count) {
    return count <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
  }

  private void push(final int run, final int order) {
    final long offset = offset(run);
    final int head = heads[order];
    units.putInt(offset + FreeRunLayout.NEXT, head);
    units.putInt(offset + FreeRunLayout.PREVIOUS, NONE);
    units.putInt(offset + FreeRunLayout.ORDER, order);
    if (head != NONE) {
      units.putInt(offset(head) + FreeRunLayout.PREVIOUS, run);
    }
    heads[order] = run;
    availableOrders |= 1 << order;
    freeStarts.set(run, true);
  }

  private void unlink(final int run, final int order) {
    final long offset = offset(run);
    final int next = units.getInt(offset + FreeRunLayout.NEXT);
    final int previous = units.getInt(offset + FreeRunLayout.PREVIOUS);
    if (next != NONE) {
      units.putInt(offset(next) + FreeRunLayout.PREVIOUS, previous);
    }
    if (previous != NONE) {
      units.putInt(offset(previous) + FreeRunLayout.NEXT, next);
    } else {
      heads[order] = next;
      if (next == NONE) {
        availableOrders &= ~(1 << order);
      }
    }
    freeStarts.set(run, false);
  }

  private int orderOf(final int run) {
    return units.getInt(offset(run) + FreeRunLayout.ORDER);
  }
}
