package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.memory.SequenceLock;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.KvEventListener;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.MalformedEventException;
import io.kvroute.protocol.StorageTier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/**
 * Which rank holds which prefix: applies the cache events of all workers and answers, for a prompt,
 * how many of its leading blocks each rank holds, per tier.
 *
 * <p>Blocks are keyed by their local hashes along a path from the root; an engine's own (external)
 * hashes only name them. Membership is a set per (worker, data-parallel rank, tier): a block
 * removed from the middle of a chain leaves the deeper ones held, and storing it again restores
 * their overlap. The structure is a compressed radix tree in off-heap columns of fixed capacity;
 * {@code docs/design.md} describes it.
 *
 * <p>What does not fit makes the leaf go on which no store has ended for the longest time, whoever
 * holds it; the ranks that lose blocks by that are {@linkplain #isApproximate marked}.
 *
 * <p>One thread at a time applies events, calls what changes the index, and may look up; any number
 * of others look up at the same time, each through an {@link IndexReader} of its own. {@link
 * #apply} and {@link #find} allocate nothing after warm-up.
 */
public final class RadixIndex implements AutoCloseable, KvEventListener {
  private static final int ALL_TIERS = (1 << Ranks.TIERS) - 1;

  private static final int CLOSED = -1;

  private final Arena arena;
  private final boolean ownsArena;
  private final ClearScope clearScope;
  private final SequenceLock lock = new SequenceLock();
  private final AtomicInteger readers = new AtomicInteger();
  private final Blocks blocks;
  private final Edges edges;
  private final Holders holders;
  private final Ranks ranks;
  private final OwnNames ownNames;
  private final RepeatCheck repeats;
  private final Tree tree;
  private final StoreOperation stores;
  private final StoreKnownOperation knownStores;
  private final RemoveOperation removals;
  private final Finder finder;
  private final IndexCounters counters = new IndexCounters();
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final HashList externals = new HashList();
  private final HashList locals = new HashList();
  private boolean closed;

  RadixIndex(final RadixIndexBuilder builder, final Arena arena, final boolean ownsArena) {
    this.arena = arena;
    this.ownsArena = ownsArena;
    clearScope = builder.clearScope();
    final long mask = builder.tagMask();
    blocks = new Blocks(arena, builder.blockCapacity(), builder.granuleCount(), mask);
    edges = new Edges(arena, builder.edgeCapacity(), blocks, lock);
    holders = new Holders(arena, edges, builder.holderUnits(), lock);
    ranks = new Ranks(arena, builder.rankCapacity(), lock);
    ownNames = new OwnNames(arena, builder.ownNameCapacity(), ranks, mask);
    repeats = new RepeatCheck(arena);
    tree = new Tree(blocks, edges, holders, ranks, ownNames, lock, builder.sliceWork());
    stores = new StoreOperation(tree, repeats, counters, builder.evicting());
    knownStores = new StoreKnownOperation(tree, stores, repeats);
    removals = new RemoveOperation(tree, counters);
    finder = new Finder(tree);
  }

  /** Starts the making of an index. */
  public static RadixIndexBuilder builder() {
    return new RadixIndexBuilder();
  }

  // ------ events

  /**
   * Applies one event. Stored: the blocks that are there get a further holder, the rest is added.
   * Removed: the names end; blocks that nobody holds and below which nothing is held vanish.
   * Cleared: with tier device, all tiers of that rank are emptied, else that tier; see {@link
   * ClearScope}. Every outcome is counted.
   *
   * @param buffer that holds the event in its binary form
   * @param offset of its first byte
   * @param length of it in bytes
   * @return what became of it; never an exception for bad bytes
   */
  public ApplyResult apply(final DirectBuffer buffer, final int offset, final int length) {
    checkOpen();
    try {
      decoder.wrap(buffer, offset, length);
    } catch (final MalformedEventException malformed) {
      counters.countMalformed();
      return ApplyResult.MALFORMED;
    }
    final int tier = decoder.tier().ordinal();
    final ApplyResult result;
    try {
      result =
          switch (decoder.type()) {
            case STORED -> applyStored(buffer, offset, tier);
            case REMOVED -> applyRemoved(buffer, offset, tier);
            case CLEARED -> applyCleared(tier);
          };
    } finally {
      lock.endChange();
    }
    counters.countEvent(decoder.type(), result);
    if (ranks.leaving() != 0) {
      sweep();
    }
    return result;
  }

  /** As {@link #apply}, the result of which is to be read from the {@link #counters()}. */
  @Override
  public void onEvent(final DirectBuffer buffer, final int offset, final int length) {
    apply(buffer, offset, length);
  }

