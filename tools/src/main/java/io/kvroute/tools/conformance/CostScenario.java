package io.kvroute.tools.conformance;

import io.kvroute.load.LoadProjections;
import io.kvroute.protocol.BlockRange;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.SharedCacheHits;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.route.CandidateCost;
import io.kvroute.route.Explanation;
import io.kvroute.route.KvRouterConfig;
import io.kvroute.route.OverlapReport;
import io.kvroute.route.OverlapSignals;
import io.kvroute.route.OverloadThresholds;
import io.kvroute.route.RandomSource;
import io.kvroute.route.RouterConfigOverride;
import io.kvroute.route.Selection;
import io.kvroute.route.SelectionRequest;
import io.kvroute.route.WorkerRegistry;
import io.kvroute.route.WorkerSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** One scenario of {@code golden-cost.jsonl}: workers, loads, overlaps and a request. */
final class CostScenario {
  private static final String CAPPED = "cached tokens capped at the prompt's length";
  private static final String[] TIERS = {"device", "host_pinned", "disk"};

  private final JsonTree line;
  private final JsonTree expected;
  private final long blockSize;
  private final KvRouterConfig config;
  private final WorkerRegistry registry;
  private final OverlapSignals overlaps = new OverlapSignals();
  private final LoadProjections loads = new LoadProjections();
  private final SelectionRequest request = new SelectionRequest();
  private final List<String> faults = new ArrayList<>();
  private boolean capped;

  CostScenario(final JsonTree line) {
    this.line = line;
    expected = line.at("expect");
    blockSize = line.at("block_size").u64();
    config = config(line);
    registry = new WorkerRegistry(blockSize);
    register();
    readLoads();
    readOverlaps();
    readRequest();
  }

  // ------ the scenario

  private static KvRouterConfig config(final JsonTree line) {
    final JsonTree fields = line.at("config");
    return KvRouterConfig.builder()
        .diskCacheHitWeight(fields.at("disk_cache_hit_weight").f64())
        .hostCacheHitWeight(fields.at("host_cache_hit_weight").f64())
        .overlapScoreCredit(fields.at("overlap_score_credit").f64())
        .overlapScoreCreditDecay(fields.at("overlap_score_credit_decay").f64())
        .prefillLoadScale(fields.at("prefill_load_scale").f64())
        .routerTemperature(fields.at("router_temperature").f64())
        .sharedCacheMultiplier(fields.at("shared_cache_multiplier").f64())
        .routerTrackPrefillTokens(line.at("track_prefill_tokens").truth())
        .build();
  }

  private record Worker(int dataParallelStartRank, int dataParallelSize, Set<String> taints)
      implements WorkerConfig {
    @Override
    public OptionalLong maxNumBatchedTokens() {
      return OptionalLong.empty();
    }

    @Override
    public OptionalLong totalKvBlocks() {
      return OptionalLong.empty();
    }
  }

  private void register() {
    final JsonTree workers = line.at("workers");
    for (final String name : workers.names()) {
      final JsonTree worker = workers.at(name);
      final Set<String> taints = texts(worker.at("taints"));
      registry.register(
          Long.parseUnsignedLong(name),
          new Worker(worker.at("dp_start").u32(), worker.at("dp_size").u32(), taints),
          blockSize);
    }
    registry
        .overload()
        .thresholds(
            new OverloadThresholds(
                OptionalDouble.empty(), OptionalLong.of(0), OptionalDouble.empty()));
    if (!line.at("overloaded").isNull()) {
      for (final JsonTree id : line.at("overloaded").elements()) {
        overload(id.u64());
      }
    }
  }

  private void overload(final long workerId) {
    for (int w = 0; w < registry.workerCount(); w++) {
      for (int r = 0; registry.workerId(w) == workerId && r < registry.ranks(w); r++) {
        registry.overload().observe(workerId, registry.startRank(w) + r, 0, 1);
      }
    }
  }

  private static Set<String> texts(final JsonTree array) {
    final Set<String> texts = new HashSet<>();
    array.elements().forEach(each -> texts.add(each.text()));
    return texts;
  }

  private static WorkerWithDpRank rank(final String text) {
    final int colon = text.indexOf(':');
    return new WorkerWithDpRank(
        Long.parseUnsignedLong(text.substring(0, colon)),
        Integer.parseUnsignedInt(text.substring(colon + 1)));
  }

  private static SortedMap<WorkerWithDpRank, JsonTree> byRank(final JsonTree object) {
    final SortedMap<WorkerWithDpRank, JsonTree> map = new TreeMap<>();
    object.names().forEach(name -> map.put(rank(name), object.at(name)));
    return map;
  }

  private void readLoads() {
    byRank(line.at("loads"))
        .forEach(
            (rank, load) -> {
              final List<JsonTree> fields = load.elements();
              loads.add(
                  rank.workerId(),
                  rank.dpRank(),
                  fields.get(0).u64(),
                  fields.get(1).u64(),
                  fields.get(2).u64(),
                  0);
            });
  }

  private void readOverlaps() {
    if (line.at("hits").isNull()) {
      readSignals(line.at("overlap"));
    } else {
      readHits(line.at("hits"));
    }
  }

