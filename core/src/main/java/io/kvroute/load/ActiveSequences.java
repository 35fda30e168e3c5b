package io.kvroute.load;

import io.kvroute.memory.Arena;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.Collection;
import java.util.OptionalInt;

/**
 * The active requests of every (worker, data-parallel rank): which blocks they hold, which tokens
 * wait to be prefilled, and what one more request would add on each rank.
 *
 * <p>A block that several requests of a rank have counts once; blocks are known by chain hashes,
 * each of which names the block and all before it. Prefill tokens decay while time goes by, see
 * {@link Booking#prefill(long, long)}. A request older than {@link #EXPIRY_NS} is ended when its
 * rank is next looked at: on adding to it and in {@link #sweep}, at most every {@link
 * #EXPIRY_GATE_NS}.
 *
 * <p>Requests are called by a 64-bit key or by a text; the two do not meet. Everything may be said
 * twice, late, or of what is not known: that changes nothing and is counted. What there is no room
 * for is refused as a whole, see {@link #refusal}.
 *
 * <p>Instants are nanoseconds of one clock of the caller's; one that is before an earlier change
 * counts as that. Not thread-safe. With keys, and without a replica listener, adding, marking,
 * freeing and asking allocate nothing after warm-up. A listener must not call back.
 */
public final class ActiveSequences implements AutoCloseable {
  /** Age beyond which a request is given up. */
  public static final long EXPIRY_NS = 300_000_000_000L;

  /** Time between two searches of a rank for requests that are too old. */
  public static final long EXPIRY_GATE_NS = 30_000_000_000L;

  /** Time after which {@link #sweep} is to be called again. */
  public static final long SWEEP_NS = 60_000_000_000L;

  /** The largest weight of a block, up or down. */
  public static final double MAX_FRACTION = 1024;

  private static final long[] NO_HASHES = {};
  private static final int NONE = Requests.NONE;

  private final Arena arena;
  private final boolean ownsArena;
  private final long routerId;
  private final long replicaAgeNs;
  private final ReplicaPolicy replicaPolicy;
  private final LoadCounters counters = new LoadCounters();
  private final DepartedReplicas departed = new DepartedReplicas();
  private final Booking replicaBooking = new Booking();
  private final Bookings bookings;
  private final RankLoads ranks;
  private final Requests requests;
  private final Topology topology;
  private final Refusal refusal;
  private final LoadNews news;
  private long latestNs = Long.MIN_VALUE;
  private boolean closed;

  ActiveSequences(
      final ActiveSequencesBuilder builder, final Arena arena, final boolean ownsArena) {
    this.arena = arena;
    this.ownsArena = ownsArena;
    routerId = builder.routerId();
    replicaAgeNs = builder.replicaAgeNs();
    replicaPolicy = builder.replicaPolicy();
    bookings = new Bookings(builder, arena, counters);
    ranks = bookings.ranks;
    requests = bookings.requests;
    topology = new Topology(bookings);
    refusal = new Refusal(bookings, builder.blockCapacity());
    news = new LoadNews(builder, bookings, counters);
  }

  /** Starts the making of active sequences. */
  public static ActiveSequencesBuilder builder() {
    return new ActiveSequencesBuilder();
  }

  // ------ requests

  /**
   * Adds a request. An unknown rank becomes known, even for a request that is a duplicate.
   *
   * @return {@link SequenceResult#OK}, {@link SequenceResult#DUPLICATE_REQUEST}, or a refusal
   */
  public SequenceResult add(final Booking booking, final long nowNs) {
    return add(booking, true, nowNs);
  }

  /**
   * Adds a request to a rank that is known.
   *
   * @return as {@link #add}, or {@link SequenceResult#WORKER_NOT_FOUND}
   */
  public SequenceResult addIfRegistered(final Booking booking, final long nowNs) {
    return add(booking, false, nowNs);
  }

