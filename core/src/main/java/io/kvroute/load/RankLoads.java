package io.kvroute.load;

import static io.kvroute.load.RankLoadLayout.ANCHOR_EXPECTED;
import static io.kvroute.load.RankLoadLayout.ANCHOR_SINCE;
import static io.kvroute.load.RankLoadLayout.ANCHOR_TOKENS;
import static io.kvroute.load.RankLoadLayout.BLOCKS;
import static io.kvroute.load.RankLoadLayout.DP_RANK;
import static io.kvroute.load.RankLoadLayout.FIRST;
import static io.kvroute.load.RankLoadLayout.FIRST_PREFILL;
import static io.kvroute.load.RankLoadLayout.GATE;
import static io.kvroute.load.RankLoadLayout.LAST;
import static io.kvroute.load.RankLoadLayout.LAST_PREFILL;
import static io.kvroute.load.RankLoadLayout.LENGTH;
import static io.kvroute.load.RankLoadLayout.LENGTH_SHIFT;
import static io.kvroute.load.RankLoadLayout.MODELLED_MS;
import static io.kvroute.load.RankLoadLayout.ORDER;
import static io.kvroute.load.RankLoadLayout.PREFILL_TOKENS;
import static io.kvroute.load.RankLoadLayout.REQUESTS;
import static io.kvroute.load.RankLoadLayout.UNMODELLED;
import static io.kvroute.load.RankLoadLayout.USED;
import static io.kvroute.load.RankLoadLayout.WEIGHTED;
import static io.kvroute.load.RankLoadLayout.WEIGHT_HIGH;
import static io.kvroute.load.RankLoadLayout.WEIGHT_LOW;
import static io.kvroute.load.RankLoadLayout.WORKER_ID;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;
import io.kvroute.protocol.RankOrder;
import io.kvroute.protocol.WorkerWithDpRank;

/**
 * What each rank is busy with, each in a slot that keeps its number while the rank is known.
 *
 * <p>Weights of blocks are sums of integers in units of 2^-52 in 128 bits: exact, in whatever order
 * they come and go.
 */
final class RankLoads {
  static final int NONE = -1;

  /** Bits behind the point of a weight. */
  static final int WEIGHT_SHIFT = 52;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long RANK_MIX = 0xC2B2AE3D27D4EB4FL;

  private final Region records;
  private final TagTable slots;
  private final int capacity;
  private final long sortedOffset;
  private int fresh;
  private int free = NONE;
  private int used;

  RankLoads(final Arena arena, final int capacity) {
    this.capacity = capacity;
    sortedOffset = (long) capacity << LENGTH_SHIFT;
    records = arena.allocate("load ranks", (long) capacity * (LENGTH + Integer.BYTES));
    slots = new TagTable(arena, "load rank slots", capacity);
  }

