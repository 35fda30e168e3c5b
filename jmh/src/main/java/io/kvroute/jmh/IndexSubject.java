package io.kvroute.jmh;

import io.kvroute.index.ApplyResult;
import io.kvroute.index.IndexReader;
import io.kvroute.index.MatchScores;
import io.kvroute.index.RadixIndex;
import io.kvroute.protocol.StorageTier;
import io.kvroute.twin.OnHeapPrefixIndex;
import org.agrona.DirectBuffer;

/** An index under measurement: ours, or the control. */
abstract class IndexSubject implements AutoCloseable {
  /** Makes a subject for workers 0 to {@code workers - 1} and so many blocks. */
  interface Maker {
    /** Makes it. */
    IndexSubject make(int workers, long blocks);
  }

  abstract boolean apply(DirectBuffer buffer, int offset, int length);

  /** Looks a prompt up; how many workers hold any of it. */
  abstract int find(long[] query);

  /** The score of a worker in the last look-up. */
  abstract int score(int worker);

  abstract long heldBlocks();

  /** For another thread, while this one applies. */
  abstract Finder newFinder();

  @Override
  public abstract void close();

  /** Looks up beside the thread that applies. */
  interface Finder extends AutoCloseable {
    /** Looks a prompt up; how many workers hold any of it. */
    int find(long[] query);

    @Override
    void close();
  }

  /** Ours. */
  static final class Ours extends IndexSubject {
    /** For what events branch off: more than the default of one edge to 40 blocks foresees. */
    private static final int BRANCH_EDGES = 8_192;

    private final RadixIndex index;
    private final MatchScores scores = new MatchScores();

    Ours(final int workers, final long blocks) {
      index =
          RadixIndex.builder()
              .blockCapacity(blocks)
              .edgeCapacity(blocks / 40 + BRANCH_EDGES)
              .rankCapacity(workers)
              .build();
    }

    @Override
    boolean apply(final DirectBuffer buffer, final int offset, final int length) {
      return index.apply(buffer, offset, length) == ApplyResult.OK;
    }

    @Override
    int find(final long[] query) {
      index.find(query, 0, query.length, scores);
      return scores.count();
    }

    @Override
    int score(final int worker) {
      final int at = scores.indexOf(worker, 0);
      return at < 0 ? 0 : scores.device(at);
    }

    @Override
    long heldBlocks() {
      return index.heldBlocks(StorageTier.DEVICE);
    }

    @Override
    Finder newFinder() {
      final IndexReader reader = index.newReader();
      final MatchScores found = new MatchScores();
      return new Finder() {
        @Override
        public int find(final long[] query) {
          reader.find(query, 0, query.length, found);
          return found.count();
        }

        @Override
        public void close() {
          reader.close();
        }
      };
    }

    @Override
    public void close() {
      index.close();
    }
  }

  /** The control. Its readers and its writer exclude each other. */
  static final class Control extends IndexSubject {
    private final OnHeapPrefixIndex index;
    private final int[] scores;

    Control(final int workers, final long blocks) {
      index = new OnHeapPrefixIndex(workers);
      scores = new int[workers];
    }

    @Override
    boolean apply(final DirectBuffer buffer, final int offset, final int length) {
      synchronized (index) {
        return index.apply(buffer, offset, length);
      }
    }

    @Override
    int find(final long[] query) {
      return index.find(query, scores);
    }

    @Override
    int score(final int worker) {
      return scores[worker];
    }

    @Override
    long heldBlocks() {
      return index.heldBlocks();
    }

    @Override
    Finder newFinder() {
      final int[] found = new int[scores.length];
      return new Finder() {
        @Override
        public int find(final long[] query) {
          synchronized (index) {
            return index.find(query, found);
          }
        }

        @Override
        public void close() {
          // nothing to give back
        }
      };
    }

    @Override
    public void close() {
      // nothing to give back
    }
  }
}