  private SequenceResult add(final Booking booking, final boolean mayAddRank, final long nowNs) {
    final long now = advance(nowNs);
    final int rank = ranks.find(booking.workerId(), booking.dpRank());
    final SequenceResult result;
    if (rank == NONE && (!mayAddRank || ranks.isFull())) {
      result =
          mayAddRank
              ? refusal.of(SequenceResult.RANKS_FULL, booking)
              : SequenceResult.WORKER_NOT_FOUND;
    } else if (requests.find(booking.id(), booking.key()) != NONE) {
      obtainRank(rank, booking, now);
      result = SequenceResult.DUPLICATE_REQUEST;
    } else {
      result = book(rank, booking, routerId, now);
    }
    counters.count(SequenceOperation.ADD, result);
    if (result == SequenceResult.OK) {
      news.tellAdded(booking);
    }
    return result;
  }

  private int obtainRank(final int rank, final Booking booking, final long nowNs) {
    return rank != NONE ? rank : ranks.add(booking.workerId(), booking.dpRank(), nowNs);
  }

  /** Books a request whose id leads nowhere, or that comes to be somewhere else. */
  private SequenceResult book(
      final int rank, final Booking booking, final long origin, final long nowNs) {
    final int moved = requests.find(booking.id(), booking.key());
    final int here = rank == NONE ? NONE : requests.findOn(rank, booking.id(), booking.key());
    if (here != NONE) {
      lead(moved, here);
      news.publish(rank, nowNs);
      return SequenceResult.OK;
    }
    final boolean expired = rank != NONE && bookings.expire(rank, nowNs);
    final SequenceResult room = bookings.room(rank, booking);
    if (room != SequenceResult.OK) {
      if (expired) {
        news.publish(rank, nowNs);
      }
      return refusal.of(room, booking);
    }
    if (moved != NONE) {
      requests.found(moved, false);
      counters.countMoved();
    }
    final int target = obtainRank(rank, booking, nowNs);
    bookings.add(target, booking, origin, nowNs);
    news.publish(target, nowNs);
    return SequenceResult.OK;
  }

  /** An id that led to one request, or nowhere, leads to another one. */
  private void lead(final int from, final int to) {
    if (from != to) {
      if (from != NONE) {
        requests.found(from, false);
        counters.countMoved();
      }
      requests.found(to, true);
      counters.countRevived();
    }
  }

  /**
   * The prefill of a request is done. May be said again.
   *
   * @return {@link SequenceResult#OK} or {@link SequenceResult#REQUEST_NOT_FOUND}
   */
  public SequenceResult markPrefillCompleted(final long key, final long nowNs) {
    return mark(requests.find(null, key), nowNs);
  }

  /** As with a key. */
  public SequenceResult markPrefillCompleted(final String id, final long nowNs) {
    return mark(requests.find(id, Requests.keyOf(id)), nowNs);
  }

  private SequenceResult mark(final int request, final long nowNs) {
    final long now = advance(nowNs);
    final SequenceResult result = found(request);
    if (request != NONE) {
      news.tellMarked(request);
      bookings.prefills.complete(request, now);
      news.publish(requests.rank(request), now);
    }
    counters.count(SequenceOperation.MARK_PREFILL_COMPLETED, result);
    return result;
  }

  private static SequenceResult found(final int request) {
    return request == NONE ? SequenceResult.REQUEST_NOT_FOUND : SequenceResult.OK;
  }

  /**
   * A request is over, however it ended.
   *
   * @return {@link SequenceResult#OK} or {@link SequenceResult#REQUEST_NOT_FOUND}
   */
  public SequenceResult free(final long key, final long nowNs) {
    return free(requests.find(null, key), nowNs);
  }

  /** As with a key. */
  public SequenceResult free(final String id, final long nowNs) {
    return free(requests.find(id, Requests.keyOf(id)), nowNs);
  }

  private SequenceResult free(final int request, final long nowNs) {
    final long now = advance(nowNs);
    final SequenceResult result = found(request);
    if (request != NONE) {
      news.tellFreed(request);
      final int rank = requests.rank(request);
      bookings.end(request, now);
      news.publish(rank, now);
    }
    counters.count(SequenceOperation.FREE, result);
    return result;
  }

