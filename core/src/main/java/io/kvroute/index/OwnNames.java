package io.kvroute.index;

import static io.kvroute.index.OwnNameLayout.HASH;
import static io.kvroute.index.OwnNameLayout.LENGTH_SHIFT;
import static io.kvroute.index.OwnNameLayout.OWNER;
import static io.kvroute.index.OwnNameLayout.RANK_MASK;
import static io.kvroute.index.OwnNameLayout.SLOT;
import static io.kvroute.index.OwnNameLayout.TIERS_MASK;
import static io.kvroute.index.OwnNameLayout.TIERS_SHIFT;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;
import java.util.stream.LongStream;

/**
 * Names that ranks have of their own. Where a rank has an entry for a block, its entries there are
 * all its names for it; where it has none, its one name is the block's external hash, in every tier
 * in which it holds the block. An entry exists only while it is live in some tier.
 */
final class OwnNames {
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long RANK_MIX = 0xC2B2AE3D27D4EB4FL;

  private final Region entries;
  private final TagTable byHash;
  private final TagTable byPlace;
  private final Ranks ranks;
  private final int capacity;
  private final long tagMask;
  private int fresh;
  private int free;
  private int used;

  OwnNames(final Arena arena, final int capacity, final Ranks ranks, final long tagMask) {
    this.capacity = capacity;
    this.ranks = ranks;
    this.tagMask = tagMask;
    this.entries = arena.allocate("index own names", (long) capacity << LENGTH_SHIFT);
    this.byHash = new TagTable(arena, "index own names by hash", capacity);
    this.byPlace = new TagTable(arena, "index own names by place", capacity);
    reset();
  }

  static long length(final int capacity) {
    return ((long) capacity << LENGTH_SHIFT) + 2 * TagTable.length(capacity);
  }

  void free(final Arena arena) {
    arena.free(entries);
    byHash.free(arena);
    byPlace.free(arena);
  }

  private void reset() {
    fresh = 0;
    free = NONE;
    used = 0;
  }

  int used() {
    return used;
  }

  int freeCount() {
    return capacity - used;
  }

  /** One more than the highest number that an entry ever had. */
  int bound() {
    return fresh;
  }

  private static long offset(final int entry) {
    return (long) entry << LENGTH_SHIFT;
  }

  boolean isUsed(final int entry) {
    return tiers(entry) != 0;
  }

  long hash(final int entry) {
    return entries.getLong(offset(entry) + HASH);
  }

  int slot(final int entry) {
    return entries.getInt(offset(entry) + SLOT);
  }

  int rank(final int entry) {
    return entries.getInt(offset(entry) + OWNER) & RANK_MASK;
  }

  /** A bit per tier in which the name is live; not 0. */
  int tiers(final int entry) {
    return entries.getInt(offset(entry) + OWNER) >>> TIERS_SHIFT & TIERS_MASK;
  }

  void tiers(final int entry, final int tiers) {
    entries.putInt(offset(entry) + OWNER, rank(entry) | tiers << TIERS_SHIFT);
  }

  private long hashKey(final int rank, final long hash) {
    return (hash ^ rank * RANK_MIX) * MIX & tagMask;
  }

  private long placeKey(final int rank, final int slot) {
    return (slot ^ rank * RANK_MIX) * MIX & tagMask;
  }

  /** The entry for a rank's name, or {@link #NONE}. */
  int named(final int rank, final long hash) {
    if (used == 0) {
      return NONE;
    }
    final long key = hashKey(rank, hash);
    long position = byHash.first(key);
    while (position != TagTable.ABSENT) {
      final int entry = byHash.value(position);
      if (hash(entry) == hash && rank(entry) == rank) {
        return entry;
      }
      position = byHash.next(position, key);
    }
    return NONE;
  }

  /** An entry of the rank for a block, or {@link #NONE}. */
  int at(final int rank, final int slot) {
    return anotherAt(rank, slot, NONE);
  }