  /** As a Stored event without a parent, on the device; counted as one. */
  ApplyResult storeFromRoot(
      final long workerId,
      final int dpRank,
      final HashList localHashes,
      final HashList blockHashes) {
    checkOpen();
    final ApplyResult result =
        stores.apply(workerId, dpRank, 0, false, 0, localHashes, blockHashes);
    lock.endChange();
    counters.countEvent(KvEventType.STORED, result);
    sweep();
    return result;
  }

  /** True if a rank is known, or if there is room for one more. */
  boolean takesRank(final long workerId, final int dpRank) {
    return !ranks.isFull() || ranks.find(workerId, dpRank) != Ranks.NONE;
  }

  private ApplyResult applyStored(final DirectBuffer buffer, final int offset, final int tier) {
    final int count = decoder.blockCount();
    externals.wrapLittleEndian(buffer, KvEventEncoder.blockHashesOffset(offset), count);
    locals.wrapLittleEndian(buffer, KvEventEncoder.tokensHashesOffset(offset, count), count);
    final ApplyResult result =
        stores.apply(
            decoder.workerId(),
            decoder.dpRank(),
            tier,
            decoder.hasParent(),
            decoder.parentHash(),
            locals,
            externals);
    if (result != ApplyResult.OK) {
      explain(result, count);
    }
    return result;
  }

  private void explain(final ApplyResult result, final int count) {
    final int rank = ranks.find(decoder.workerId(), decoder.dpRank());
    if (result == ApplyResult.PARENT_BLOCK_NOT_FOUND) {
      counters.countParentlessBlocks(count);
      if (rank != Ranks.NONE && ranks.isApproximate(rank)) {
        counters.countStoreBelowGap();
      }
    } else if (result == ApplyResult.CAPACITY_EXCEEDED && rank != Ranks.NONE) {
      ranks.setApproximate(rank, true);
    }
  }

  private ApplyResult applyRemoved(final DirectBuffer buffer, final int offset, final int tier) {
    final int at = KvEventEncoder.blockHashesOffset(offset);
    externals.wrapLittleEndian(buffer, at, decoder.blockCount());
    return removals.apply(decoder.workerId(), decoder.dpRank(), tier, externals);
  }

  private ApplyResult applyCleared(final int tier) {
    final long workerId = decoder.workerId();
    final int tiers = tier == 0 ? ALL_TIERS : 1 << tier;
    final int rank = tree.findRank(workerId, decoder.dpRank());
    if (rank == Ranks.NONE) {
      if (ranks.isFull()) {
        return ApplyResult.CAPACITY_EXCEEDED;
      }
      ranks.add(workerId, decoder.dpRank());
    }
    if (clearScope == ClearScope.WORKER) {
      clearWorker(workerId, tiers);
    } else if (rank != Ranks.NONE) {
      clearRank(rank, tiers);
    }
    return ApplyResult.OK;
  }

  /**
   * Empties a rank. All tiers at once go the way of a rank that is forgotten, slice by slice, if
   * there is a slot in which the rank can begin anew.
   */
  private void clearRank(final int rank, final int tiers) {
    if (tiers == ALL_TIERS && tree.held(rank, tiers) != 0 && ranks.hasFreeSlot()) {
      final long workerId = ranks.workerId(rank);
      final int dpRank = ranks.dpRank(rank);
      tree.departures.begin(rank);
      ranks.add(workerId, dpRank);
    } else {
      tree.clear(rank, tiers);
      ranks.setApproximate(rank, ranks.isApproximate(rank) && tiers != ALL_TIERS);
    }
  }

  private boolean clearWorker(final long workerId, final int tiers) {
    boolean known = false;
    for (int rank = 0; rank < ranks.bound(); rank++) {
      if (ranks.isUsed(rank) && ranks.workerId(rank) == workerId) {
        clearRank(rank, tiers);
        known = true;
      }
    }
    return known;
  }

  /**
   * Applies a store that carries no tokens, as engines send when they offload: each hash is
   * resolved through what the rank, or else anyone, has announced under it, and its block is then
   * held by the rank in the tier. If any hash is unknown, or known for different blocks, nothing is
   * applied.
   *
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param tier in which the blocks are now
   * @param hashes external hashes
   * @param index of the first of them
   * @param count how many
   * @return {@link ApplyResult#BLOCK_NOT_FOUND} if a hash cannot be resolved
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public ApplyResult applyStoredWithoutTokens(
      final long workerId,
      final int dpRank,
      final StorageTier tier,
      final long[] hashes,
      final int index,
      final int count) {
    checkOpen();
    externals.wrap(hashes, index, count);
    final ApplyResult result = knownStores.apply(workerId, dpRank, tier.ordinal(), externals);
    lock.endChange();
    sweep();
    if (result == ApplyResult.BLOCK_NOT_FOUND) {
      counters.countUnresolvedStore();
    }
    return result;
  }

  // ------ look-ups

  /**
   * Finds who holds how much of a prompt, in all tiers.
   *
   * @param localHashes of the prompt's blocks
   * @param index of the first of them
   * @param count how many
   * @param earlyExit stop where only one rank is left: its blocks are then counted to one more than
   *     those of the second best
   * @param out takes the result
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public void find(
      final long[] localHashes,
      final int index,
      final int count,
      final boolean earlyExit,
      final MatchScores out) {
    checkOpen();
    finder.find(locals.wrap(localHashes, index, count), earlyExit, out);
  }

  /** As {@link #find(long[], int, int, boolean, MatchScores)}, to the end. */
  public void find(
      final long[] localHashes, final int index, final int count, final MatchScores out) {
    find(localHashes, index, count, false, out);
  }

