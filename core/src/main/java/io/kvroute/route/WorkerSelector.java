package io.kvroute.route;

import io.kvroute.load.LoadProjections;
import io.kvroute.protocol.RankOrder;
import io.kvroute.protocol.UnsignedMath;
import io.kvroute.route.queue.BusyCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Chooses the rank that a request goes to: of those that may serve it, the one of the lowest cost.
 *
 * <p>An unpinned request may go to every rank of every worker that it allows, that is not
 * overloaded and that has all taints which it requires. The registered ranks, their overlaps and
 * their loads are three lists in the same order, and are walked side by side. Cost is linear in the
 * number of ranks; nothing is allocated once there have been as many.
 *
 * <p>Not thread-safe: belongs to the thread of its {@link WorkerRegistry}.
 */
public final class WorkerSelector {
  private final WorkerRegistry registry;
  private final KvRouterConfig config;
  private final RandomSource random;
  private final CostFunction costFunction;
  private final CostPicker picker;
  private final Candidate candidate = new Candidate();

  // The candidates of the selection under way, by their order.
  private int count;
  private int[] ranks = new int[0];
  private int[] loadAt = new int[0];
  private int[] overlapAt = new int[0];
  private double[] costs = new double[0];

  /**
   * Makes a selector with the router's own cost and picker.
   *
   * @param registry whose workers are selected
   * @param config weights and temperature
   * @param random decides ties and draws
   */
  public WorkerSelector(
      final WorkerRegistry registry, final KvRouterConfig config, final RandomSource random) {
    this(registry, config, random, KvCost.INSTANCE, new SoftmaxPicker());
  }

