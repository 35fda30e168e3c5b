package io.kvroute.load;

import io.kvroute.memory.CapacityExceededException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Which workers are registered with which ranks. A rank that was made known by a request alone
 * belongs to no registered worker, or lies beside its range.
 */
final class Topology {
  private final Bookings bookings;
  private final RankLoads ranks;
  private Map<Long, WorkerRange> ranges = new HashMap<>();

  Topology(final Bookings bookings) {
    this.bookings = bookings;
    ranks = bookings.ranks;
  }

  int size() {
    return ranges.size();
  }

  void register(final WorkerRange range, final long nowNs) {
    if (ranges.containsKey(range.workerId())) {
      throw duplicate(range);
    }
    upsert(range, nowNs);
  }

  private static TopologyException duplicate(final WorkerRange range) {
    return new TopologyException(
        TopologyException.Kind.DUPLICATE_WORKER,
        range.workerId(),
        " dpStart=" + range.start() + " dpSize=" + range.size());
  }

  void upsert(final WorkerRange range, final long nowNs) {
    range.check();
    requireRoom(ranks.used() - ranksOf(range.workerId()) + range.size());
    for (int order = ranks.used() - 1; order >= 0; order--) {
      final int rank = ranks.sorted(order);
      if (ranks.workerId(rank) == range.workerId() && !range.contains(ranks.dpRank(rank))) {
        bookings.removeRank(rank, nowNs);
      }
    }
    add(range, nowNs);
    ranges.put(range.workerId(), range);
  }

  private int ranksOf(final long workerId) {
    int count = 0;
    for (int order = 0; order < ranks.used(); order++) {
      count += ranks.workerId(ranks.sorted(order)) == workerId ? 1 : 0;
    }
    return count;
  }

  private void requireRoom(final long wanted) {
    if (wanted > ranks.capacity()) {
      throw new CapacityExceededException(
          "no room for ranks: wanted=" + wanted + " rankCapacity=" + ranks.capacity());
    }
  }

  private void add(final WorkerRange range, final long nowNs) {
    final int end = (int) (range.start() + range.size());
    for (int dpRank = range.dpStart(); dpRank != end; dpRank++) {
      if (ranks.find(range.workerId(), dpRank) == RankLoads.NONE) {
        ranks.add(range.workerId(), dpRank, nowNs);
      }
    }
  }

  void unregister(final long workerId, final long nowNs) {
    if (ranges.remove(workerId) == null) {
      throw new TopologyException(TopologyException.Kind.WORKER_NOT_FOUND, workerId, "");
    }
    for (int order = ranks.used() - 1; order >= 0; order--) {
      final int rank = ranks.sorted(order);
      if (ranks.workerId(rank) == workerId) {
        bookings.removeRank(rank, nowNs);
      }
    }
  }

  void reconcile(final Collection<WorkerRange> wanted, final long nowNs) {
    final Map<Long, WorkerRange> next = new HashMap<>();
    long size = 0;
    for (final WorkerRange range : wanted) {
      range.check();
      if (next.put(range.workerId(), range) != null) {
        throw duplicate(range);
      }
      size += range.size();
    }
    requireRoom(size);
    for (int order = ranks.used() - 1; order >= 0; order--) {
      final int rank = ranks.sorted(order);
      final WorkerRange range = next.get(ranks.workerId(rank));
      if (range == null || !range.contains(ranks.dpRank(rank))) {
        bookings.removeRank(rank, nowNs);
      }
    }
    for (final WorkerRange range : wanted) {
      add(range, nowNs);
    }
    ranges = next;
  }
}
