package io.kvroute.tools.conformance;

import io.kvroute.protocol.QueueRejection;
import io.kvroute.route.queue.BusyCheck;
import io.kvroute.route.queue.QueueClass;
import io.kvroute.route.queue.QueueHost;
import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.route.queue.QueuedRequest;
import io.kvroute.route.queue.SchedulerQueue;
import io.kvroute.tools.conformance.SchedulerModel.Rank;
import io.kvroute.tools.conformance.SchedulerModel.Worker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One line of operations on the scheduler. The router around it selects by the default cost at
 * temperature 0, ties to the smallest rank.
 */
final class SchedulerReplay implements QueueHost<SchedulerReplay.Request> {
  private static final String NO_ENDPOINTS = "NoEndpoints null";

  /** A request as the line describes it. */
  static final class Request extends QueuedRequest {
    private final JsonTree fields;
    private final String id;
    private final long islTokens;
    private final Rank pinned;
    private final Set<Long> allowed;
    private final Set<String> taints;
    private final List<Long> hashes;
    private final Map<Rank, Long> cached = new TreeMap<>();
    private boolean gone;
    private Rank selected;

    private Request(final JsonTree fields) {
      this.fields = fields;
      id = fields.at("request_id").text();
      islTokens = fields.at("isl_tokens").u64();
      pinned = fields.at("pinned").isNull() ? null : Rank.of(fields.at("pinned").text());
      allowed = fields.at("allowed").isNull() ? null : ids(fields.at("allowed"));
      taints = texts(fields.at("required_taints"));
      hashes =
          fields.at("hashes").isNull()
              ? List.of()
              : fields.at("hashes").elements().stream().map(JsonTree::u64).toList();
      final JsonTree tokens = fields.at("cached_tokens");
      for (final String rank : tokens.isNull() ? List.<String>of() : tokens.names()) {
        cached.put(Rank.of(rank), tokens.at(rank).u64());
      }
    }

    private long cachedOn(final Rank rank) {
      return cached.getOrDefault(rank, 0L);
    }
  }

  private final JsonTree line;
  private final Tally tally;
  private final SchedulerModel model = new SchedulerModel();
  private final SchedulerQueue<Request> queue;
  private final Map<String, Request> requests = new HashMap<>();
  private final List<String> selections = new ArrayList<>();
  private final List<String> responses = new ArrayList<>();
  private final long blockSize;
  private long discovered;
  private long nowNs;
  private boolean capped;

  SchedulerReplay(final JsonTree line, final Tally tally) {
    this.line = line;
    this.tally = tally;
    blockSize = line.at("block_size").u64();
    final JsonTree workers = line.at("workers");
    discovered = workers.names().size();
    for (final String id : workers.names()) {
      final JsonTree each = workers.at(id);
      final JsonTree batched = each.at("max_num_batched_tokens");
      model.add(
          Long.parseUnsignedLong(id),
          new Worker(
              each.at("dp_start").u32(),
              each.at("dp_size").u32(),
              batched.isNull() ? QueueClass.DEFAULT_MAX_NUM_BATCHED_TOKENS : batched.u64(),
              texts(each.at("taints"))));
    }
    final JsonTree yaml = line.at("policy_yaml");
    final QueuePolicy policy =
        yaml.isNull()
            ? QueuePolicyCases.policy(line.at("classes"))
            : QueuePolicyCases.read(yaml.text()).shared();
    queue =
        new SchedulerQueue<>(
            policy,
            this,
            SchedulerQueue.DEFAULT_CAPACITY,
            SchedulerQueue.DEFAULT_OVERLAP_REFRESH_AFTER_NS,
            false,
            0);
  }

  private static Set<Long> ids(final JsonTree list) {
    return list.isNull()
        ? Set.of()
        : list.elements().stream().map(JsonTree::u64).collect(Collectors.toSet());
  }

  private static Set<String> texts(final JsonTree list) {
    return list.isNull()
        ? Set.of()
        : list.elements().stream().map(JsonTree::text).collect(Collectors.toSet());
  }

  void run() {
    final List<JsonTree> operations = line.at("ops").elements();
    for (int i = 0; i < operations.size(); i++) {
      final JsonTree operation = operations.get(i);
      selections.clear();
      responses.clear();
      capped = false;
      final String known = apply(operation);
      final String what =
          "scheduler \"" + line.at("note") + "\" seed " + line.at("seed") + " operation " + i;
      final String expected = expected(operation);
      final String found = known + selections + responses + state();
      if (capped && expected.equals(found)) {
        tally.byDecision(QueueConformance.CAPPED);
      } else {
        tally.compare(what, expected, found);
      }
    }
    checkShutdown();
  }

