package io.kvroute.twin;

import java.util.List;
import java.util.function.Consumer;

/**
 * A manager under test, whichever it is. Leases, decode reservations and destinations are slots,
 * numbered from 0, so that a sequence of calls can be written down and played again. A slot is made
 * when it is first named.
 */
interface KvSubject extends AutoCloseable {
  /** Answer of an operation for which there is no room. */
  long REFUSED = -1;

  /** How to make one. */
  record Config(
      long totalTokens,
      int pageSize,
      int dpRank,
      Consumer<TwinEvent> sink,
      Consumer<TraceRecord> trace) {}

  /** The figures that two managers must share after every operation. */
  record Figures(
      long available,
      long evictable,
      long protectedTokens,
      long total,
      long nodes,
      long storedEvents,
      long removedEvents,
      long storedBlocks,
      long removedBlocks,
      long hashedBlocks,
      long lastHashedBlocks,
      long sinkFailures,
      long unbalancedUnlocks) {}

  /** A lease as it can be seen from outside. */
  record LeaseState(
      boolean active, long tokenCount, long cachedTokens, long lastIndex, List<Long> indices) {}

  /** A destination as it can be seen from outside. */
  record DestinationState(
      long prefixLen, long transferableTokens, long allocatedTokens, List<Long> indices) {}

  long allocate(int lease, int[] tokens, int count);

  boolean extendAllocation(int lease, int[] tokens, int count);

  void extendCachedPrefix(int lease, int[] tokens, int count);

  boolean reserveDecodePages(int reservation, int pages);

  void extendDecode(int lease, int reservation);

  long allocateDecodeToken(int lease);

  void releaseDecodeReservation(int reservation);

  void finish(int lease, int[] tokens, int count);

  boolean abort(int lease);

  boolean retract(int lease);

  boolean reserveDestination(int destination, int[] tokens, int count);

  long activateDestination(int destination, int lease, int[] tokens, int count);

  void cancelDestination(int destination);

  void evict(long tokens);

  /** A match that counts as a use. */
  long match(int[] tokens, int count);

  /** A match that leaves no mark. */
  long prefixMatchLen(int[] tokens, int count);

  /** Attaches or exchanges the receiver of events. */
  void sink(Consumer<TwinEvent> sink);

  Figures figures();

  LeaseState lease(int lease);

  /** Pages left in a reservation. */
  int reservationCount(int reservation);

  DestinationState destination(int destination);

  /** Fails with a reason unless everything inside fits together. */
  void checkInvariants();

  @Override
  void close();
}
