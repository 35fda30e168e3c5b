package io.kvroute.tools.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Workers and their load, written for clarity: what a scheduler line needs of a router around the
 * queue. Ranks are named "worker:rank" and compared as numbers.
 */
final class SchedulerModel {
  /** A rank, in unsigned order. */
  record Rank(long workerId, int dpRank) implements Comparable<Rank> {
    static Rank of(final String name) {
      final int colon = name.indexOf(':');
      return new Rank(
          Long.parseUnsignedLong(name.substring(0, colon)),
          Integer.parseUnsignedInt(name.substring(colon + 1)));
    }

    @Override
    public int compareTo(final Rank other) {
      final int byWorker = Long.compareUnsigned(workerId, other.workerId);
      return byWorker != 0 ? byWorker : Integer.compareUnsigned(dpRank, other.dpRank);
    }

    @Override
    public String toString() {
      return Long.toUnsignedString(workerId) + ':' + Integer.toUnsignedString(dpRank);
    }
  }

  /** A worker's configuration. */
  record Worker(int start, int size, long maxBatchedTokens, Set<String> taints) {
    boolean has(final int dpRank) {
      return Integer.compareUnsigned(dpRank, start) >= 0
          && Integer.compareUnsigned(dpRank - start, size) < 0;
    }
  }

  /** A prefill that is under way. */
  private record Prefill(String id, long tokens, Long expectedNs) {}

  /** What is booked on a rank. */
  private static final class Load {
    private final Map<String, List<Long>> blocks = new HashMap<>();
    private final Map<Long, Integer> references = new HashMap<>();
    private final List<Prefill> prefills = new ArrayList<>();
    private long anchoredSince;

    private boolean allModelled() {
      return prefills.stream().allMatch(each -> each.expectedNs != null);
    }

    private long activeTokens(final long now) {
      if (prefills.isEmpty()) {
        return 0;
      }
      final long sum = prefills.stream().mapToLong(Prefill::tokens).sum();
      final Prefill anchor = prefills.get(0);
      final long elapsed = Math.max(0, now - anchoredSince);
      if (allModelled()) {
        final long done =
            anchor.expectedNs == 0
                ? anchor.tokens
                : Math.multiplyHigh(anchor.tokens, elapsed) == 0
                    ? anchor.tokens * elapsed / anchor.expectedNs
                    : sum;
        return Math.max(0, sum - done);
      }
      if (anchor.expectedNs == null) {
        return sum;
      }
      final double left =
          anchor.expectedNs == 0
              ? 0
              : Math.max(0, Math.min(1, 1 - (elapsed / 1e9) / (anchor.expectedNs / 1e9)));
      return sum - anchor.tokens + (long) Math.ceil(anchor.tokens * left);
    }

    private String modelledMs(final long now) {
      if (prefills.isEmpty()) {
        return "0";
      }
      if (!allModelled()) {
        return "null";
      }
      final long sum = prefills.stream().mapToLong(each -> each.expectedNs / 1_000_000).sum();
      return String.valueOf(Math.max(0, sum - Math.max(0, now - anchoredSince) / 1_000_000));
    }

    private void complete(final String id, final long now) {
      for (int i = 0; i < prefills.size(); i++) {
        if (prefills.get(i).id.equals(id)) {
          final Prefill done = prefills.remove(i);
          if (i == 0) {
            anchoredSince = now;
          } else if (done.expectedNs != null) {
            anchoredSince = Math.min(now, anchoredSince + done.expectedNs);
          }
          return;
        }
      }
    }

    private int depth(final List<Long> hashes) {
      int depth = 0;
      while (depth < hashes.size() && references.containsKey(hashes.get(depth))) {
        depth++;
      }
      return depth;
    }
  }

  private final TreeMap<Rank, Load> loads = new TreeMap<>();
  private final Map<Long, Worker> workers = new TreeMap<>(Long::compareUnsigned);
  private final Map<String, Rank> bookings = new HashMap<>();
  private Set<Long> overloaded = Set.of();

  void add(final long workerId, final Worker worker) {
    workers.put(workerId, worker);
    for (int i = 0; i < worker.size; i++) {
      loads.put(new Rank(workerId, worker.start + i), new Load());
    }
  }

  void overload(final Set<Long> workerIds) {
    overloaded = workerIds;
  }

  boolean isOverloaded(final long workerId) {
    return overloaded.contains(workerId);
  }

  /** A worker, or null. */
  Worker worker(final long workerId) {
    return workers.get(workerId);
  }

  /** The ranks of workers that are allowed (null: all) and have all taints. */
  List<Rank> eligible(final Set<Long> allowed, final Set<String> taints) {
    final List<Rank> ranks = new ArrayList<>();
    workers.forEach(
        (id, worker) -> {
          if ((allowed == null || allowed.contains(id)) && worker.taints.containsAll(taints)) {
            for (int i = 0; i < worker.size; i++) {
              ranks.add(new Rank(id, worker.start + i));
            }
          }
        });
    return ranks;
  }

  long activeTokens(final Rank rank, final long now) {
    final Load load = loads.get(rank);
    return load == null ? 0 : load.activeTokens(now);
  }

  /** Unique blocks that the rank would have with a prompt. */
  long potentialBlocks(final Rank rank, final List<Long> hashes) {
    final Load load = loads.get(rank);
    return load == null
        ? hashes.size()
        : load.references.size() + hashes.size() - load.depth(hashes);
  }

  /** Books a request; false if there is one of that name. */
  boolean book(
      final String id,
      final Rank rank,
      final List<Long> hashes,
      final long prefillTokens,
      final Long expectedNs,
      final long now) {
    if (bookings.putIfAbsent(id, rank) != null) {
      return false;
    }
    final Load load = loads.computeIfAbsent(rank, each -> new Load());
    load.blocks.put(id, hashes);
    hashes.forEach(hash -> load.references.merge(hash, 1, Integer::sum));
    if (prefillTokens > 0) {
      if (load.prefills.isEmpty()) {
        load.anchoredSince = now;
      }
      load.prefills.add(new Prefill(id, prefillTokens, expectedNs));
    }
    return true;
  }

  boolean complete(final String id, final long now) {
    final Rank rank = bookings.get(id);
    if (rank != null) {
      loads.get(rank).complete(id, now);
    }
    return rank != null;
  }

  void free(final String id, final long now) {
    final Rank rank = bookings.remove(id);
    if (rank != null) {
      final Load load = loads.get(rank);
      load.complete(id, now);
      load.blocks
          .remove(id)
          .forEach(hash -> load.references.computeIfPresent(hash, (h, n) -> n == 1 ? null : n - 1));
    }
  }

  /** All ranks with [blocks, tokens, requests, modelled ms]. */
  String line(final long now) {
    final Map<String, String> lines = new TreeMap<>();
    loads.forEach(
        (rank, load) ->
            lines.put(
                rank.toString(),
                "["
                    + load.references.size()
                    + ", "
                    + load.activeTokens(now)
                    + ", "
                    + load.blocks.size()
                    + ", "
                    + load.modelledMs(now)
                    + "]"));
    return lines.toString();
  }
}
