package io.kvroute.index;

/**
 * Applies a stored event: finds where it begins, walks down what is there already, checks
 * everything that can be wrong, and only then changes the tree.
 *
 * <p>The names of an event need a closer look only if something is unusual: a block on the way has
 * another external hash, the rank has names of its own, a new hash is already the name of some
 * block. Otherwise every hash is either the name of exactly the block in its place, or of none.
 */
final class StoreOperation {
  private final Tree tree;
  private final Blocks blocks;
  private final Edges edges;
  private final Holders holders;
  private final Ranks ranks;
  private final OwnNames ownNames;
  private final RepeatCheck repeats;
  private final IndexCounters counters;
  private final boolean evicting;
  private final int spareEdges;
  private final int spareUnits;

  private HashList locals;
  private HashList externals;
  private int parentSlot;
  private int startDepth;
  private int lastEdge;
  private int lastCount;
  private int known;
  private long units;
  private boolean namesAgree;
  private boolean namesChecked;

  /**
   * Works on a tree.
   *
   * @param evicting whether leaves make room for what would not fit
   */
  StoreOperation(
      final Tree tree,
      final RepeatCheck repeats,
      final IndexCounters counters,
      final boolean evicting) {
    this.tree = tree;
    this.evicting = evicting;
    this.blocks = tree.blocks;
    this.edges = tree.edges;
    this.holders = tree.holders;
    this.ranks = tree.ranks;
    this.ownNames = tree.ownNames;
    this.repeats = repeats;
    this.counters = counters;
    this.spareEdges = edges.freeCount() >>> 6;
    this.spareUnits = (int) (holders.runs().unitCount() >>> 6);
  }

  ApplyResult apply(
      final long workerId,
      final int dpRank,
      final int tier,
      final boolean hasParent,
      final long parentHash,
      final HashList newLocals,
      final HashList newExternals) {
    locals = newLocals;
    externals = newExternals;
    namesChecked = false;
    final int rank = tree.findRank(workerId, dpRank);
    ApplyResult result = place(rank, tier, hasParent, parentHash);
    if (result == ApplyResult.OK && !namesAgree && ranks.leaving() != 0) {
      // What only forgotten ranks still hold must not lend its names to the new blocks.
      tree.departures.finish();
      result = place(rank, tier, hasParent, parentHash);
    }
    if (result == ApplyResult.OK) {
      result = checkNames(rank);
    }
    if (result == ApplyResult.OK && !hasRoom(rank)) {
      result = checkAllNames(rank);
      if (result == ApplyResult.OK) {
        result = makeRoom(rank, tier, hasParent, parentHash);
      }
    }
    if (result == ApplyResult.OK) {
      result = change(rank, workerId, dpRank, tier);
    }
    return result;
  }

  /**
   * Evicts until the event fits. Nothing is evicted for what can never fit. A block that nobody
   * holds stays only for as long as something below it is held, so an event of a lower tier may
   * lose its parent by this.
   */
  private ApplyResult makeRoom(
      final int rank, final int tier, final boolean hasParent, final long parentHash) {
    if ((rank == Ranks.NONE && ranks.isFull())
        || startDepth + (long) locals.count() > blocks.capacity()
        || !hasRoomForNames(rank)) {
      return ApplyResult.CAPACITY_EXCEEDED;
    }
    ApplyResult result = ApplyResult.OK;
    while (result == ApplyResult.OK && !hasRoom(rank)) {
      if (ranks.leaving() != 0) {
        tree.departures.step();
      } else if (!evicting || !evictOldest()) {
        return ApplyResult.CAPACITY_EXCEEDED;
      }
      // Edges may have been joined, and blocks moved.
      result = place(rank, tier, hasParent, parentHash);
    }
    return result;
  }

  /** Evicts from the oldest leaf as much as is missing, but nothing that the event builds on. */
  private boolean evictOldest() {
    int edge = edges.leaves().oldest();
    if (edge == lastEdge && edge != Edges.NONE && lastCount == edges.count(edge)) {
      edge = edges.leaves().newer(edge);
    }
    if (edge == Edges.NONE) {
      return false;
    }
    final int count = edges.count(edge);
    final int missing = blocks.missing(locals.count() - known);
    final boolean whole =
        missing == 0 || holders.unitsToChange(edge) > holders.runs().longestFreeRun();
    final int keep =
        Math.max(edge == lastEdge ? lastCount : 0, whole ? 0 : Math.max(0, count - missing));
    counters.countEviction(count - keep, tree.evict(edge, keep));
    return true;
  }

