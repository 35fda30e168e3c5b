package io.kvroute.twin;

import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * A manager under test, whichever it is. Leases, decode reservations and destinations are slots,
 * numbered from 0, so that a sequence of calls can be written down and played again. A slot is made
 * when it is first named.
 */
interface KvSubject extends AutoCloseable {
  /** Answer of an operation for which there is no room. */
  long REFUSED = -1;

  /**
   * How to make one.
   *
   * @param sink mode of the sink at the start
   * @param events is given the events that a healthy sink receives
   * @param trace is given the cache-state trace; may be null
   */
  record Config(
      long totalTokens,
      int pageSize,
      int dpRank,
      SinkMode sink,
      Consumer<TwinEvent> events,
      Consumer<TraceRecord> trace) {}

  /** What becomes of an event. */
  enum SinkMode {
    ABSENT,
    HEALTHY,
    NO_ROOM,
    THROWS_ON_CLAIM,
    THROWS_ON_COMMIT
  }

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
      long sinkRefusals,
      long sinkFailures,
      long unbalancedUnlocks) {}

  /** A lease as it can be seen from outside. */
  record LeaseState(
      boolean active, long tokenCount, long cachedTokens, long lastIndex, List<Long> indices) {}

  /** A destination as it can be seen from outside. */
  record DestinationState(
      long prefixLen, long transferableTokens, long allocatedTokens, List<Long> indices) {}

  /** A node of the tree, in an order that depends on the content alone. */
  record TreeNode(int depth, List<Long> keys, List<Integer> pages, int locks, long stamp) {}

  /**
   * Everything inside that has to be the same in two managers.
   *
   * @param tree nodes in preorder, children by their first key
   * @param recycled free pages in list order
   * @param nextFresh lowest page that was never used
   * @param published hash of each announced page
   */
  record Snapshot(
      List<TreeNode> tree,
      List<Integer> recycled,
      int nextFresh,
      SortedMap<Integer, Long> published) {}

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

  /** Matches and locks what was matched, for {@code holder} to unlock. */
  long lock(int holder, int[] tokens, int count);

  /** Takes back the lock of a holder that holds one. */
  void unlock(int holder);

  /** Matches and unlocks what was matched if it is not locked, which is a mistake to be counted. */
  void unlockUnlocked(int[] tokens, int count);

  /** Attaches, detaches or exchanges the sink. */
  void sink(SinkMode mode);

  Figures figures();

  LeaseState lease(int lease);

  /** Pages left in a reservation. */
  int reservationCount(int reservation);

  DestinationState destination(int destination);

  Snapshot snapshot();

  /** Fails with a reason unless everything inside fits together. */
  void checkInvariants();

  @Override
  void close();
}
