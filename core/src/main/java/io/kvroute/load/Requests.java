package io.kvroute.load;

import static io.kvroute.load.RequestLayout.EDGE;
import static io.kvroute.load.RequestLayout.EXPECTED;
import static io.kvroute.load.RequestLayout.FLAGS;
import static io.kvroute.load.RequestLayout.FLAG_FOUND;
import static io.kvroute.load.RequestLayout.FLAG_OUTPUT_TOKENS;
import static io.kvroute.load.RequestLayout.FLAG_USED;
import static io.kvroute.load.RequestLayout.KEY;
import static io.kvroute.load.RequestLayout.LENGTH;
import static io.kvroute.load.RequestLayout.NEXT;
import static io.kvroute.load.RequestLayout.NEXT_PREFILL;
import static io.kvroute.load.RequestLayout.ORIGIN;
import static io.kvroute.load.RequestLayout.OUTPUTS;
import static io.kvroute.load.RequestLayout.OUTPUT_TOKENS;
import static io.kvroute.load.RequestLayout.OUTPUT_WEIGHT;
import static io.kvroute.load.RequestLayout.PREVIOUS;
import static io.kvroute.load.RequestLayout.PREVIOUS_PREFILL;
import static io.kvroute.load.RequestLayout.RANK;
import static io.kvroute.load.RequestLayout.STARTED;
import static io.kvroute.load.RequestLayout.TOKENS;
import static io.kvroute.load.RequestLayout.WEIGHTED_OUTPUTS;

import io.kvroute.memory.Arena;
import io.kvroute.memory.Region;
import io.kvroute.memory.TagTable;

/**
 * The active requests, found by what their callers call them: a 64-bit key, or a text whose hash is
 * the key. A request that has been moved to another rank by a replica stays on the old one until it
 * expires, but its id does not lead to it any more.
 */
final class Requests {
  static final int NONE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Region records;
  private final TagTable places;
  private final String[] ids;
  private final String[] loraNames;
  private final RankLoads ranks;
  private final int capacity;
  private int fresh;
  private int free = NONE;
  private int used;

