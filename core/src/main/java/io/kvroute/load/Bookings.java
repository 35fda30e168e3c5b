package io.kvroute.load;

import io.kvroute.memory.Arena;

/** The active requests of all ranks with what they hold: their prefills and their blocks. */
final class Bookings {
  private static final int NONE = Requests.NONE;

  final RankLoads ranks;
  final Requests requests;
  final Prefills prefills;
  final PathTree tree;

  private final LoadCounters counters;

  Bookings(final ActiveSequencesBuilder builder, final Arena arena, final LoadCounters counters) {
    ranks = new RankLoads(arena, builder.rankCapacity());
    requests = new Requests(arena, builder.requestCapacity(), ranks);
    tree = new PathTree(builder, arena, ranks);
    prefills = new Prefills(ranks, requests);
    this.counters = counters;
  }

  static long length(final ActiveSequencesBuilder builder) {
    return RankLoads.length(builder.rankCapacity())
        + Requests.length(builder.requestCapacity())
        + PathTree.length(builder);
  }

  void free(final Arena arena) {
    ranks.free(arena);
    requests.free(arena);
    tree.free(arena);
  }

  /**
   * What there is too little of to add a request.
   *
   * @param rank slot of its rank, or -1 for one that is not known yet; there is room for that
   */
  SequenceResult room(final int rank, final Booking booking) {
    final SequenceResult inTree =
        tree.plan(rank, booking.hashes(), booking.index(), booking.count());
    return requests.isFull() ? SequenceResult.REQUESTS_FULL : inTree;
  }

  /** Adds a request that there was room for just now. */
  void add(final int rank, final Booking booking, final long origin, final long nowNs) {
    final int request = requests.add(rank, booking, origin, nowNs);
    requests.edge(request, tree.insert(rank, booking.hashes(), booking.index(), booking.count()));
    if (booking.tracksPrefill() && booking.prefillTokens() != 0) {
      prefills.begin(request, booking.prefillTokens(), booking.expectedPrefillNs(), nowNs);
    }
  }

  /** A request is over. */
  void end(final int request, final long nowNs) {
    final int rank = requests.rank(request);
    prefills.complete(request, nowNs);
    tree.release(rank, requests.edge(request));
    final int weighted = requests.weightedOutputs(request);
    ranks.addBlocks(rank, -requests.outputs(request));
    ranks.addWeights(rank, -weighted, requests.outputWeight(request));
    requests.remove(request);
  }

  /** A request has a further block of output; false if it has 2^31-1 of them. */
  boolean addOutput(final int request) {
    final int outputs = requests.outputs(request);
    if (outputs == Integer.MAX_VALUE) {
      return false;
    }
    requests.outputs(request, outputs + 1);
    ranks.addBlocks(requests.rank(request), 1);
    return true;
  }

  /** The blocks that a request has for itself get a weight. */
  void weigh(final int request, final long weight) {
    final int rank = requests.rank(request);
    tree.weigh(rank, requests.edge(request), weight);
    ranks.addWeights(rank, -requests.weightedOutputs(request), requests.outputWeight(request));
    requests.weighOutputs(request, weight);
    ranks.addWeights(rank, requests.outputs(request), weight);
  }

  /** Ends the requests of a rank that are too old, unless that was looked for lately. */
  boolean expire(final int rank, final long nowNs) {
    if (nowNs - ranks.gate(rank) < ActiveSequences.EXPIRY_GATE_NS) {
      return false;
    }
    ranks.gate(rank, nowNs);
    boolean any = false;
    int request = ranks.first(rank);
    while (request != NONE && nowNs - requests.started(request) > ActiveSequences.EXPIRY_NS) {
      end(request, nowNs);
      counters.countExpired();
      any = true;
      request = ranks.first(rank);
    }
    return any;
  }

  /** Ends the requests of a rank that a router has added. */
  boolean endOrigin(final int rank, final long origin, final long nowNs) {
    boolean any = false;
    int request = ranks.first(rank);
    while (request != NONE) {
      final int next = requests.next(request);
      if (requests.origin(request) == origin) {
        end(request, nowNs);
        counters.countEndedWithReplica();
        any = true;
      }
      request = next;
    }
    return any;
  }

  /** Forgets a rank and all its requests. */
  void removeRank(final int rank, final long nowNs) {
    int request = ranks.first(rank);
    while (request != NONE) {
      end(request, nowNs);
      counters.countEndedWithRank();
      request = ranks.first(rank);
    }
    ranks.remove(rank);
  }

  /** What all ranks are busy with, and what a prompt would add. */
  void project(
      final long[] hashes,
      final int index,
      final int count,
      final long nowNs,
      final LoadProjections out) {
    final int used = ranks.used();
    out.begin(used);
    for (int order = 0; order < used; order++) {
      final int rank = ranks.sorted(order);
      out.put(
          ranks.workerId(rank),
          ranks.dpRank(rank),
          prefills.activeTokens(rank, nowNs),
          ranks.activeBlocks(rank),
          count,
          ranks.requests(rank));
    }
    tree.overlap(hashes, index, count, out);
  }
}