  /** Finds the parent and walks down as far as the blocks are there. */
  private ApplyResult place(
      final int rank, final int tier, final boolean hasParent, final long parentHash) {
    if (hasParent && externals.contains(parentHash)) {
      return ApplyResult.INVALID_BLOCK_SEQUENCE;
    }
    parentSlot = Blocks.NONE;
    if (hasParent) {
      parentSlot = tier == 0 ? tree.slotNamed(rank, parentHash) : tree.slotKnown(rank, parentHash);
      if (parentSlot == Blocks.NONE) {
        return repeats.hasRepeat(externals)
            ? ApplyResult.INVALID_BLOCK_SEQUENCE
            : ApplyResult.PARENT_BLOCK_NOT_FOUND;
      }
    }
    walk();
    return ApplyResult.OK;
  }

  private void walk() {
    int edge = Edges.ROOT;
    int index = 0;
    startDepth = 0;
    if (parentSlot != Blocks.NONE) {
      edge = edges.edgeOf(parentSlot);
      startDepth = blocks.depth(parentSlot) + 1;
      index = startDepth - edges.start(edge);
    }
    final int count = locals.count();
    known = 0;
    namesAgree = true;
    units = holders.unitsToChange(edge);
    while (true) {
      final int here = Math.min(edges.count(edge) - index, count - known);
      if (here > 0) {
        final int slot = index == 0 ? edges.first(edge) : edges.slot(edge, index);
        final int same = blocks.matchLocals(slot, here, locals, known);
        namesAgree = namesAgree && blocks.matchExternals(slot, same, externals, known) == same;
        known += same;
        index += same;
      }
      if (known == count || index < edges.count(edge)) {
        break;
      }
      final int child = edges.child(edge, locals.get(known));
      if (child == Edges.NONE) {
        break;
      }
      edge = child;
      index = 0;
      units += holders.unitsToChange(edge);
    }
    lastEdge = edge;
    lastCount = index;
  }

  private ApplyResult checkNames(final int rank) {
    final boolean unusual =
        !namesAgree
            || (rank != Ranks.NONE && ranks.ownNames(rank) != 0)
            || (known != 0 && blocks.sharedNames() != 0);
    return unusual ? checkAllNames(rank) : ApplyResult.OK;
  }

  /** Every hash once, and none that the rank holds for another block. */
  private ApplyResult checkAllNames(final int rank) {
    if (namesChecked) {
      return ApplyResult.OK;
    }
    if (repeats.hasRepeat(externals)) {
      return ApplyResult.INVALID_BLOCK_SEQUENCE;
    }
    int edge = lastEdge;
    for (int i = externals.count() - 1; i >= 0; i--) {
      final int slot = tree.slotNamed(rank, externals.get(i));
      if (slot != Blocks.NONE) {
        if (i >= known) {
          return ApplyResult.INVALID_BLOCK_SEQUENCE;
        }
        final int depth = startDepth + i;
        while (edges.start(edge) > depth) {
          edge = edges.parent(edge);
        }
        if (blocks.depth(slot) != depth || edges.edgeOf(slot) != edge) {
          return ApplyResult.INVALID_BLOCK_SEQUENCE;
        }
      }
    }
    namesChecked = true;
    return ApplyResult.OK;
  }

  private boolean hasRoom(final int rank) {
    final int fresh = locals.count() - known;
    final int newEdges = (fresh == 0 ? 0 : 2) + (parentSlot == Blocks.NONE ? 0 : 1);
    if ((rank == Ranks.NONE && ranks.isFull())
        || units + spareUnits > holders.runs().longestFreeRun()
        || (newEdges != 0 && newEdges + spareEdges > edges.freeCount())
        || !blocks.hasRoom(fresh, Blocks.granulesFor(Blocks.NONE, fresh))) {
      return false;
    }
    return hasRoomForNames(rank);
  }

  private boolean hasRoomForNames(final int rank) {
    return !needsOwnNames(rank)
        || 2L * known <= ownNames.freeCount()
        || nameKnown(rank, 0, true) <= ownNames.freeCount();
  }

  private boolean needsOwnNames(final int rank) {
    return known != 0 && (!namesAgree || (rank != Ranks.NONE && ranks.ownNames(rank) != 0));
  }

  private ApplyResult change(
      final int knownRank, final long workerId, final int dpRank, final int tier) {
    final int fresh = locals.count() - known;
    final boolean grow =
        fresh != 0 && knownRank != Ranks.NONE && mayGrow(ranks.column(knownRank, tier));
    int first = Blocks.NONE;
    if (fresh != 0) {
      first = append(grow);
      if (first == Blocks.NONE) {
        if (checkAllNames(knownRank) != ApplyResult.OK) {
          return ApplyResult.INVALID_BLOCK_SEQUENCE;
        }
        first = append(grow);
      }
    }
    final int rank = knownRank == Ranks.NONE ? ranks.add(workerId, dpRank) : knownRank;
    final boolean named = needsOwnNames(rank) && nameKnown(rank, tier, false) != 0;
    final boolean endsOnLeaf =
        known != 0 && lastCount == edges.count(lastEdge) && edges.leaves().contains(lastEdge);
    final boolean held = holdKnown(ranks.column(rank, tier), fresh != 0);
    if (fresh != 0) {
      attach(ranks.column(rank, tier), grow, first, blocks.lastAppended());
    } else if (!named && !held && known != 0) {
      counters.countDuplicateStore();
    }
    if (endsOnLeaf && fresh == 0) {
      edges.leaves().touch(lastEdge);
    }
    if (held || (fresh != 0 && !grow)) {
      tree.joinUpwards(lastEdge, startDepth);
    }
    return ApplyResult.OK;
  }

