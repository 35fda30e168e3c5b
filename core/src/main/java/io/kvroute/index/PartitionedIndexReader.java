package io.kvroute.index;

import io.kvroute.protocol.StorageTier;

/**
 * Looks up in a {@link PartitionedIndex}, from any thread. A prompt concerns one partition, so
 * every result is that of one instant of it. One thread at a time uses a reader. Nothing allocates
 * after warm-up.
 */
public final class PartitionedIndexReader implements AutoCloseable {
  private final IndexReader[] readers;

  PartitionedIndexReader(final IndexReader[] readers) {
    this.readers = readers;
  }

  /** As {@link RadixIndex#find(long[], int, int, boolean, MatchScores)}. */
  public void find(
      final long[] localHashes,
      final int index,
      final int count,
      final boolean earlyExit,
      final MatchScores out) {
    of(localHashes, index, count).find(localHashes, index, count, earlyExit, out);
  }

  /** As {@link #find(long[], int, int, boolean, MatchScores)}, to the end. */
  public void find(
      final long[] localHashes, final int index, final int count, final MatchScores out) {
    find(localHashes, index, count, false, out);
  }

  /** As {@link RadixIndex#findInTier}. */
  public void findInTier(
      final long[] localHashes,
      final int index,
      final int count,
      final StorageTier tier,
      final boolean earlyExit,
      final MatchScores out) {
    of(localHashes, index, count).findInTier(localHashes, index, count, tier, earlyExit, out);
  }

  /** The reader of a prompt's partition; a range that is not inside the array is left to it. */
  private IndexReader of(final long[] localHashes, final int index, final int count) {
    final boolean empty = count <= 0 || index < 0 || index >= localHashes.length;
    return empty
        ? readers[0]
        : readers[PartitionedIndex.partitionOf(localHashes[index], readers.length)];
  }

  /** Look-ups that were repeated because a change came between. */
  public long retries() {
    long retries = 0;
    for (final IndexReader reader : readers) {
      retries += reader.retries();
    }
    return retries;
  }

  /** Lets the index be closed. Idempotent. */
  @Override
  public void close() {
    for (final IndexReader reader : readers) {
      reader.close();
    }
  }
}
