package io.kvroute.index;

import static io.kvroute.index.RankLayout.APPROXIMATE;
import static io.kvroute.index.RankLayout.DP_RANK;
import static io.kvroute.index.RankLayout.LEAVING;
import static io.kvroute.index.RankLayout.LENGTH;
import static io.kvroute.index.RankLayout.NAMES;
import static io.kvroute.index.RankLayout.ORDER;
import static io.kvroute.index.RankLayout.STATE;
import static io.kvroute.index.RankLayout.USED;
import static io.kvroute.index.RankLayout.WORKER_ID;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.SequenceLock;
import io.kvroute.memory.TagTable;
import io.kvroute.protocol.RankOrder;
import java.util.Arrays;

/**
 * The ranks, each in a slot that keeps its number while the rank is known, and the number of blocks
 * that each holds per tier. A rank and a tier make a holder column.
 *
 * <p>A rank that is forgotten keeps its slot, as one that is leaving, until nothing is held in its
 * name any more; look-ups and events do not see it.
 */
final class Ranks {
  static final int NONE = -1;
  static final int TIERS = 4;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long RANK_MIX = 0xC2B2AE3D27D4EB4FL;

  private final Region records;
  private final TagTable slots;
  private final SequenceLock lock;
  private final int capacity;
  private final int stride;
  private final long sortedOffset;
  private final long heldOffset;
  private final long[] heldInTier = new long[TIERS];
  private int fresh;
  private int free = NONE;
  private int used;
  private int leaving;
  private int approximate;
  private int version;

  Ranks(final Arena arena, final int capacity, final SequenceLock lock) {
    this.lock = lock;
    this.capacity = capacity;
    this.stride = stride(capacity);
    this.sortedOffset = (long) capacity * LENGTH;
    this.heldOffset = (sortedOffset + (long) capacity * Integer.BYTES + 7) & -8L;
    this.records = arena.allocate("index ranks", heldOffset + (long) TIERS * stride * Long.BYTES);
    this.slots = new TagTable(arena, "index rank slots", capacity);
  }

  private static int stride(final int capacity) {
    return (capacity + 63) & -64;
  }

  static long length(final int capacity) {
    final long sorted = (long) capacity * (LENGTH + Integer.BYTES);
    return ((sorted + 7) & -8L)
        + (long) TIERS * stride(capacity) * Long.BYTES
        + TagTable.length(capacity);
  }

  void free(final Arena arena) {
    arena.free(records);
    slots.free(arena);
  }

  int capacity() {
    return capacity;
  }

  int used() {
    return used;
  }

  /** Changes whenever a rank comes or goes. */
  int version() {
    return version;
  }

  /** Words of 64 columns per tier. */
  int wordsPerTier() {
    return stride >>> 6;
  }

  int column(final int rank, final int tier) {
    return tier * stride + rank;
  }

  int tierOf(final int column) {
    return column / stride;
  }

  int rankOf(final int column) {
    return column % stride;
  }

  private static long offset(final int rank) {
    return (long) rank * LENGTH;
  }

  long workerId(final int rank) {
    return records.getLong(offset(rank) + WORKER_ID);
  }

  int dpRank(final int rank) {
    return records.getInt(offset(rank) + DP_RANK);
  }

  /** How many ranks come before it. */
  int order(final int rank) {
    return records.getInt(offset(rank) + ORDER);
  }

  /** The slot of the rank before which {@code order} others come. */
  int sorted(final int order) {
    return records.getInt(sortedOffset + ((long) order << 2));
  }

  /** The workers of the known ranks, ascending as unsigned numbers, each once. Allocates. */
  long[] workers() {
    final long[] workers = new long[used];
    int n = 0;
    for (int i = 0; i < used; i++) {
      final long workerId = workerId(sorted(i));
      if (n == 0 || workers[n - 1] != workerId) {
        workers[n++] = workerId;
      }
    }
    return Arrays.copyOf(workers, n);
  }

  private void sorted(final int order, final int rank) {
    records.putInt(sortedOffset + ((long) order << 2), rank);
    records.putInt(offset(rank) + ORDER, order);
  }

  private static long hash(final long workerId, final int dpRank) {
    return (workerId ^ dpRank * RANK_MIX) * MIX;
  }

  /** The slot of a rank, or {@link #NONE}. */
  int find(final long workerId, final int dpRank) {
    final long position = position(workerId, dpRank);
    return position == TagTable.ABSENT ? NONE : slots.value(position);
  }