  static long length(final int capacity) {
    return (long) capacity * (LENGTH + Integer.BYTES) + TagTable.length(capacity);
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

  boolean isFull() {
    return used == capacity;
  }

  private static long offset(final int rank) {
    return (long) rank << LENGTH_SHIFT;
  }

  private int getInt(final int rank, final int field) {
    return records.getInt(offset(rank) + field);
  }

  private void putInt(final int rank, final int field, final int value) {
    records.putInt(offset(rank) + field, value);
  }

  private long getLong(final int rank, final int field) {
    return records.getLong(offset(rank) + field);
  }

  private void putLong(final int rank, final int field, final long value) {
    records.putLong(offset(rank) + field, value);
  }

  long workerId(final int rank) {
    return getLong(rank, WORKER_ID);
  }

  /** Worker and data-parallel rank of a rank; allocates. */
  WorkerWithDpRank name(final int rank) {
    return new WorkerWithDpRank(workerId(rank), dpRank(rank));
  }

  int dpRank(final int rank) {
    return getInt(rank, DP_RANK);
  }

  /** How many ranks come before it. */
  int order(final int rank) {
    return getInt(rank, ORDER);
  }

  /** The slot of the rank before which {@code order} others come. */
  int sorted(final int order) {
    return records.getInt(sortedOffset + ((long) order << 2));
  }

  private void sorted(final int order, final int rank) {
    records.putInt(sortedOffset + ((long) order << 2), rank);
    putInt(rank, ORDER, order);
  }

  // ------ coming and going

  private static long key(final long workerId, final int dpRank) {
    return (workerId ^ dpRank * RANK_MIX) * MIX;
  }

  /** The slot of a rank, or {@link #NONE}. */
  int find(final long workerId, final int dpRank) {
    final long position = position(workerId, dpRank);
    return position == TagTable.ABSENT ? NONE : slots.value(position);
  }

  private long position(final long workerId, final int dpRank) {
    final long key = key(workerId, dpRank);
    long position = slots.first(key);
    while (position != TagTable.ABSENT) {
      final int rank = slots.value(position);
      if (workerId(rank) == workerId && dpRank(rank) == dpRank) {
        return position;
      }
      position = slots.next(position, key);
    }
    return TagTable.ABSENT;
  }

  /** Makes a rank known; it is not yet, and there is room. */
  int add(final long workerId, final int dpRank, final long nowNs) {
    final int rank;
    if (free == NONE) {
      rank = fresh++;
    } else {
      rank = free;
      free = order(rank);
    }
    records.fill(offset(rank), LENGTH, (byte) 0);
    putLong(rank, WORKER_ID, workerId);
    putInt(rank, DP_RANK, dpRank);
    putLong(rank, GATE, nowNs);
    putLong(rank, ANCHOR_EXPECTED, Prefills.UNMODELLED);
    putInt(rank, USED, 1);
    int order = used++;
    while (order > 0 && comesBefore(rank, sorted(order - 1))) {
      sorted(order, sorted(order - 1));
      order--;
    }
    sorted(order, rank);
    slots.insert(key(workerId, dpRank), rank);
    return rank;
  }

  private boolean comesBefore(final int rank, final int other) {
    return RankOrder.compare(workerId(rank), dpRank(rank), workerId(other), dpRank(other)) < 0;
  }

  /** Forgets a rank that has no request. */
  void remove(final int rank) {
    slots.remove(position(workerId(rank), dpRank(rank)));
    used--;
    for (int order = order(rank); order < used; order++) {
      sorted(order, sorted(order + 1));
    }
    putInt(rank, USED, 0);
    putInt(rank, ORDER, free);
    free = rank;
  }

  // ------ requests

  long gate(final int rank) {
    return getLong(rank, GATE);
  }

  void gate(final int rank, final long nowNs) {
    putLong(rank, GATE, nowNs);
  }

  int requests(final int rank) {
    return getInt(rank, REQUESTS);
  }

  void addRequests(final int rank, final int difference) {
    putInt(rank, REQUESTS, requests(rank) + difference);
  }

  /** The oldest request, or {@link #NONE}. */
  int first(final int rank) {
    return getInt(rank, FIRST) - 1;
  }

  void first(final int rank, final int request) {
    putInt(rank, FIRST, request + 1);
  }

  /** The youngest request, or {@link #NONE}. */
  int last(final int rank) {
    return getInt(rank, LAST) - 1;
  }

  void last(final int rank, final int request) {
    putInt(rank, LAST, request + 1);
  }

  // ------ blocks

  /** Blocks come or go that count as one each. */
  void addBlocks(final int rank, final long difference) {
    putLong(rank, BLOCKS, getLong(rank, BLOCKS) + difference);
  }

  /** {@code count} of the blocks get a weight, or, if it is negative, lose it. */
  void addWeights(final int rank, final long count, final long weight) {
    putLong(rank, WEIGHTED, getLong(rank, WEIGHTED) + count);
    final long low = getLong(rank, WEIGHT_LOW);
    final long sum = low + count * weight;
    final long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    putLong(rank, WEIGHT_LOW, sum);
    putLong(
        rank, WEIGHT_HIGH, getLong(rank, WEIGHT_HIGH) + Math.multiplyHigh(count, weight) + carry);
  }

  /** Blocks without a weight and the weights of the others, rounded half up, at least 0. */
  long activeBlocks(final int rank) {
    final long unweighted = getLong(rank, BLOCKS) - getLong(rank, WEIGHTED);
    final long low = getLong(rank, WEIGHT_LOW);
    final long whole =
        getLong(rank, WEIGHT_HIGH) << (Long.SIZE - WEIGHT_SHIFT) | low >>> WEIGHT_SHIFT;
    return Math.max(0, unweighted + whole + (low >>> (WEIGHT_SHIFT - 1) & 1));
  }

  // ------ prefills

  int firstPrefill(final int rank) {
    return getInt(rank, FIRST_PREFILL) - 1;
  }

  void firstPrefill(final int rank, final int request) {
    putInt(rank, FIRST_PREFILL, request + 1);
  }

  int lastPrefill(final int rank) {
    return getInt(rank, LAST_PREFILL) - 1;
  }

  void lastPrefill(final int rank, final int request) {
    putInt(rank, LAST_PREFILL, request + 1);
  }

  long prefillTokens(final int rank) {
    return getLong(rank, PREFILL_TOKENS);
  }

  /** Outstanding prefills whose duration nobody expects. */
  int unmodelled(final int rank) {
    return getInt(rank, UNMODELLED);
  }

  long modelledMs(final int rank) {
    return getLong(rank, MODELLED_MS);
  }

  void addPrefill(final int rank, final long tokens, final int unmodelled, final long modelledMs) {
    putLong(rank, PREFILL_TOKENS, prefillTokens(rank) + tokens);
    putInt(rank, UNMODELLED, unmodelled(rank) + unmodelled);
    putLong(rank, MODELLED_MS, modelledMs(rank) + modelledMs);
  }

  long anchorSince(final int rank) {
    return getLong(rank, ANCHOR_SINCE);
  }

  void anchorSince(final int rank, final long ns) {
    putLong(rank, ANCHOR_SINCE, ns);
  }

  long anchorTokens(final int rank) {
    return getLong(rank, ANCHOR_TOKENS);
  }

  /** Expected duration of the anchor in nanoseconds, or {@link Prefills#UNMODELLED}. */
  long anchorExpected(final int rank) {
    return getLong(rank, ANCHOR_EXPECTED);
  }

  void anchor(final int rank, final long tokens, final long expectedNs) {
    putLong(rank, ANCHOR_TOKENS, tokens);
    putLong(rank, ANCHOR_EXPECTED, expectedNs);
  }
}