  /**
   * A request has a further block of output, which nobody shares.
   *
   * @return {@link SequenceResult#OK}, {@link SequenceResult#REQUEST_NOT_FOUND}, or, beyond 2^31-1
   *     blocks, {@link SequenceResult#BLOCKS_FULL}
   */
  public SequenceResult addOutputBlock(final long key, final long nowNs) {
    return addOutput(requests.find(null, key), Double.NaN, nowNs);
  }

  /** As with a key. */
  public SequenceResult addOutputBlock(final String id, final long nowNs) {
    return addOutput(requests.find(id, Requests.keyOf(id)), Double.NaN, nowNs);
  }

  /**
   * As without a fraction; then every block of the request, of prompt and output, that no other
   * request of the rank has counts as that fraction of a block.
   *
   * @param fraction see {@link TokenCounts#outputLeft}
   * @throws IllegalArgumentException if it is not between -1024 and 1024
   */
  public SequenceResult addOutputBlock(final long key, final double fraction, final long nowNs) {
    checkFraction(fraction);
    return addOutput(requests.find(null, key), fraction, nowNs);
  }

  /** As with a key. */
  public SequenceResult addOutputBlock(final String id, final double fraction, final long nowNs) {
    checkFraction(fraction);
    return addOutput(requests.find(id, Requests.keyOf(id)), fraction, nowNs);
  }

  private static void checkFraction(final double fraction) {
    if (!(Math.abs(fraction) <= MAX_FRACTION)) {
      throw new IllegalArgumentException(
          "fraction out of range: fraction=" + fraction + " limit=" + MAX_FRACTION);
    }
  }

  private SequenceResult addOutput(final int request, final double fraction, final long nowNs) {
    final long now = advance(nowNs);
    SequenceResult result = found(request);
    if (request != NONE) {
      if (!bookings.addOutput(request)) {
        result = SequenceResult.BLOCKS_FULL;
      } else if (!Double.isNaN(fraction)) {
        bookings.weigh(request, (long) Math.rint(fraction * (1L << RankLoads.WEIGHT_SHIFT)));
      }
      news.publish(requests.rank(request), now);
    }
    counters.count(SequenceOperation.ADD_OUTPUT_BLOCK, result);
    return result;
  }

  /**
   * Ends the requests of all ranks that are too old; to be called every {@link #SWEEP_NS}.
   *
   * @return how many
   */
  public long sweep(final long nowNs) {
    final long now = advance(nowNs);
    final long before = counters.expired();
    for (int order = 0; order < ranks.used(); order++) {
      final int rank = ranks.sorted(order);
      if (bookings.expire(rank, now)) {
        news.publish(rank, now);
      }
    }
    return counters.expired() - before;
  }

  /** Which rank a request is active on; null if it is not. */
  public WorkerWithDpRank find(final long key) {
    return rankOf(requests.find(null, key));
  }

  /** As with a key. */
  public WorkerWithDpRank find(final String id) {
    return rankOf(requests.find(id, Requests.keyOf(id)));
  }

  private WorkerWithDpRank rankOf(final int request) {
    return request == NONE ? null : ranks.name(requests.rank(request));
  }

  /** How many tokens of output were expected of a request, where that is known. */
  public OptionalInt expectedOutputTokens(final long key) {
    return outputTokens(requests.find(null, key));
  }

  /** As with a key. */
  public OptionalInt expectedOutputTokens(final String id) {
    return outputTokens(requests.find(id, Requests.keyOf(id)));
  }

  private OptionalInt outputTokens(final int request) {
    return request == NONE || !requests.hasOutputTokens(request)
        ? OptionalInt.empty()
        : OptionalInt.of(requests.outputTokens(request));
  }

  // ------ loads