  /**
   * As {@link #find(long[], int, int, boolean, MatchScores)}, from a buffer with 8 bytes a block in
   * native order.
   *
   * @param offset of the first hash in bytes
   */
  public void find(
      final DirectBuffer localHashes,
      final int offset,
      final int count,
      final boolean earlyExit,
      final MatchScores out) {
    checkOpen();
    finder.find(locals.wrapNative(localHashes, offset, count), earlyExit, out);
  }

  /** Finds who holds how many leading blocks of a prompt in one tier, whatever the others hold. */
  public void findInTier(
      final long[] localHashes,
      final int index,
      final int count,
      final StorageTier tier,
      final boolean earlyExit,
      final MatchScores out) {
    checkOpen();
    finder.find(locals.wrap(localHashes, index, count), tier.ordinal(), earlyExit, out);
  }

  /**
   * Makes a reader for another thread; any thread may. The index cannot be closed before its
   * readers are.
   */
  public IndexReader newReader() {
    int open;
    do {
      open = readers.get();
      if (open == CLOSED) {
        throw usedAfterClose();
      }
    } while (!readers.compareAndSet(open, open + 1));
    return new IndexReader(finder, lock, readers);
  }

  // ------ workers

  /**
   * Forgets a worker: all its ranks and what they hold. No look-up and no event after this call
   * sees anything of it; the memory comes back in slices, one in this call and one in each of the
   * following that change the index, or by {@link #sweep()}.
   *
   * @return false if it was not known
   */
  public boolean removeWorker(final long workerId) {
    checkOpen();
    boolean known = false;
    for (int rank = 0; rank < ranks.bound(); rank++) {
      if (ranks.isUsed(rank) && ranks.workerId(rank) == workerId) {
        tree.departures.begin(rank);
        known = true;
      }
    }
    lock.endChange();
    sweep();
    return known;
  }

  /**
   * Forgets one rank of a worker and what it holds, as {@link #removeWorker} does.
   *
   * @return false if it was not known
   */
  public boolean removeWorkerDpRank(final long workerId, final int dpRank) {
    checkOpen();
    final int rank = ranks.find(workerId, dpRank);
    if (rank == Ranks.NONE) {
      return false;
    }
    tree.departures.begin(rank);
    lock.endChange();
    sweep();
    return true;
  }

  /**
   * Does a slice of what forgotten ranks have left to do: some tens of microseconds at most, but
   * for a single edge that others hold too.
   *
   * @return true if there is more
   */
  public boolean sweep() {
    checkOpen();
    final boolean more = ranks.leaving() != 0 && tree.departures.step();
    lock.endChange();
    return more;
  }

  /**
   * Empties all ranks of a worker, in all tiers; it stays known.
   *
   * @return false if it was not known
   */
  public boolean clearAllBlocks(final long workerId) {
    checkOpen();
    final boolean known = clearWorker(workerId, ALL_TIERS);
    lock.endChange();
    sweep();
    return known;
  }

  /** As {@link #clearAllBlocks}, of one rank. */
  void clearRank(final long workerId, final int dpRank) {
    final int rank = ranks.find(workerId, dpRank);
    if (rank != Ranks.NONE) {
      clearRank(rank, ALL_TIERS);
    }
    lock.endChange();
  }

  /**
   * True if blocks that a rank's engine holds may be missing here, since they were evicted or did
   * not fit. It stays so until the rank is cleared, or forgotten and told anew. False if the rank
   * is not known.
   */
  public boolean isApproximate(final long workerId, final int dpRank) {
    final int rank = ranks.find(workerId, dpRank);
    return rank != Ranks.NONE && ranks.isApproximate(rank);
  }

  /** How many ranks {@linkplain #isApproximate are approximate}. */
  public int approximateRankCount() {
    return ranks.approximate();
  }

