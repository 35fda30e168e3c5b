package io.kvroute.index;

import io.kvroute.protocol.KvEventType;

/**
 * What happened to events, since the index was made. Written by the thread that applies them;
 * reading from it is exact, from others approximate. Nothing allocates.
 */
public final class IndexCounters {
  private static final int RESULTS = ApplyResult.values().length;
  private static final int TYPES = KvEventType.values().length;

  private final long[] events = new long[TYPES * RESULTS];
  private long malformedEvents;
  private long duplicateStores;
  private long parentlessBlocks;
  private long blocksNotFound;
  private long unresolvedStores;
  private long evictedBlocks;
  private long evictedHolds;
  private long storesBelowGaps;

  IndexCounters() {}

  void countEvent(final KvEventType type, final ApplyResult result) {
    events[type.ordinal() * RESULTS + result.ordinal()]++;
  }

  void countMalformed() {
    malformedEvents++;
  }

  void countDuplicateStore() {
    duplicateStores++;
  }

  void countParentlessBlocks(final int blocks) {
    parentlessBlocks += blocks;
  }

  void countBlockNotFound() {
    blocksNotFound++;
  }

  void countUnresolvedStore() {
    unresolvedStores++;
  }

  void countEviction(final int blocks, final long holds) {
    evictedBlocks += blocks;
    evictedHolds += holds;
  }

  void countStoreBelowGap() {
    storesBelowGaps++;
  }

  /** Events of a type that ended in a result; {@link ApplyResult#MALFORMED} has no type. */
  public long events(final KvEventType type, final ApplyResult result) {
    return events[type.ordinal() * RESULTS + result.ordinal()];
  }

  /** Events that could not be decoded. */
  public long malformedEvents() {
    return malformedEvents;
  }

  /** Stored events that announced nothing new; they are OK. */
  public long duplicateStores() {
    return duplicateStores;
  }

  /** Blocks in the events that ended in {@link ApplyResult#PARENT_BLOCK_NOT_FOUND}. */
  public long parentlessBlocks() {
    return parentlessBlocks;
  }

  /** Hashes in removed events that were not held. */
  public long blocksNotFound() {
    return blocksNotFound;
  }

  /** Blocks that were taken out to make room for others. */
  public long evictedBlocks() {
    return evictedBlocks;
  }

  /** How many ranks held the evicted blocks, in how many tiers each, summed over the blocks. */
  public long evictedHolds() {
    return evictedHolds;
  }

  /**
   * Stored events that ended in {@link ApplyResult#PARENT_BLOCK_NOT_FOUND} and came from a rank
   * that is approximate: what they build on was most likely evicted or refused.
   */
  public long storesBelowGaps() {
    return storesBelowGaps;
  }

  /** Stores without token lists that were refused because a hash was unknown. */
  public long unresolvedStores() {
    return unresolvedStores;
  }
}
