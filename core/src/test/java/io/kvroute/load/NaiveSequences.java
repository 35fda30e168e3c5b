package io.kvroute.load;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Active sequences as plainly as can be: maps of reference counts, lists, exact decimals. */
final class NaiveSequences {
  private static final long SECOND = 1_000_000_000L;

  /** A rank; ordered as unsigned. */
  record Rank(long worker, int dp) implements Comparable<Rank> {
    @Override
    public int compareTo(final Rank other) {
      final int byWorker = Long.compareUnsigned(worker, other.worker);
      return byWorker != 0 ? byWorker : Integer.compareUnsigned(dp, other.dp);
    }
  }

  /** What is added. */
  record Added(
      String id, Rank rank, List<Long> hashes, boolean track, long tokens, Long expectedNs) {}

  private static final class Request {
    final List<Object> blocks = new ArrayList<>();
    final long started;
    final long origin;

    Request(final Added added, final long started, final long origin) {
      this.started = started;
      this.origin = origin;
      if (added.hashes != null) {
        blocks.addAll(added.hashes);
      }
    }
  }

  private static final class Load {
    final Map<String, Request> requests = new LinkedHashMap<>();
    final Map<Object, Integer> counts = new HashMap<>();
    final Map<Object, BigDecimal> weights = new HashMap<>();
    final List<Added> prefills = new ArrayList<>();
    long since;
    long gate;