  /**
   * What every rank is busy with, and which blocks of a prompt it would have to add: one walk along
   * the prompt for all of them.
   *
   * @param hashes chain hashes of the prompt's blocks, as in {@link Booking#prompt}
   * @param index of the first of them
   * @param count how many
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public void potentialLoads(
      final long[] hashes,
      final int index,
      final int count,
      final long nowNs,
      final LoadProjections out) {
    checkOpen();
    if ((index | count) < 0 || index > hashes.length - count) {
      throw outOfBounds(hashes, index, count);
    }
    bookings.project(hashes, index, count, nowNs, out);
  }

  private static IndexOutOfBoundsException outOfBounds(
      final long[] hashes, final int index, final int count) {
    return new IndexOutOfBoundsException(
        "hashes out of bounds: index=" + index + " count=" + count + " capacity=" + hashes.length);
  }

  /** What every rank is busy with. */
  public void loads(final long nowNs, final LoadProjections out) {
    potentialLoads(NO_HASHES, 0, 0, nowNs, out);
  }

  /** All that is known of one rank; false, and nothing told, if the rank is not known. */
  public boolean rankLoad(
      final long workerId, final int dpRank, final long nowNs, final RankLoad out) {
    checkOpen();
    final int rank = ranks.find(workerId, dpRank);
    if (rank != NONE) {
      out.set(bookings, rank, nowNs);
    }
    return rank != NONE;
  }

  /** Known ranks. */
  public int rankCount() {
    return ranks.used();
  }

  /** Registered workers. */
  public int workerCount() {
    return topology.size();
  }

  /** Active requests of all ranks. */
  public int requestCount() {
    return requests.used();
  }

  /** Distinct blocks of active prompts, each once for all ranks. */
  public long blockCount() {
    return bookings.tree.blocks();
  }

  /** What has happened. */
  public LoadCounters counters() {
    return counters;
  }

  /** Why a request was refused last, in numbers; empty if none was. Allocates. */
  public String refusal() {
    return refusal.text();
  }

  // ------ workers

  /**
   * Registers a worker. Of ranks that requests have made known, those in its range are kept, the
   * others are removed with their requests.
   *
   * @throws TopologyException if it is registered, or if the range is none
   * @throws io.kvroute.memory.CapacityExceededException if there is no room for the ranks
   */
  public void register(final WorkerRange range, final long nowNs) {
    topology.register(range, advance(nowNs));
  }

  /**
   * Registers a worker, or changes its range; ranks outside of it are removed with their requests.
   *
   * @throws TopologyException if the range is none
   * @throws io.kvroute.memory.CapacityExceededException if there is no room for the ranks
   */
  public void upsert(final WorkerRange range, final long nowNs) {
    topology.upsert(range, advance(nowNs));
  }

  /**
   * Removes a registered worker with all its ranks and their requests.
   *
   * @throws TopologyException if it is not registered, be its ranks known or not
   */
  public void unregister(final long workerId, final long nowNs) {
    topology.unregister(workerId, advance(nowNs));
  }

  /**
   * Makes these the registered workers, and removes all other ranks with their requests.
   *
   * @throws TopologyException if a range is none, or a worker is named twice
   * @throws io.kvroute.memory.CapacityExceededException if there is no room for the ranks
   */
  public void reconcile(final Collection<WorkerRange> ranges, final long nowNs) {
    topology.reconcile(ranges, advance(nowNs));
  }

  // ------ replicas

  /**
   * Applies what another router tells of its requests. An added request whose id is active on
   * another rank moves there; its load stays on the old rank until it expires. The rank in other
   * events is not looked at.
   *
   * @param ageNs how long ago the event was sent, in nanoseconds
   */
  public ReplicaOutcome apply(final ActiveSequenceEvent event, final long ageNs, final long nowNs) {
    final ReplicaOutcome outcome = outcome(event, ageNs, advance(nowNs));
    counters.count(outcome);
    return outcome;
  }