  Requests(final Arena arena, final int capacity, final RankLoads ranks) {
    this.capacity = capacity;
    this.ranks = ranks;
    records = arena.allocate("load requests", (long) capacity * LENGTH);
    places = new TagTable(arena, "load request places", capacity);
    ids = new String[capacity];
    loraNames = new String[capacity];
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

  boolean isFull() {
    return used == capacity;
  }

  /** One more than the highest number that a request ever had. */
  int bound() {
    return fresh;
  }

  private static long offset(final int request) {
    return (long) request * LENGTH;
  }

  private int getInt(final int request, final int field) {
    return records.getInt(offset(request) + field);
  }

  private void putInt(final int request, final int field, final int value) {
    records.putInt(offset(request) + field, value);
  }

  private long getLong(final int request, final int field) {
    return records.getLong(offset(request) + field);
  }

  private void putLong(final int request, final int field, final long value) {
    records.putLong(offset(request) + field, value);
  }

  // ------ by id

  /** The key of a text. */
  static long keyOf(final String id) {
    long key = id.length();
    for (int i = 0; i < id.length(); i++) {
      key = (key ^ id.charAt(i)) * MIX;
      key ^= key >>> 32;
    }
    return key;
  }

  /** The request that an id leads to, or {@link #NONE}. */
  int find(final String id, final long key) {
    return find(id, key, NONE);
  }

  /** A rank's request of an id, whether or not the id leads to it, or {@link #NONE}. */
  int findOn(final int rank, final String id, final long key) {
    return find(id, key, rank);
  }

  private int find(final String id, final long key, final int rank) {
    final long hash = key * MIX;
    long place = places.first(hash);
    while (place != TagTable.ABSENT) {
      final int request = places.value(place);
      if (key(request) == key
          && (id == null ? ids[request] == null : id.equals(ids[request]))
          && (rank == NONE ? isFound(request) : rank(request) == rank)) {
        return request;
      }
      place = places.next(place, hash);
    }
    return NONE;
  }

  /** True if the id leads to the request. */
  boolean isFound(final int request) {
    return (getInt(request, FLAGS) & FLAG_FOUND) != 0;
  }

  void found(final int request, final boolean found) {
    final int flags = getInt(request, FLAGS);
    putInt(request, FLAGS, found ? flags | FLAG_FOUND : flags & ~FLAG_FOUND);
  }

  // ------ coming and going

  /** Makes a request of a booking, as the youngest of a rank; there is room. */
  int add(final int rank, final Booking booking, final long origin, final long nowNs) {
    final int request;
    if (free == NONE) {
      request = fresh++;
    } else {
      request = free;
      free = next(request);
    }
    used++;
    records.fill(offset(request), LENGTH, (byte) 0);
    putLong(request, KEY, booking.key());
    putLong(request, STARTED, nowNs);
    putLong(request, ORIGIN, origin);
    putInt(request, RANK, rank);
    putInt(request, EDGE, PathEdges.NONE);
    putInt(request, OUTPUT_TOKENS, booking.expectedOutputTokens());
    putInt(
        request,
        FLAGS,
        FLAG_USED | FLAG_FOUND | (booking.hasExpectedOutputTokens() ? FLAG_OUTPUT_TOKENS : 0));
    ids[request] = booking.id();
    loraNames[request] = booking.loraName();
    places.insert(booking.key() * MIX, request);
    append(rank, request);
    return request;
  }

  private void append(final int rank, final int request) {
    final int last = ranks.last(rank);
    putInt(request, PREVIOUS, last + 1);
    if (last == NONE) {
      ranks.first(rank, request);
    } else {
      putInt(last, NEXT, request + 1);
    }
    ranks.last(rank, request);
    ranks.addRequests(rank, 1);
  }

  /** Forgets a request. */
  void remove(final int request) {
    places.remove(places.slotOf(key(request) * MIX, request));
    unlink(rank(request), request);
    ids[request] = null;
    loraNames[request] = null;
    putInt(request, FLAGS, 0);
    putInt(request, NEXT, free + 1);
    free = request;
    used--;
  }

  private void unlink(final int rank, final int request) {
    final int next = next(request);
    final int previous = getInt(request, PREVIOUS) - 1;
    if (previous == NONE) {
      ranks.first(rank, next);
    } else {
      putInt(previous, NEXT, next + 1);
    }
    if (next == NONE) {
      ranks.last(rank, previous);
    } else {
      putInt(next, PREVIOUS, previous + 1);
    }
    ranks.addRequests(rank, -1);
  }

  // ------ fields

  boolean isUsed(final int request) {
    return (getInt(request, FLAGS) & FLAG_USED) != 0;
  }

  long key(final int request) {
    return getLong(request, KEY);
  }

  /** The id as a text: that of the caller, or the key's digits. */
  String id(final int request) {
    final String id = ids[request];
    return id == null ? Long.toUnsignedString(key(request)) : id;
  }

  String loraName(final int request) {
    return loraNames[request];
  }

  int rank(final int request) {
    return getInt(request, RANK);
  }

  /** The next younger request of the rank, or {@link #NONE}. */
  int next(final int request) {
    return getInt(request, NEXT) - 1;
  }

  long started(final int request) {
    return getLong(request, STARTED);
  }

  long origin(final int request) {
    return getLong(request, ORIGIN);
  }

  /** The edge that the prompt ends with, or {@link PathEdges#NONE}. */
  int edge(final int request) {
    return getInt(request, EDGE);
  }

  void edge(final int request, final int edge) {
    putInt(request, EDGE, edge);
  }

  boolean hasOutputTokens(final int request) {
    return (getInt(request, FLAGS) & FLAG_OUTPUT_TOKENS) != 0;
  }

  int outputTokens(final int request) {
    return getInt(request, OUTPUT_TOKENS);
  }

  int outputs(final int request) {
    return getInt(request, OUTPUTS);
  }

  int weightedOutputs(final int request) {
    return getInt(request, WEIGHTED_OUTPUTS);
  }

  long outputWeight(final int request) {
    return getLong(request, OUTPUT_WEIGHT);
  }

  void outputs(final int request, final int outputs) {
    putInt(request, OUTPUTS, outputs);
  }

  /** All blocks of output that there are have a weight now. */
  void weighOutputs(final int request, final long weight) {
    putInt(request, WEIGHTED_OUTPUTS, outputs(request));
    putLong(request, OUTPUT_WEIGHT, weight);
  }

  /** Tokens of the outstanding prefill, or 0. */
  long tokens(final int request) {
    return getLong(request, TOKENS);
  }

  long expected(final int request) {
    return getLong(request, EXPECTED);
  }

  void prefill(final int request, final long tokens, final long expectedNs) {
    putLong(request, TOKENS, tokens);
    putLong(request, EXPECTED, expectedNs);
  }

  int nextPrefill(final int request) {
    return getInt(request, NEXT_PREFILL) - 1;
  }

  void nextPrefill(final int request, final int next) {
    putInt(request, NEXT_PREFILL, next + 1);
  }

  int previousPrefill(final int request) {
    return getInt(request, PREVIOUS_PREFILL) - 1;
  }

  void previousPrefill(final int request, final int previous) {
    putInt(request, PREVIOUS_PREFILL, previous + 1);
  }
}