  /** The end of a line is no case of its own; it can only disagree. */
  private void checkShutdown() {
    responses.clear();
    queue.shutDown();
    final Set<String> expected = new TreeSet<>();
    for (final JsonTree each : line.at("after_shutdown").elements()) {
      expected.add(response(each));
    }
    final Set<String> found = new TreeSet<>(responses);
    if (!expected.equals(found)) {
      tally.disagree(
          "scheduler \""
              + line.at("note")
              + "\" seed "
              + line.at("seed")
              + " at its shutdown:"
              + " expected="
              + expected
              + " found="
              + found);
    }
  }

  // ------ what the line says

  private String expected(final JsonTree operation) {
    final List<String> answers = new ArrayList<>();
    for (final JsonTree each : operation.at("responses").elements()) {
      answers.add(response(each));
    }
    final StringBuilder text = new StringBuilder();
    text.append(operation.has("known") ? operation.at("known").line() : "");
    text.append(operation.at("selection_order").line()).append(answers);
    text.append(operation.at("pending_count")).append(' ');
    text.append(operation.at("pending_isl_tokens")).append(' ');
    text.append(operation.at("class_pending").line()).append(' ');
    return text.append(operation.at("load").line()).toString();
  }

  /** An answer; its cached tokens as ours has them. */
  private String response(final JsonTree each) {
    final String id = each.elements().get(0).text();
    final JsonTree answer = each.elements().get(1);
    if (answer.has("rank")) {
      final long cached = answer.at("cached_tokens").u64();
      final long islTokens = requests.get(id).islTokens;
      capped |= cached > islTokens;
      return answer(id, answer.at("rank").text(), Math.min(cached, islTokens));
    }
    final JsonTree error = answer.has("error") ? answer.at("error") : answer;
    final String kind = error.at("kind").text();
    if (kind.equals("QueueRejected")) {
      return id
          + ' '
          + kind
          + ' '
          + error.at("policy_class").text()
          + ' '
          + error.at("limit_kind").text()
          + ' '
          + error.at("current").text()
          + ' '
          + error.at("limit").text();
    }
    return id + ' ' + kind + ' ' + error.at("worker_id");
  }

  private static String answer(final String id, final String rank, final long cached) {
    return id + ' ' + rank + ' ' + cached;
  }

  // ------ what ours does

  private String apply(final JsonTree operation) {
    nowNs = operation.at("t_ns").i64();
    String known = "";
    switch (operation.at("op").text()) {
      case "enqueue" -> {
        final Request request = new Request(operation);
        requests.put(request.id, request);
        queue.submit(request, nowNs);
      }
      case "mark_prefill_completed+update" -> {
        known = String.valueOf(model.complete(operation.at("request_id").text(), nowNs));
        queue.drain(nowNs);
      }
      case "free+update" -> {
        model.free(operation.at("request_id").text(), nowNs);
        queue.drain(nowNs);
      }
      case "update" -> queue.drain(nowNs);
      case "advance" -> {}
      case "set_overloaded" -> model.overload(ids(operation.at("worker_ids")));
      case "caller_gone" -> requests.get(operation.at("request_id").text()).gone = true;
      case "set_discovered_workers" -> discovered = operation.at("workers").names().size();
      default ->
          throw new IllegalArgumentException("operation is not known: " + operation.at("op"));
    }
    return known;
  }