  /**
   * Makes a selector with a cost and a picker of the embedder's.
   *
   * @param registry whose workers are selected
   * @param config weights and temperature
   * @param random decides ties and draws
   * @param costFunction what a rank costs
   * @param picker which cost wins
   */
  public WorkerSelector(
      final WorkerRegistry registry,
      final KvRouterConfig config,
      final RandomSource random,
      final CostFunction costFunction,
      final CostPicker picker) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.config = Objects.requireNonNull(config, "config");
    this.random = Objects.requireNonNull(random, "random");
    this.costFunction = Objects.requireNonNull(costFunction, "costFunction");
    this.picker = Objects.requireNonNull(picker, "picker");
  }

  /** The cost that a selector has if no other is given. */
  public static CostFunction kvCost() {
    return KvCost.INSTANCE;
  }

  /** Whose workers are selected. */
  public WorkerRegistry registry() {
    return registry;
  }

  /** Weights and temperature. */
  public KvRouterConfig config() {
    return config;
  }

  /**
   * Selects a rank.
   *
   * @param request what is asked for
   * @param overlaps what ranks have cached of its prompt
   * @param loads what ranks are busy with
   * @param out takes the result, or why there is none
   * @return true if a rank was selected
   */
  public boolean select(
      final SelectionRequest request,
      final OverlapSignals overlaps,
      final LoadProjections loads,
      final Selection out) {
    final KvSchedulerError error = collect(request, overlaps, loads);
    if (error != null) {
      out.fail(error, request.isPinned() && error.namesWorker() ? request.pinnedWorkerId() : 0);
      return false;
    }
    candidate.ofRequest(request, config, registry, overlaps, loads);
    candidate.minActivePrefillTokens(leastPrefill(loads));
    double best = 0.0;
    for (int i = 0; i < count; i++) {
      view(i);
      costs[i] = costFunction.cost(candidate);
      final double overlap = candidate.effectiveOverlapBlocks();
      best = overlap > best ? overlap : best;
    }
    final double temperature = request.override().routerTemperatureOr(config.routerTemperature());
    final int picked = picker.pick(costs, count, temperature, random);
    if (picked < 0 || picked >= count) {
      out.fail(KvSchedulerError.NO_ENDPOINTS, 0);
    } else {
      view(picked);
      out.select(candidate, costs[picked], best);
    }
    candidate.release();
    return out.isSelected();
  }

  /**
   * Tells what every candidate would cost, term by term, without choosing. The terms are those of
   * the router's own cost; the score is that of the cost function in force. Allocates.
   *
   * @param request what is asked for
   * @param overlaps what ranks have cached of its prompt
   * @param loads what ranks are busy with
   */
  public Explanation explain(
      final SelectionRequest request, final OverlapSignals overlaps, final LoadProjections loads) {
    final KvSchedulerError error = collect(request, overlaps, loads);
    if (error != null) {
      return new Explanation(error, error.namesWorker() ? request.pinnedWorkerId() : 0, List.of());
    }
    candidate.ofRequest(request, config, registry, overlaps, loads);
    candidate.minActivePrefillTokens(leastPrefill(loads));
    final List<CandidateCost> terms = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      view(i);
      terms.add(CandidateCost.of(candidate, costFunction.cost(candidate)));
    }
    candidate.release();
    return new Explanation(null, 0, terms);
  }

  /**
   * Shows a check the ranks that a request may go to, overloaded or not, until it has seen enough:
   * of a pinned request its rank only, and none if that is not valid.
   */
  void showEligible(
      final SelectionRequest request, final LoadProjections loads, final BusyCheck check) {
    if (request.isPinned()) {
      final int at = pinnedWorker(request);
      if (at >= 0) {
        show(at, loads, loads.indexOf(request.pinnedWorkerId(), request.pinnedDpRank()), check);
      }
      return;
    }
    final boolean choosy = request.isChoosy();
    int load = 0;
    boolean more = true;
    for (int rank = 0; more && rank < registry.rankCount(); rank++) {
      if (!choosy || mayServe(request, rank)) {
        load = seek(loads, load, rank);
        more = show(registry.rankWorker(rank), loads, isAt(loads, load, rank) ? load : -1, check);
      }
    }
  }

  private boolean show(
      final int worker, final LoadProjections loads, final int load, final BusyCheck check) {
    final long prefill = load < 0 ? 0 : loads.activePrefillTokens(load);
    return check.rank(prefill, registry.maxNumBatchedTokens(worker));
  }

  private void view(final int i) {
    candidate.ofRank(ranks[i], loadAt[i], overlapAt[i]);
  }

  private double leastPrefill(final LoadProjections loads) {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      final int load = loadAt[i];
      final double prefill =
          load < 0 ? 0.0 : UnsignedMath.toDouble(loads.activePrefillTokens(load));
      least = prefill < least ? prefill : least;
    }
    return least;
  }

  // ------ candidates

  private KvSchedulerError collect(
      final SelectionRequest request, final OverlapSignals overlaps, final LoadProjections loads) {
    count = 0;
    if (request.promptTokens() <= 0) {
      return KvSchedulerError.INVALID_REQUEST;
    }
    if (costs.length < registry.rankCount()) {
      grow(registry.rankCount());
    }
    return request.isPinned()
        ? collectPinned(request, overlaps, loads)
        : collectAll(request, overlaps, loads);
  }

  private KvSchedulerError collectPinned(
      final SelectionRequest request, final OverlapSignals overlaps, final LoadProjections loads) {
    final long workerId = request.pinnedWorkerId();
    if (!request.allows(workerId)) {
      return KvSchedulerError.PINNED_WORKER_NOT_ALLOWED;
    }
    final int at = pinnedWorker(request);
    if (at < 0) {
      return KvSchedulerError.NO_ENDPOINTS;
    }
    if (registry.isOverloaded(at)) {
      return KvSchedulerError.PINNED_WORKER_OVERLOADED;
    }
    final int dpRank = request.pinnedDpRank();
    add(
        registry.firstRank(at) + dpRank - registry.startRank(at),
        loads.indexOf(workerId, dpRank),
        overlaps.indexOf(workerId, dpRank));
    return null;
  }

  /** Place of the worker of a pinned rank, or -1 if that rank cannot serve the request. */
  private int pinnedWorker(final SelectionRequest request) {
    final int at = registry.find(request.pinnedWorkerId());
    return at >= 0 && registry.worker(at).hasRank(request.pinnedDpRank()) && isFit(request, at)
        ? at
        : -1;
  }

  private KvSchedulerError collectAll(
      final SelectionRequest request, final OverlapSignals overlaps, final LoadProjections loads) {
    final int rankCount = registry.rankCount();
    final boolean choosy = request.isChoosy();
    boolean overloaded = false;
    int load = 0;
    int overlap = 0;
    for (int rank = 0; rank < rankCount; rank++) {
      if (choosy && !mayServe(request, rank)) {
        continue;
      }
      if (registry.isOverloaded(registry.rankWorker(rank))) {
        overloaded = true;
        continue;
      }
      load = seek(loads, load, rank);
      final boolean hasLoad = isAt(loads, load, rank);
      overlap = seek(overlaps, overlap, rank);
      final boolean hasOverlap = isAt(overlaps, overlap, rank);
      add(rank, hasLoad ? load++ : -1, hasOverlap ? overlap++ : -1);
    }
    if (count > 0) {
      return null;
    }
    return overloaded
        ? KvSchedulerError.ALL_ELIGIBLE_WORKERS_OVERLOADED
        : KvSchedulerError.NO_ENDPOINTS;
  }

  private boolean mayServe(final SelectionRequest request, final int rank) {
    return request.allows(registry.rankWorkerId(rank)) && isFit(request, registry.rankWorker(rank));
  }

  private boolean isFit(final SelectionRequest request, final int worker) {
    return request.constraints().isCompatibleWithWorkerTaints(registry.worker(worker).taints);
  }

  private void add(final int rank, final int load, final int overlap) {
    ranks[count] = rank;
    loadAt[count] = load;
    overlapAt[count] = overlap;
    count++;
  }

  /** Goes on to the first entry that is not before a rank; most often it is there already. */
  private int seek(final LoadProjections loads, final int from, final int rank) {
    int i = from;
    while (!isAt(loads, i, rank)
        && i < loads.count()
        && isBefore(loads.workerId(i), loads.dpRank(i), rank)) {
      i++;
    }
    return i;
  }

  private int seek(final OverlapSignals overlaps, final int from, final int rank) {
    int i = from;
    while (!isAt(overlaps, i, rank)
        && i < overlaps.count()
        && isBefore(overlaps.workerId(i), overlaps.dpRank(i), rank)) {
      i++;
    }
    return i;
  }

  private boolean isBefore(final long workerId, final int dpRank, final int rank) {
    return RankOrder.compare(
            workerId, dpRank, registry.rankWorkerId(rank), registry.rankDpRank(rank))
        < 0;
  }

  private boolean isAt(final LoadProjections loads, final int i, final int rank) {
    return i < loads.count()
        && loads.workerId(i) == registry.rankWorkerId(rank)
        && loads.dpRank(i) == registry.rankDpRank(rank);
  }

  private boolean isAt(final OverlapSignals overlaps, final int i, final int rank) {
    return i < overlaps.count()
        && overlaps.workerId(i) == registry.rankWorkerId(rank)
        && overlaps.dpRank(i) == registry.rankDpRank(rank);
  }

  private void grow(final int rankCount) {
    ranks = new int[rankCount];
    loadAt = new int[rankCount];
    overlapAt = new int[rankCount];
    costs = new double[rankCount];
  }
}