  private void readHits(final JsonTree hits) {
    final Map<String, SortedMap<WorkerWithDpRank, JsonTree>> tiers = new HashMap<>();
    final SortedSet<WorkerWithDpRank> ranks = new TreeSet<>();
    for (final String tier : hits.names()) {
      tiers.put(tier, byRank(hits.at(tier)));
      ranks.addAll(tiers.get(tier).keySet());
    }
    for (final WorkerWithDpRank rank : ranks) {
      overlaps.addWeighted(
          rank.workerId(),
          rank.dpRank(),
          number(tiers.get("device"), rank),
          number(tiers.get("host_pinned"), rank),
          number(tiers.get("disk"), rank) + number(tiers.get("external"), rank),
          config,
          blockSize);
    }
  }

  private void readSignals(final JsonTree signals) {
    final Map<String, SortedMap<WorkerWithDpRank, JsonTree>> maps = new HashMap<>();
    final SortedSet<WorkerWithDpRank> ranks = new TreeSet<>();
    for (final String name : signals.names()) {
      maps.put(name, byRank(signals.at(name)));
      ranks.addAll(maps.get(name).keySet());
    }
    boolean tiered = false;
    for (final String tier : TIERS) {
      tiered |= !maps.get(tier).isEmpty();
    }
    for (final WorkerWithDpRank rank : ranks) {
      final double effective = number(maps.get("effective_blocks"), rank);
      final long cached = (long) number(maps.get("cached_tokens"), rank);
      if (tiered) {
        overlaps.add(
            rank.workerId(),
            rank.dpRank(),
            number(maps.get(TIERS[0]), rank),
            number(maps.get(TIERS[1]), rank),
            number(maps.get(TIERS[2]), rank),
            effective,
            cached);
      } else {
        overlaps.addUntiered(rank.workerId(), rank.dpRank(), effective, cached);
      }
    }
  }

  private static double number(
      final SortedMap<WorkerWithDpRank, JsonTree> map, final WorkerWithDpRank rank) {
    return map.containsKey(rank) ? map.get(rank).f64() : 0.0;
  }

  private void readRequest() {
    request.promptTokens(line.at("isl_tokens").u64());
    final Map<String, Float> preferred = new HashMap<>();
    final JsonTree weights = line.at("preferred_taints");
    weights.names().forEach(taint -> preferred.put(taint, (float) weights.at(taint).f64()));
    request.constraints(new RoutingConstraints(texts(line.at("required_taints")), preferred));
    if (!line.at("allowed").isNull()) {
      request.allowOnly(line.at("allowed").elements().stream().mapToLong(JsonTree::u64).toArray());
    }
    if (!line.at("pinned").isNull()) {
      final WorkerWithDpRank pinned = rank(line.at("pinned").text());
      request.pin(pinned.workerId(), pinned.dpRank());
    }
    if (!line.at("shared_ranges").isNull()) {
      final List<BlockRange> ranges = new ArrayList<>();
      for (final JsonTree range : line.at("shared_ranges").elements()) {
        ranges.add(new BlockRange(range.elements().get(0).u32(), range.elements().get(1).u32()));
      }
      request.sharedHits(SharedCacheHits.fromRanges(ranges));
    }
    final JsonTree override = line.at("override");
    request.override(
        override.isNull() ? RouterConfigOverride.NONE : CostConformance.override(override));
  }

  // ------ the comparison

  void check(final Tally tally) {
    final WorkerSelector selector =
        new WorkerSelector(registry, config, RandomSource.seeded(line.at("id").u64()));
    final Explanation explanation = selector.explain(request, overlaps, loads);
    final Selection selection = new Selection();
    final boolean selected = selector.select(request, overlaps, loads, selection);
    if (expected.at("error").isNull()) {
      compareRanks(explanation);
      require(selected, "nothing was selected: " + selection.error());
      compareSelection(selection);
    } else {
      compareError(explanation);
      require(
          !selected && selection.error() == explanation.error(),
          "selection and explanation differ: " + selection.error());
    }
    compareReport();
    if (!faults.isEmpty()) {
      tally.disagree("cost " + line.at("id") + " \"" + line.at("note").text() + "\": " + faults);
    } else if (capped) {
      tally.byDecision(CAPPED);
    } else {
      tally.agree();
    }
  }

  private void require(final boolean holds, final String fault) {
    if (!holds) {
      faults.add(fault);
    }
  }

  private void same(final String what, final JsonTree expectedBits, final double found) {
    final double value = Bits.of(expectedBits);
    require(Bits.same(value, found), what + ": expected=" + value + " found=" + found);
  }

  private void near(final String what, final JsonTree expectedBits, final double found) {
    final double value = Bits.of(expectedBits);
    require(Bits.near(value, found), what + ": expected=" + value + " found=" + found);
  }

