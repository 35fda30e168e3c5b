package io.kvroute.stress;

import io.kvroute.index.IndexReader;
import io.kvroute.index.MatchScores;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import org.agrona.concurrent.UnsafeBuffer;

/** A small index with a few paths, and the query that scenarios ask. */
final class Subject implements AutoCloseable {
  /** Blocks of a path; more than two granules of memory. */
  static final int LENGTH = 20;

  private static final int MAX_EVENT_LENGTH = 1024;

  private final RadixIndex index;
  private final UnsafeBuffer event = new UnsafeBuffer(new byte[MAX_EVENT_LENGTH]);
  private long eventId;

  Subject(final int blockCapacity) {
    index =
        RadixIndex.builder()
            .blockCapacity(blockCapacity)
            .edgeCapacity(16)
            .rankCapacity(4)
            .ownNameCapacity(4)
            .holderBytes(1024)
            .build();
  }

  IndexReader newReader() {
    return index.newReader();
  }

  /** A worker stores blocks {@code from} up to {@code to} of a path; paths share their start. */
  void store(final long worker, final int path, final int from, final int to) {
    final int count = to - from;
    final int length =
        KvEventEncoder.stored(
            event,
            0,
            worker,
            0,
            StorageTier.DEVICE,
            eventId++,
            from > 0,
            from > 0 ? name(path, from - 1) : 0,
            count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(event, 0, i, name(path, from + i));
      KvEventEncoder.putTokensHash(event, 0, count, i, local(path, from + i));
    }
    index.apply(event, 0, length);
  }

  /** A worker removes blocks {@code from} up to {@code to} of a path, the deepest first. */
  void remove(final long worker, final int path, final int from, final int to) {
    final int length =
        KvEventEncoder.removed(event, 0, worker, 0, StorageTier.DEVICE, eventId++, to - from);
    for (int i = 0; i < to - from; i++) {
      KvEventEncoder.putBlockHash(event, 0, i, name(path, to - 1 - i));
    }
    index.apply(event, 0, length);
  }

  void removeWorker(final long worker) {
    index.removeWorker(worker);
  }

  /** Paths below 10 branch off from each other in their middle; the others at the root. */
  private static long local(final int path, final int depth) {
    return path < 10 && depth < LENGTH / 2 ? depth : 1000L * (path + 1) + depth;
  }

  private static long name(final int path, final int depth) {
    return -1 - local(path, depth);
  }

  /**
   * Blocks that workers 1 and 2 hold of a path: those of the first times 100 and those of the
   * second.
   */
  static int find(final IndexReader reader, final int path) {
    final long[] query = new long[LENGTH];
    for (int depth = 0; depth < LENGTH; depth++) {
      query[depth] = local(path, depth);
    }
    final MatchScores scores = new MatchScores();
    reader.find(query, 0, LENGTH, scores);
    return 100 * score(scores, 1) + score(scores, 2);
  }

  private static int score(final MatchScores scores, final long worker) {
    final int at = scores.indexOf(worker, 0);
    return at < 0 ? 0 : scores.total(at);
  }

  @Override
  public void close() {
    index.close();
  }
}