  private String state() {
    final StringJoiner classes = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < queue.policy().classCount(); i++) {
      classes.add(
          "["
              + queue.pendingCount(i)
              + ", "
              + Long.toUnsignedString(queue.pendingIslTokens(i))
              + ", "
              + Long.toUnsignedString(queue.pendingCachedTokens(i))
              + "]");
    }
    return queue.pendingCount()
        + " "
        + Long.toUnsignedString(queue.pendingIslTokens())
        + ' '
        + classes
        + ' '
        + model.line(nowNs);
  }

  private boolean fail(final Request request, final String error) {
    if (!request.gone) {
      responses.add(request.id + ' ' + error);
    }
    return false;
  }

  // ------ the router

  @Override
  public boolean admit(final Request request) {
    final Rank pinned = request.pinned;
    return pinned == null
        || request.allowed == null
        || request.allowed.contains(pinned.workerId())
        || fail(request, "PinnedWorkerNotAllowed " + Long.toUnsignedString(pinned.workerId()));
  }

  @Override
  public long discoveredWorkers() {
    return discovered;
  }

  @Override
  public long islTokens(final Request request) {
    return request.islTokens;
  }

  @Override
  public long bestCachedTokens(final Request request) {
    if (request.pinned != null) {
      return request.cachedOn(request.pinned);
    }
    final Set<Long> allowed = new HashSet<>();
    model.eligible(request.allowed, request.taints).forEach(rank -> allowed.add(rank.workerId()));
    return request.cached.entrySet().stream()
        .filter(each -> allowed.contains(each.getKey().workerId()))
        .mapToLong(Map.Entry::getValue)
        .max()
        .orElse(0);
  }

  @Override
  public String policyClass(final Request request) {
    return request.fields.at("policy_class").textOrNull();
  }

  @Override
  public double priorityJump(final Request request) {
    return request.fields.at("priority_jump").f64();
  }

  @Override
  public int strictPriority(final Request request) {
    return request.fields.at("strict_priority").u32();
  }

  @Override
  public boolean isQueryOnly(final Request request) {
    return request.fields.at("mode").text().equals("query_only");
  }

  /** The ranks that a request may go to, overloaded or not. */
  private List<Rank> eligible(final Request request) {
    if (request.pinned == null) {
      return model.eligible(request.allowed, request.taints);
    }
    final Worker worker = model.worker(request.pinned.workerId());
    return worker != null
            && worker.has(request.pinned.dpRank())
            && worker.taints().containsAll(request.taints)
        ? List.of(request.pinned)
        : List.of();
  }

  @Override
  public void visitEligibleRanks(final Request request, final long now, final BusyCheck check) {
    for (final Rank rank : eligible(request)) {
      if (!check.rank(
          model.activeTokens(rank, now), model.worker(rank.workerId()).maxBatchedTokens())) {
        return;
      }
    }
  }

  @Override
  public void refreshOverlap(final Request request, final long now) {
    // The overlap of a line's requests never changes.
  }

  @Override
  public boolean select(final Request request, final long now) {
    selections.add(request.id);
    final List<Rank> eligible = eligible(request);
    final List<Rank> open =
        eligible.stream().filter(rank -> !model.isOverloaded(rank.workerId())).toList();
    if (eligible.isEmpty()) {
      return fail(request, NO_ENDPOINTS);
    }
    if (open.isEmpty()) {
      return fail(
          request,
          request.pinned == null
              ? "AllEligibleWorkersOverloaded null"
              : "PinnedWorkerOverloaded " + Long.toUnsignedString(request.pinned.workerId()));
    }
    double lowest = Double.POSITIVE_INFINITY;
    for (final Rank rank : open) {
      final double cost = cost(request, rank, now);
      if (cost < lowest) {
        lowest = cost;
        request.selected = rank;
      }
    }
    return true;
  }

  private double cost(final Request request, final Rank rank, final long now) {
    final long cached = request.cachedOn(rank);
    final double raw =
        tracksPrefill(request)
            ? (model.activeTokens(rank, now) + Math.max(request.islTokens - cached, 0) + cached)
                / (double) blockSize
            : 0;
    final double credit = Math.floorDiv(cached, blockSize);
    return Math.max(raw - credit, 0) + model.potentialBlocks(rank, request.hashes);
  }

  private static boolean tracksPrefill(final Request request) {
    return request.fields.at("track_prefill_tokens").truth();
  }

  @Override
  public boolean isCallerGone(final Request request) {
    return request.gone;
  }

  @Override
  public boolean book(final Request request, final long now) {
    final long cached = Math.min(request.cachedOn(request.selected), request.islTokens);
    final long effective = tracksPrefill(request) ? request.islTokens - cached : 0;
    return model.book(
            request.id,
            request.selected,
            request.hashes,
            effective,
            expectedNs(effective, request.islTokens - effective),
            now)
        || fail(request, "BookingFailed null");
  }

  /** What the line's model expects a prefill to take; null if it has none, or it fails. */
  private Long expectedNs(final long effective, final long prefix) {
    final JsonTree estimator = line.at("estimator");
    if (estimator.isNull() || effective > estimator.at("fails_above_effective_tokens").u64()) {
      return null;
    }
    return effective * estimator.at("ns_per_effective_token").u64()
        + prefix * estimator.at("ns_per_prefix_token").u64();
  }

  @Override
  public boolean deliver(final Request request) {
    if (!request.gone) {
      final long cached = Math.min(request.cachedOn(request.selected), request.islTokens);
      responses.add(answer(request.id, request.selected.toString(), cached));
    }
    return !request.gone;
  }

  @Override
  public void free(final Request request, final long now) {
    model.free(request.id, now);
  }

  @Override
  public void reject(final Request request, final QueueRejection rejection) {
    fail(
        request,
        "QueueRejected "
            + rejection.policyClass()
            + ' '
            + rejection.limitKind().toString().toLowerCase(Locale.ROOT)
            + ' '
            + Long.toUnsignedString(rejection.current())
            + ' '
            + Long.toUnsignedString(rejection.limit()));
  }

  @Override
  public void shutDown(final Request request) {
    fail(request, "SubscriberShutdown null");
  }
}
