package io.kvroute.load;

import static io.kvroute.load.HoldLayout.COUNT;
import static io.kvroute.load.HoldLayout.EDGE;
import static io.kvroute.load.HoldLayout.LENGTH;
import static io.kvroute.load.HoldLayout.RANK;
import static io.kvroute.load.HoldLayout.WEIGHT;
import static io.kvroute.load.HoldLayout.WEIGHTED;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;

/** Which rank holds which edge, by how many requests and with what weight. */
final class Holds {
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long RANK_MIX = 0xC2B2AE3D27D4EB4FL;

  private final Region records;
  private final TagTable places;
  private final int capacity;
  private int fresh;
  private int free = NONE;
  private int used;

  Holds(final Arena arena, final int capacity) {
    this.capacity = capacity;
    records = arena.allocate("load holds", (long) capacity * LENGTH);
    places = new TagTable(arena, "load hold places", capacity);
  }

  static long length(final int capacity) {
    return (long) capacity * LENGTH + TagTable.length(capacity);
  }

  void free(final Arena arena) {
    arena.free(records);
    places.free(arena);
  }

  int capacity() {
    return capacity;
  }

  int used() {
    return used;
  }

  private static long offset(final int hold) {
    return (long) hold * LENGTH;
  }

  private static long key(final int edge, final int rank) {
    return (edge ^ rank * RANK_MIX) * MIX;
  }

  private int get(final int hold, final int field) {
    return records.getInt(offset(hold) + field);
  }

  private void put(final int hold, final int field, final int value) {
    records.putInt(offset(hold) + field, value);
  }

  /** The hold of a rank on an edge, or {@link #NONE}. */
  int find(final int edge, final int rank) {
    final long key = key(edge, rank);
    long slot = places.first(key);
    while (slot != TagTable.ABSENT) {
      final int hold = places.value(slot);
      if (get(hold, EDGE) == edge && get(hold, RANK) == rank) {
        return hold;
      }
      slot = places.next(slot, key);
    }
    return NONE;
  }

  /** Makes a hold of no request and without a weight; there is room. */
  int add(final int edge, final int rank) {
    final int hold;
    if (free == NONE) {
      hold = fresh++;
    } else {
      hold = free;
      free = get(hold, EDGE);
    }
    used++;
    put(hold, EDGE, edge);
    put(hold, RANK, rank);
    put(hold, COUNT, 0);
    put(hold, WEIGHTED, 0);
    records.putLong(offset(hold) + WEIGHT, 0);
    places.insert(key(edge, rank), hold);
    return hold;
  }

  /** Makes a hold like another one; there is room. */
  void copy(final int hold, final int edge) {
    final int copy = add(edge, get(hold, RANK));
    put(copy, COUNT, count(hold));
    put(copy, WEIGHTED, get(hold, WEIGHTED));
    records.putLong(offset(copy) + WEIGHT, weight(hold));
  }

  void remove(final int hold) {
    places.remove(places.slotOf(key(get(hold, EDGE), get(hold, RANK)), hold));
    put(hold, COUNT, 0);
    put(hold, EDGE, free);
    free = hold;
    used--;
  }

  int count(final int hold) {
    return get(hold, COUNT);
  }

  void count(final int hold, final int count) {
    put(hold, COUNT, count);
  }

  boolean isWeighted(final int hold) {
    return get(hold, WEIGHTED) != 0;
  }

  /** What each block weighs; 0 without a weight. */
  long weight(final int hold) {
    return records.getLong(offset(hold) + WEIGHT);
  }

  void weight(final int hold, final long weight) {
    put(hold, WEIGHTED, 1);
    records.putLong(offset(hold) + WEIGHT, weight);
  }

  boolean weighSame(final int hold, final int other) {
    return get(hold, WEIGHTED) == get(other, WEIGHTED) && weight(hold) == weight(other);
  }
}