  /** An entry of the rank for a block other than {@code except}, or {@link #NONE}. */
  int anotherAt(final int rank, final int slot, final int except) {
    final long key = placeKey(rank, slot);
    long position = byPlace.first(key);
    while (position != TagTable.ABSENT) {
      final int entry = byPlace.value(position);
      if (entry != except && slot(entry) == slot && rank(entry) == rank) {
        return entry;
      }
      position = byPlace.next(position, key);
    }
    return NONE;
  }

  /**
   * The tiers in which the rank has a name for a block, by its entries other than {@code except}.
   */
  int tiersAt(final int rank, final int slot, final int except) {
    final long key = placeKey(rank, slot);
    long position = byPlace.first(key);
    int tiers = 0;
    while (position != TagTable.ABSENT) {
      final int entry = byPlace.value(position);
      if (entry != except && slot(entry) == slot && rank(entry) == rank) {
        tiers |= tiers(entry);
      }
      position = byPlace.next(position, key);
    }
    return tiers;
  }

  /** The names of a rank for a block that are live in some of the tiers, ascending; allocates. */
  long[] namesAt(final int rank, final int slot, final int tiers) {
    final LongStream.Builder names = LongStream.builder();
    final long key = placeKey(rank, slot);
    long position = byPlace.first(key);
    while (position != TagTable.ABSENT) {
      final int entry = byPlace.value(position);
      if (slot(entry) == slot && rank(entry) == rank && (tiers(entry) & tiers) != 0) {
        names.add(hash(entry));
      }
      position = byPlace.next(position, key);
    }
    return names.build().boxed().sorted(Long::compareUnsigned).mapToLong(Long::longValue).toArray();
  }

  /** Makes an entry; there is room. */
  void add(final int rank, final long hash, final int slot, final int tiers) {
    final int entry;
    if (free == NONE) {
      entry = fresh++;
    } else {
      entry = free;
      free = slot(entry);
    }
    used++;
    final long offset = offset(entry);
    entries.putLong(offset + HASH, hash);
    entries.putInt(offset + SLOT, slot);
    entries.putInt(offset + OWNER, rank | tiers << TIERS_SHIFT);
    byHash.insert(hashKey(rank, hash), entry);
    byPlace.insert(placeKey(rank, slot), entry);
    ranks.addOwnNames(rank, 1);
  }

  /**
   * Ends a name in some tiers. A rank whose last name for a block is the block's external hash
   * needs no entry for it any more.
   */
  void dropTiers(final int entry, final int tiers, final long external) {
    final int rest = tiers(entry) & ~tiers;
    if (rest != 0) {
      tiers(entry, rest);
      return;
    }
    final int rank = rank(entry);
    final int slot = slot(entry);
    remove(entry);
    final int left = at(rank, slot);
    if (left != NONE && hash(left) == external && anotherAt(rank, slot, left) == NONE) {
      remove(left);
    }
  }

  /** Ends all names of a rank for a block in some tiers. */
  void endAt(final int rank, final int slot, final int tiers, final long external) {
    int entry = liveAt(rank, slot, tiers);
    while (entry != NONE) {
      dropTiers(entry, tiers, external);
      entry = liveAt(rank, slot, tiers);
    }
  }

  private int liveAt(final int rank, final int slot, final int tiers) {
    final long key = placeKey(rank, slot);
    long position = byPlace.first(key);
    while (position != TagTable.ABSENT) {
      final int entry = byPlace.value(position);
      if (slot(entry) == slot && rank(entry) == rank && (tiers(entry) & tiers) != 0) {
        return entry;
      }
      position = byPlace.next(position, key);
    }
    return NONE;
  }

  private void remove(final int entry) {
    final int rank = rank(entry);
    byHash.remove(byHash.slotOf(hashKey(rank, hash(entry)), entry));
    byPlace.remove(byPlace.slotOf(placeKey(rank, slot(entry)), entry));
    entries.putInt(offset(entry) + OWNER, 0);
    entries.putInt(offset(entry) + SLOT, free);
    free = entry;
    used--;
    ranks.addOwnNames(rank, -1);
  }
}