  private ReplicaOutcome outcome(
      final ActiveSequenceEvent event, final long ageNs, final long nowNs) {
    if (event.routerId() == routerId) {
      return ReplicaOutcome.OWN;
    }
    if (departed.contains(event.routerId())) {
      return ReplicaOutcome.DEPARTED;
    }
    if (event.data() instanceof ActiveSequenceEventData.AddRequest added) {
      return ageNs > replicaAgeNs ? ReplicaOutcome.OVER_AGE : applyAdded(event, added, nowNs);
    }
    final int request = requests.find(event.requestId(), Requests.keyOf(event.requestId()));
    if (request == NONE) {
      return ReplicaOutcome.UNKNOWN_REQUEST;
    }
    if (event.data() instanceof ActiveSequenceEventData.Free) {
      final int rank = requests.rank(request);
      bookings.end(request, nowNs);
      news.publish(rank, nowNs);
    } else {
      bookings.prefills.complete(request, nowNs);
    }
    return ReplicaOutcome.RELIEVED;
  }

  private ReplicaOutcome applyAdded(
      final ActiveSequenceEvent event,
      final ActiveSequenceEventData.AddRequest added,
      final long nowNs) {
    final int rank = ranks.find(event.worker().workerId(), event.worker().dpRank());
    if (rank == NONE && replicaPolicy == ReplicaPolicy.REQUIRE_REGISTERED) {
      return ReplicaOutcome.UNKNOWN_RANK;
    }
    final Booking booking = bookingOf(event, added);
    if (rank == NONE && ranks.isFull()) {
      refusal.of(SequenceResult.RANKS_FULL, booking);
      return ReplicaOutcome.REFUSED;
    }
    final boolean duplicate =
        rank != NONE && requests.findOn(rank, booking.id(), booking.key()) != NONE;
    final SequenceResult result = book(rank, booking, event.routerId(), nowNs);
    replicaBooking.reset();
    if (result != SequenceResult.OK) {
      return ReplicaOutcome.REFUSED;
    }
    return duplicate ? ReplicaOutcome.DUPLICATE : ReplicaOutcome.ADDED;
  }

  private Booking bookingOf(
      final ActiveSequenceEvent event, final ActiveSequenceEventData.AddRequest added) {
    final WorkerWithDpRank worker = event.worker();
    final Booking booking =
        replicaBooking
            .reset()
            .request(event.requestId())
            .rank(worker.workerId(), worker.dpRank())
            .trackPrefillTokens(added.trackPrefillTokens())
            .loraName(event.loraName());
    if (added.tokenSequence() != null) {
      booking.prompt(added.tokenSequence().toArray(), 0, added.tokenSequence().size());
    }
    final PrefillLoadHint hint = added.prefillLoadHint();
    if (hint != null && hint.expectedPrefillDuration() != null) {
      booking.prefill(hint.initialEffectivePrefillTokens(), hint.expectedPrefillDuration());
    } else if (hint != null) {
      booking.prefill(hint.initialEffectivePrefillTokens());
    }
    added.expectedOutputTokens().ifPresent(booking::expectedOutputTokens);
    return booking;
  }

  /**
   * Another router has left: its requests are ended, and what still comes from it is ignored. The
   * 1,024 routers that have left last are remembered.
   *
   * @return how many requests were ended
   * @throws IllegalArgumentException if it is this router
   */
  public long removeReplica(final long departedId, final long nowNs) {
    if (departedId == routerId) {
      throw new IllegalArgumentException(
          "a router is not its own replica: routerId=" + Long.toUnsignedString(routerId));
    }
    final long now = advance(nowNs);
    departed.add(departedId);
    final long before = counters.endedWithReplica();
    for (int order = 0; order < ranks.used(); order++) {
      final int rank = ranks.sorted(order);
      if (bookings.endOrigin(rank, departedId, now)) {
        news.publish(rank, now);
      }
    }
    return counters.endedWithReplica() - before;
  }

  /** A router that had left is back: what comes from it is applied again. */
  public void admitReplica(final long returnedId) {
    departed.remove(returnedId);
  }

  // ------ all of them

  private long advance(final long nowNs) {
    checkOpen();
    latestNs = Math.max(latestNs, nowNs);
    return latestNs;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("active sequences used after close");
    }
  }

  Bookings bookings() {
    return bookings;
  }

  /** Gives the memory back; may be called again. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    bookings.free(arena);
    if (ownsArena) {
      arena.close();
    }
  }
}
