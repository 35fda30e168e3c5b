package io.kvroute.index;

import io.kvroute.memory.SequenceLock;
import io.kvroute.protocol.StorageTier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;

/**
 * Looks up in an index from a thread other than the one that changes it. Every result is that of
 * one instant between two events: a look-up that meets a change is repeated. Without a change it
 * never waits; when changes do not stop, it asks after some attempts for a pause, which the writer
 * grants, but only for so long.
 *
 * <p>One thread at a time uses a reader and the {@link MatchScores} that it fills. Nothing
 * allocates after warm-up.
 */
public final class IndexReader implements AutoCloseable {
  private static final int ALL_TIERS = -1;
  private static final int ATTEMPTS_BEFORE_ASKING = 32;
  private static final int ATTEMPTS_BEFORE_PAUSING = 1024;
  private static final long PAUSE_NS = 1_000;

  private final Finder finder;
  private final SequenceLock lock;
  private final AtomicInteger readers;
  private final HashList locals = new HashList();
  private long retries;
  private boolean closed;

  IndexReader(final Finder finder, final SequenceLock lock, final AtomicInteger readers) {
    this.finder = finder;
    this.lock = lock;
    this.readers = readers;
  }

  /**
   * Finds who holds how much of a prompt, in all tiers; see {@link RadixIndex#find(long[], int,
   * int, boolean, MatchScores)}.
   *
   * @throws IndexOutOfBoundsException if the range is not inside the array
   * @throws IllegalStateException if the reader is closed
   */
  public void find(
      final long[] localHashes,
      final int index,
      final int count,
      final boolean earlyExit,
      final MatchScores out) {
    checkOpen();
    locals.wrap(localHashes, index, count);
    find(ALL_TIERS, earlyExit, out);
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
    locals.wrapNative(localHashes, offset, count);
    find(ALL_TIERS, earlyExit, out);
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
    locals.wrap(localHashes, index, count);
    find(tier.ordinal(), earlyExit, out);
  }

  private void find(final int tier, final boolean earlyExit, final MatchScores out) {
    if (!attempt(tier, earlyExit, out)) {
      retry(tier, earlyExit, out);
    }
  }

  private boolean attempt(final int tier, final boolean earlyExit, final MatchScores out) {
    final long version = lock.version();
    if ((version & 1) != 0) {
      return false;
    }
    final boolean whole =
        tier == ALL_TIERS
            ? finder.find(locals, earlyExit, out)
            : finder.find(locals, tier, earlyExit, out);
    if (!lock.isStill(version)) {
      out.abandon();
      return false;
    }
    if (!whole) {
      throw damaged();
    }
    return true;
  }

  private void retry(final int tier, final boolean earlyExit, final MatchScores out) {
    int attempts = 1;
    try {
      do {
        retries++;
        if (attempts++ == ATTEMPTS_BEFORE_ASKING) {
          lock.ask();
        }
        if (attempts < ATTEMPTS_BEFORE_PAUSING) {
          Thread.onSpinWait();
        } else {
          // The writer was stopped by the system in the middle of a change.
          LockSupport.parkNanos(PAUSE_NS);
        }
      } while (!attempt(tier, earlyExit, out));
    } finally {
      if (attempts > ATTEMPTS_BEFORE_ASKING) {
        lock.thank();
      }
    }
  }

  private static IllegalStateException damaged() {
    return new IllegalStateException("index is damaged: a look-up met an edge without blocks");
  }

  /** Look-ups that were repeated because a change came between, each repetition counted. */
  public long retries() {
    return retries;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("reader used after close");
    }
  }

  /** Lets the index be closed. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      readers.decrementAndGet();
    }
  }
}