  /**
   * Lays the new blocks out; if one has a known name and that was not yet looked into, does
   * nothing.
   */
  private int append(final boolean grow) {
    final int end = lastEdge == Edges.ROOT ? Blocks.NONE : edges.tail(lastEdge);
    return blocks.append(
        grow ? end : Blocks.NONE, end, startDepth + known, locals, externals, known, namesChecked);
  }

  /** True if new blocks of the column may join the last edge, because it will hold it alone. */
  private boolean mayGrow(final int column) {
    return lastEdge != Edges.ROOT
        && edges.firstChild(lastEdge) == Edges.NONE
        && lastCount == edges.count(lastEdge)
        && holders.noOtherFull(lastEdge, column)
        && holders.coverage(lastEdge, column) >= startDepth - edges.start(lastEdge);
  }

  /** Puts the new blocks below the last edge, or at its end; they have been laid out. */
  private void attach(final int column, final boolean grow, final int first, final int tail) {
    final int fresh = locals.count() - known;
    if (grow) {
      blocks.ownRange(edges.tail(lastEdge), tail, lastEdge);
      edges.end(lastEdge, tail, edges.count(lastEdge) + fresh);
      edges.leaves().touch(lastEdge);
    } else {
      lastEdge = edges.add(lastEdge, first, tail, startDepth + known, fresh);
      blocks.ownRange(first, tail, lastEdge);
      holders.setCoverage(lastEdge, column, fresh);
    }
    ranks.addHeld(column, fresh);
  }

  /**
   * Makes the column hold the blocks that were there already; before that, splits the last edge
   * where new blocks branch off.
   *
   * @return true if it did not hold all of them
   */
  private boolean holdKnown(final int column, final boolean branch) {
    if (branch && lastEdge != Edges.ROOT && lastCount < edges.count(lastEdge)) {
      lastEdge = tree.split(lastEdge, lastCount);
    }
    boolean changed = false;
    int edge = lastEdge;
    int to = lastCount;
    int rest = known;
    while (rest > 0) {
      final int from = Math.max(0, startDepth - edges.start(edge));
      rest -= to - from;
      final int parent = edges.parent(edge);
      changed |= to > from && tree.hold(edge, from, to, column);
      edge = parent;
      to = edges.count(edge);
    }
    return changed;
  }

  /**
   * Enters the rank's names for the blocks that were there already, where the reverse map does not
   * say them.
   *
   * @param countOnly whether to change nothing
   * @return how many entries were made or changed, or would be made at most
   */
  private int nameKnown(final int rank, final int tier, final boolean countOnly) {
    int edge = lastEdge;
    int slot = edges.slot(edge, lastCount - 1);
    int changes = 0;
    for (int i = known - 1; i >= 0; i--) {
      changes +=
          countOnly
              ? entriesFor(rank, slot, externals.get(i))
              : name(rank, tier, slot, externals.get(i));
      if (slot == edges.first(edge)) {
        edge = edges.parent(edge);
        slot = edges.tail(edge);
      } else {
        slot = blocks.previous(slot);
      }
    }
    return changes;
  }

  private int entriesFor(final int rank, final int slot, final long hash) {
    if (rank != Ranks.NONE && tree.usesOwnNames(rank, slot)) {
      return ownNames.named(rank, hash) == OwnNames.NONE ? 1 : 0;
    }
    return hash == blocks.external(slot) ? 0 : 2;
  }

  /**
   * Enters a rank's name for a block that is there; to be done before the block is held.
   *
   * @return how many entries were made or changed
   */
  int name(final int rank, final int tier, final int slot, final long hash) {
    final int bit = 1 << tier;
    if (tree.usesOwnNames(rank, slot)) {
      final int entry = ownNames.named(rank, hash);
      if (entry == OwnNames.NONE) {
        ownNames.add(rank, hash, slot, bit);
        return 1;
      }
      final int tiers = ownNames.tiers(entry);
      ownNames.tiers(entry, tiers | bit);
      return tiers == (tiers | bit) ? 0 : 1;
    }
    final long external = blocks.external(slot);
    if (hash == external) {
      return 0;
    }
    final int tiers = tree.tiersHolding(rank, slot);
    if (tiers != 0) {
      ownNames.add(rank, external, slot, tiers);
    }
    ownNames.add(rank, hash, slot, bit);
    blocks.markOwnNames(slot);
    return 2;
  }
}