  private void compareError(final Explanation explanation) {
    final JsonTree error = expected.at("error");
    if (explanation.error() == null) {
      faults.add("no error: expected=" + error);
      return;
    }
    final StringBuilder name = new StringBuilder();
    for (final String word : explanation.error().name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
    }
    final String worker =
        explanation.error().namesWorker() ? Long.toUnsignedString(explanation.workerId()) : "null";
    final String found =
        name
            + " "
            + worker
            + " "
            + explanation.error().isOverload()
            + " "
            + explanation.error().message(explanation.workerId());
    final String wanted =
        error.at("kind").text()
            + " "
            + error.at("worker_id").line()
            + " "
            + error.at("is_overload").truth()
            + " "
            + error.at("message").text();
    require(found.equals(wanted), "error: expected=" + wanted + " found=" + found);
  }

  private void compareRanks(final Explanation explanation) {
    final SortedMap<WorkerWithDpRank, JsonTree> ranks = byRank(expected.at("ranks"));
    final List<WorkerWithDpRank> found =
        explanation.candidates().stream().map(CandidateCost::worker).toList();
    require(found.equals(List.copyOf(ranks.keySet())), "candidates: found=" + found);
    for (final CandidateCost each : explanation.candidates()) {
      if (ranks.containsKey(each.worker())) {
        compareRank(each, ranks.get(each.worker()));
      }
    }
    final List<WorkerWithDpRank> lowest =
        explanation.lowest().stream().map(CandidateCost::worker).toList();
    final List<WorkerWithDpRank> min =
        expected.at("min").elements().stream().map(each -> rank(each.text())).sorted().toList();
    require(lowest.equals(min), "lowest: expected=" + min + " found=" + lowest);
  }

  private void compareRank(final CandidateCost found, final JsonTree rank) {
    final String what = found.worker().toString();
    same(what + " logit", rank.at("logit_bits"), found.logit());
    final JsonTree multiplier = rank.at("multiplier_bits");
    if (multiplier.isNull() || found.taintMultiplier().isEmpty()) {
      require(multiplier.isNull() && found.taintMultiplier().isEmpty(), what + " multiplier");
      same(what + " score", rank.at("score_bits"), found.score());
    } else {
      near(what + " multiplier", multiplier, found.taintMultiplier().getAsDouble());
      near(what + " score", rank.at("score_bits"), found.score());
    }
    same(what + " overlap", rank.at("effective_overlap_bits"), found.effectiveOverlapBlocks());
    final long cached = rank.at("cached_tokens").u64();
    require(found.uncappedCachedTokens() == cached, what + " cached: found=" + found);
    capped |= found.cachedTokens() != cached;
    require(
        found.cachedTokens() == Math.min(cached, request.promptTokens()),
        what + " capped: found=" + found.cachedTokens());
  }

  private void compareSelection(final Selection selection) {
    final WorkerWithDpRank worker = new WorkerWithDpRank(selection.workerId(), selection.dpRank());
    final double temperature =
        request.override().routerTemperature().orElse(config.routerTemperature());
    final SortedSet<WorkerWithDpRank> possible =
        temperature > 0.0 ? new TreeSet<>(byRank(expected.at("ranks")).keySet()) : new TreeSet<>();
    expected.at("min").elements().forEach(each -> possible.add(rank(each.text())));
    require(possible.contains(worker), "selected: possible=" + possible + " found=" + worker);
    require(
        selection.requiredBlocks() == expected.at("required_blocks").u64(),
        "required blocks: found=" + selection.requiredBlocks());
  }

  private void compareReport() {
    final JsonTree report = expected.at("overlap_report");
    if (report.isNull()) {
      return;
    }
    final OverlapReport found = OverlapReport.of(registry, config, request, overlaps);
    final JsonTree shared = report.at("shared_cache");
    final SharedCacheHits hits = request.sharedHits();
    require(
        found.numBlocks() == report.at("num_blocks").u64()
            && found.blockSize() == report.at("block_size").u64()
            && shared.at("enabled").truth() == (found.sharedHits() != null)
            && shared.at("total_hit_blocks").u32() == (hits == null ? 0 : hits.totalHits()),
        "report: found=" + found);
    final List<JsonTree> rows = report.at("workers").elements();
    if (rows.size() != found.workers().size()) {
      faults.add("report: expected=" + rows + " found=" + found.workers());
      return;
    }
    for (int i = 0; i < rows.size(); i++) {
      compareRow(rows.get(i), found.workers().get(i));
    }
  }

  private void compareRow(final JsonTree row, final OverlapReport.Row found) {
    final JsonTree beyond = row.at("shared_beyond_device_blocks");
    require(
        row.at("worker_id").u64() == found.workerId()
            && row.at("dp_rank").u32() == found.dpRank()
            && row.at("device_blocks").u64() == found.deviceBlocks()
            && row.at("host_pinned_blocks").u64() == found.hostPinnedBlocks()
            && row.at("disk_blocks").u64() == found.diskBlocks()
            && row.at("host_pinned_extension_blocks").u64() == found.hostPinnedExtensionBlocks()
            && row.at("disk_extension_blocks").u64() == found.diskExtensionBlocks()
            && (beyond.isNull() ? 0 : beyond.u64()) == found.sharedBeyondDeviceBlocks(),
        "report: expected=" + row + " found=" + found);
    same("report " + found, row.at("router_credit_blocks_bits"), found.routerCreditBlocks());
  }
}