  /** The known workers, ascending as unsigned numbers, each once. Allocates. */
  public long[] workers() {
    checkOpen();
    return ranks.workers();
  }

  // ------ dumps

  /**
   * Hands out events that make an equal index: rank by rank, parents before children, a straight
   * run as one event, and per rank and tier one removal for the gaps in its paths. Event ids count
   * from 0. The same content gives the same bytes, so a restored dump dumps as itself. Ranks that
   * hold nothing are left out. Allocates.
   *
   * @return how many events
   */
  public long dump(final KvEventListener listener) {
    checkOpen();
    return new Dumper(tree, listener).dump();
  }

  /**
   * As {@link #dump}, of one worker: all its ranks.
   *
   * @return how many events; 0 if it is not known
   */
  public long dumpWorker(final long workerId, final KvEventListener listener) {
    checkOpen();
    final Dumper dumper = new Dumper(tree, listener);
    long events = 0;
    for (int i = 0; i < ranks.used(); i++) {
      if (ranks.workerId(ranks.sorted(i)) == workerId) {
        events = dumper.dumpRank(ranks.sorted(i));
      }
    }
    return events;
  }

  /**
   * Replaces what a worker holds by what a dump says, and leaves all other workers as they are:
   * empties the worker's ranks and applies those of the events that are the worker's. They are
   * counted like others.
   *
   * @param source hands out the events, such as {@code other::dump}; it must not use this index
   * @return how many events were handed out for the worker
   * @throws CapacityExceededException if one is refused for want of room, or
   * @throws IllegalArgumentException if one cannot be applied, although nothing was evicted that it
   *     builds on; in both cases the worker then holds nothing
   */
  public long replaceWorker(final long workerId, final Consumer<KvEventListener> source) {
    checkOpen();
    return new Replacement(this, workerId, false, 0).apply(source);
  }

  /** As {@link #replaceWorker}, of one data-parallel rank of a worker. */
  public long replaceWorkerDpRank(
      final long workerId, final int dpRank, final Consumer<KvEventListener> source) {
    checkOpen();
    return new Replacement(this, workerId, true, dpRank).apply(source);
  }

  // ------ figures

  /** What became of the events. */
  public IndexCounters counters() {
    return counters;
  }

  /**
   * Distinct blocks in the index, with those that only lie on the way to others, and those that
   * forgotten ranks have left.
   */
  public long blockCount() {
    return blocks.size();
  }

  /** Edges of the tree, not counting the root. */
  public int edgeCount() {
    return edges.used();
  }

  /** Ranks that are known. */
  public int rankCount() {
    return ranks.used();
  }

  /** Names that had to be kept for single ranks, since they disagree with others. */
  public int ownNameCount() {
    return ownNames.used();
  }

  /** Blocks held in a tier, summed over all ranks. */
  public long heldBlocks(final StorageTier tier) {
    return ranks.heldInTier(tier.ordinal());
  }

  /** Blocks that one rank holds in a tier; 0 if it is not known. */
  public long heldBlocks(final long workerId, final int dpRank, final StorageTier tier) {
    final int rank = ranks.find(workerId, dpRank);
    return rank == Ranks.NONE ? 0 : ranks.held(ranks.column(rank, tier.ordinal()));
  }

  /**
   * Bytes of the content: of the granules, edges, holder runs and names in use, with their share of
   * the tables at full load. Falls to 0 when the index is empty.
   */
  public long usedBytes() {
    return Blocks.length((int) blocks.size(), blocks.usedGranules())
        - Blocks.length(0, 0)
        + Edges.length(edges.used())
        - Edges.length(0)
        + (holders.runs().usedUnits() << 4)
        + OwnNames.length(ownNames.used())
        - OwnNames.length(0);
  }

  Tree tree() {
    return tree;
  }

  /** Fills an empty index with the content of a snapshot. */
  void load(final SnapshotInput input) {
    new SnapshotReader(input, tree).read();
    lock.endChange();
  }

  /** Does all that forgotten ranks have left. */
  void sweepAll() {
    while (sweep()) {
      // the next slice
    }
  }

  private void checkOpen() {
    if (closed) {
      throw usedAfterClose();
    }
  }

  private static IllegalStateException usedAfterClose() {
    return new IllegalStateException("index used after close");
  }

  /**
   * Frees the memory. Idempotent.
   *
   * @throws IllegalStateException if there are open readers; nothing is freed then
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (!readers.compareAndSet(0, CLOSED)) {
      throw new IllegalStateException("index has open readers: readers=" + readers.get());
    }
    closed = true;
    blocks.free(arena);
    edges.free(arena);
    holders.free(arena);
    ranks.free(arena);
    ownNames.free(arena);
    repeats.free(arena);
    if (ownsArena) {
      arena.close();
    }
  }
}