    long blocks() {
      BigDecimal sum = BigDecimal.valueOf(counts.size() - weights.size());
      for (final BigDecimal weight : weights.values()) {
        sum = sum.add(weight);
      }
      return Math.max(0, sum.setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    long tokens(final long now) {
      if (prefills.isEmpty()) {
        return 0;
      }
      final long sum = prefills.stream().mapToLong(Added::tokens).sum();
      final Added anchor = prefills.get(0);
      final long elapsed = Math.max(0, now - since);
      if (prefills.stream().allMatch(each -> each.expectedNs != null)) {
        final BigInteger done =
            anchor.expectedNs == 0
                ? BigInteger.valueOf(anchor.tokens)
                : BigInteger.valueOf(anchor.tokens)
                    .multiply(BigInteger.valueOf(elapsed))
                    .divide(BigInteger.valueOf(anchor.expectedNs));
        return BigInteger.valueOf(sum).subtract(done).max(BigInteger.ZERO).longValueExact();
      }
      if (anchor.expectedNs == null) {
        return sum;
      }
      final double left =
          anchor.expectedNs == 0 ? 0 : 1 - seconds(elapsed) / seconds(anchor.expectedNs);
      return sum - anchor.tokens + (long) Math.ceil(anchor.tokens * Math.max(0, Math.min(1, left)));
    }

    private static double seconds(final long ns) {
      final double whole = Math.floorDiv(ns, SECOND);
      return whole + Math.floorMod(ns, SECOND) / 1e9;
    }

    Long remainingMs(final long now) {
      if (prefills.stream().anyMatch(each -> each.expectedNs == null)) {
        return null;
      }
      final long sum = prefills.stream().mapToLong(each -> each.expectedNs / 1_000_000).sum();
      return prefills.isEmpty() ? 0 : Math.max(0, sum - Math.max(0, now - since) / 1_000_000);
    }

    boolean complete(final String id, final long now) {
      for (int i = 0; i < prefills.size(); i++) {
        final Added each = prefills.get(i);
        if (each.id.equals(id)) {
          prefills.remove(i);
          if (i == 0) {
            since = now;
          } else if (each.expectedNs != null) {
            since = Math.min(now, since + each.expectedNs);
          }
          return true;
        }
      }
      return false;
    }

    void end(final String id, final long now) {
      complete(id, now);
      for (final Object block : requests.remove(id).blocks) {
        if (counts.merge(block, -1, Integer::sum) == 0) {
          counts.remove(block);
          weights.remove(block);
        }
      }
    }
  }

  private final TreeMap<Rank, Load> loads = new TreeMap<>();
  private final Map<String, Rank> places = new HashMap<>();
  private final Map<Long, long[]> registered = new HashMap<>();
  private final Set<Long> departed = new HashSet<>();
  final List<String> published = new ArrayList<>();
  final List<String> told = new ArrayList<>();

  private void publish(final Rank rank, final long now) {
    final Load load = loads.get(rank);
    published.add(line(rank) + ' ' + load.blocks() + ' ' + load.tokens(now));
  }

  static String line(final Rank rank) {
    return Long.toUnsignedString(rank.worker) + ':' + Integer.toUnsignedString(rank.dp);
  }

  private Load register(final Rank rank, final long now) {
    return loads.computeIfAbsent(
        rank,
        each -> {
          final Load load = new Load();
          load.gate = now;
          return load;
        });
  }

  // ------ requests

  SequenceResult add(final Added added, final boolean lazily, final long now) {
    if (!loads.containsKey(added.rank) && !lazily) {
      return SequenceResult.WORKER_NOT_FOUND;
    }
    register(added.rank, now);
    if (places.containsKey(added.id)) {
      return SequenceResult.DUPLICATE_REQUEST;
    }
    book(added, 0, now);
    told.add("add " + added.id);
    return SequenceResult.OK;
  }

  private boolean book(final Added added, final long origin, final long now) {
    final Load load = register(added.rank, now);
    places.put(added.id, added.rank);
    final boolean fresh = !load.requests.containsKey(added.id);
    if (fresh) {
      expire(added.rank, now);
      final Request request = new Request(added, now, origin);
      load.requests.put(added.id, request);
      request.blocks.forEach(block -> load.counts.merge(block, 1, Integer::sum));
      if (added.track && added.tokens != 0) {
        if (load.prefills.isEmpty()) {
          load.since = now;
        }
        load.prefills.add(added);
      }
    }
    publish(added.rank, now);
    return fresh;
  }

  /** What a refused request leaves behind: its rank was looked through, if it was time to. */
  void refuse(final Added added, final long now) {
    if (loads.containsKey(added.rank)
        && !loads.get(added.rank).requests.containsKey(added.id)
        && expire(added.rank, now)) {
      publish(added.rank, now);
    }
  }

  private boolean expire(final Rank rank, final long now) {
    final Load load = loads.get(rank);
    if (now - load.gate < 30 * SECOND) {
      return false;
    }
    load.gate = now;
    final List<String> old = new ArrayList<>();
    load.requests.forEach(
        (id, request) -> {
          if (now - request.started > 300 * SECOND) {
            old.add(id);
          }
        });
    for (final String id : old) {
      load.end(id, now);
      places.remove(id, rank);
    }
    return !old.isEmpty();
  }

  SequenceResult mark(final String id, final long now) {
    final Rank rank = places.get(id);
    if (rank == null) {
      return SequenceResult.REQUEST_NOT_FOUND;
    }
    told.add("mark " + id);
    loads.get(rank).complete(id, now);
    publish(rank, now);
    return SequenceResult.OK;
  }

  SequenceResult free(final String id, final long now) {
    final Rank rank = places.remove(id);
    if (rank == null) {
      return SequenceResult.REQUEST_NOT_FOUND;
    }
    told.add("free " + id);
    loads.get(rank).end(id, now);
    publish(rank, now);
    return SequenceResult.OK;
  }

  SequenceResult addOutput(final String id, final Double fraction, final long now) {
    final Rank rank = places.get(id);
    if (rank == null) {
      return SequenceResult.REQUEST_NOT_FOUND;
    }
    final Load load = loads.get(rank);
    final Request request = load.requests.get(id);
    final Object block = new Object();
    request.blocks.add(block);
    load.counts.put(block, 1);
    if (fraction != null) {
      // Weights are kept in units of 2^-52.
      final BigDecimal weight =
          new BigDecimal(Math.rint(fraction * 0x1p52)).divide(BigDecimal.valueOf(1L << 52));
      for (final Object each : request.blocks) {
        if (load.counts.get(each) == 1) {
          load.weights.put(each, weight);
        }
      }
    }
    publish(rank, now);
    return SequenceResult.OK;
  }

  void sweep(final long now) {
    for (final Rank rank : loads.keySet()) {
      if (expire(rank, now)) {
        publish(rank, now);
      }
    }
  }

  // ------ workers

  TopologyException.Kind upsert(final WorkerRange range, final boolean fresh, final long now) {
    if (fresh && registered.containsKey(range.workerId())) {
      return TopologyException.Kind.DUPLICATE_WORKER;
    }
    final TopologyException.Kind wrong = wrong(range);
    if (wrong == null) {
      removeRanks(rank -> rank.worker == range.workerId() && !contains(range, rank));
      addRanks(range, now);
    }
    return wrong;
  }

  private static TopologyException.Kind wrong(final WorkerRange range) {
    final long end =
        Integer.toUnsignedLong(range.dpStart()) + Integer.toUnsignedLong(range.dpSize());
    if (range.dpSize() == 0) {
      return TopologyException.Kind.INVALID_DP_SIZE;
    }
    return end > 0xFFFF_FFFFL ? TopologyException.Kind.INVALID_DP_RANGE : null;
  }

  private static boolean contains(final WorkerRange range, final Rank rank) {
    return Integer.compareUnsigned(rank.dp - range.dpStart(), range.dpSize()) < 0;
  }

  private void addRanks(final WorkerRange range, final long now) {
    for (int i = 0; i < range.dpSize(); i++) {
      register(new Rank(range.workerId(), range.dpStart() + i), now);
    }
    registered.put(range.workerId(), new long[] {range.dpStart(), range.dpSize()});
  }

  private void removeRanks(final Predicate<Rank> which) {
    loads.keySet().removeIf(which);
    places.values().removeIf(which);
  }

  TopologyException.Kind unregister(final long worker) {
    if (registered.remove(worker) == null) {
      return TopologyException.Kind.WORKER_NOT_FOUND;
    }
    removeRanks(rank -> rank.worker == worker);
    return null;
  }

  TopologyException.Kind reconcile(final Collection<WorkerRange> ranges, final long now) {
    final Set<Long> workers = new HashSet<>();
    for (final WorkerRange range : ranges) {
      if (wrong(range) != null) {
        return wrong(range);
      }
      if (!workers.add(range.workerId())) {
        return TopologyException.Kind.DUPLICATE_WORKER;
      }
    }
    removeRanks(
        rank ->
            ranges.stream()
                .noneMatch(range -> range.workerId() == rank.worker && contains(range, rank)));
    registered.clear();
    ranges.forEach(range -> addRanks(range, now));
    return null;
  }

  // ------ replicas

  ReplicaOutcome replicaAdd(
      final Added added,
      final long router,
      final boolean old,
      final boolean lazily,
      final long now) {
    if (departed.contains(router)) {
      return ReplicaOutcome.DEPARTED;
    }
    if (old) {
      return ReplicaOutcome.OVER_AGE;
    }
    if (!loads.containsKey(added.rank) && !lazily) {
      return ReplicaOutcome.UNKNOWN_RANK;
    }
    return book(added, router, now) ? ReplicaOutcome.ADDED : ReplicaOutcome.DUPLICATE;
  }

  ReplicaOutcome replicaEnd(
      final String id, final boolean free, final long router, final long now) {
    if (departed.contains(router)) {
      return ReplicaOutcome.DEPARTED;
    }
    final Rank rank = places.get(id);
    if (rank == null) {
      return ReplicaOutcome.UNKNOWN_REQUEST;
    }
    if (free) {
      places.remove(id);
      loads.get(rank).end(id, now);
      publish(rank, now);
    } else {
      loads.get(rank).complete(id, now);
    }
    return ReplicaOutcome.RELIEVED;
  }

  void removeReplica(final long router, final long now) {
    departed.add(router);
    loads.forEach(
        (rank, load) -> {
          final List<String> theirs = new ArrayList<>();
          load.requests.forEach(
              (id, request) -> {
                if (request.origin == router) {
                  theirs.add(id);
                }
              });
          for (final String id : theirs) {
            load.end(id, now);
            places.remove(id, rank);
          }
          if (!theirs.isEmpty()) {
            publish(rank, now);
          }
        });
  }

  void admitReplica(final long router) {
    departed.remove(router);
  }

  // ------ asking

  /** A line per rank: blocks, tokens, requests, remaining ms, and blocks that a prompt adds. */
  List<String> lines(final List<Long> prompt, final long now) {
    final List<String> lines = new ArrayList<>();
    loads.forEach(
        (rank, load) -> {
          int depth = 0;
          while (depth < prompt.size() && load.counts.containsKey(prompt.get(depth))) {
            depth++;
          }
          lines.add(
              line(rank)
                  + (" " + load.blocks() + ' ' + load.tokens(now) + ' ' + load.requests.size())
                  + (" " + Objects.requireNonNullElse(load.remainingMs(now), -1L))
                  + (" " + (prompt.size() - depth)));
        });
    return lines;
  }

  Rank placeOf(final String id) {
    return places.get(id);
  }

  int rankCount() {
    return loads.size();
  }

  boolean knows(final Rank rank) {
    return loads.containsKey(rank);
  }

  boolean holds(final Rank rank, final String id) {
    return loads.containsKey(rank) && loads.get(rank).requests.containsKey(id);
  }

  int requestCount() {
    return loads.values().stream().mapToInt(load -> load.requests.size()).sum();
  }

  /** Distinct blocks of all prompts, of all ranks. */
  Set<Object> promptBlocks() {
    final Set<Object> blocks = new HashSet<>();
    for (final Load load : loads.values()) {
      load.counts.keySet().stream().filter(Long.class::isInstance).forEach(blocks::add);
    }
    return blocks;
  }
}