  private long position(final long workerId, final int dpRank) {
    final long hash = hash(workerId, dpRank);
    long position = slots.first(hash);
    while (position != TagTable.ABSENT) {
      final int rank = slots.value(position);
      if (workerId(rank) == workerId && dpRank(rank) == dpRank) {
        return position;
      }
      position = slots.next(position, hash);
    }
    return TagTable.ABSENT;
  }

  boolean isFull() {
    return used == capacity;
  }

  /** True if {@link #add} needs no slot of a rank that is leaving. */
  boolean hasFreeSlot() {
    return free != NONE || fresh < capacity;
  }

  /** Makes a rank known; it is not yet, and there is a free slot. */
  int add(final long workerId, final int dpRank) {
    lock.beginChange();
    final int rank;
    if (free == NONE) {
      rank = fresh++;
    } else {
      rank = free;
      free = order(rank);
    }
    records.putLong(offset(rank) + WORKER_ID, workerId);
    records.putInt(offset(rank) + DP_RANK, dpRank);
    records.putInt(offset(rank) + NAMES, 0);
    records.putInt(offset(rank) + STATE, USED);
    version++;
    int order = used++;
    while (order > 0 && comesBefore(rank, sorted(order - 1))) {
      sorted(order, sorted(order - 1));
      order--;
    }
    sorted(order, rank);
    slots.insert(hash(workerId, dpRank), rank);
    return rank;
  }

  private boolean comesBefore(final int rank, final int other) {
    return RankOrder.compare(workerId(rank), dpRank(rank), workerId(other), dpRank(other)) < 0;
  }

  /** Forgets a rank; its slot is leaving until {@link #release}. */
  void retire(final int rank) {
    lock.beginChange();
    setApproximate(rank, false);
    slots.remove(position(workerId(rank), dpRank(rank)));
    version++;
    used--;
    for (int order = order(rank); order < used; order++) {
      sorted(order, sorted(order + 1));
    }
    for (int tier = 0; tier < TIERS; tier++) {
      heldInTier[tier] -= held(column(rank, tier));
    }
    records.putInt(offset(rank) + STATE, LEAVING);
    leaving++;
  }

  /** Frees the slot of a rank that is leaving and for which nothing is held any more. */
  void release(final int rank) {
    records.putInt(offset(rank) + STATE, 0);
    records.putInt(offset(rank) + ORDER, free);
    free = rank;
    leaving--;
  }

  boolean isUsed(final int rank) {
    return (state(rank) & USED) != 0;
  }

  boolean isLeaving(final int rank) {
    return state(rank) == LEAVING;
  }

  private int state(final int rank) {
    return records.getInt(offset(rank) + STATE);
  }

  /** Ranks that are leaving. */
  int leaving() {
    return leaving;
  }

  /** True if blocks that the rank's engine holds are not in the index. */
  boolean isApproximate(final int rank) {
    return (state(rank) & APPROXIMATE) != 0;
  }

  void setApproximate(final int rank, final boolean value) {
    if (isUsed(rank) && isApproximate(rank) != value) {
      records.putInt(offset(rank) + STATE, value ? USED | APPROXIMATE : USED);
      approximate += value ? 1 : -1;
    }
  }

  /** Ranks that are approximate. */
  int approximate() {
    return approximate;
  }

  /** One more than the highest slot that a rank ever had. */
  int bound() {
    return fresh;
  }

  int ownNames(final int rank) {
    return records.getInt(offset(rank) + NAMES);
  }

  void addOwnNames(final int rank, final int difference) {
    records.putInt(offset(rank) + NAMES, ownNames(rank) + difference);
  }

  /** Blocks that a column holds. */
  long held(final int column) {
    return records.getLong(heldOffset + ((long) column << 3));
  }

  /** Blocks that the columns of a tier hold, in all. */
  long heldInTier(final int tier) {
    return heldInTier[tier];
  }

  boolean anyBelowDevice() {
    return (heldInTier[1] | heldInTier[2] | heldInTier[3]) != 0;
  }

  void addHeld(final int column, final long difference) {
    final long offset = heldOffset + ((long) column << 3);
    records.putLong(offset, records.getLong(offset) + difference);
    if (isUsed(rankOf(column))) {
      heldInTier[tierOf(column)] += difference;
    }
  }
}
