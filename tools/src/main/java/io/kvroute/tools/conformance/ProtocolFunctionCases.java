package io.kvroute.tools.conformance;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.BlockHashOptions;
import io.kvroute.hash.BlockHashes;
import io.kvroute.hash.RequestExtraInfo;
import io.kvroute.protocol.BlockRange;
import io.kvroute.protocol.ExternalSequenceBlockHash;
import io.kvroute.protocol.OverlapScores;
import io.kvroute.protocol.PlacementEvent;
import io.kvroute.protocol.RouterEvent;
import io.kvroute.protocol.RouterRequest;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.SharedCacheHits;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import io.kvroute.protocol.json.ProtocolJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * Results of the original's functions. Every result is compared as a text in the form that the file
 * has it in. Where the original panics, ours must answer as documented: with an error, or with the
 * nearest number that fits.
 */
final class ProtocolFunctionCases {
  static final String PANIC = "what panics is an error or saturates";
  static final String ULPS = "exp and tanh may differ by 2 units in the last place";

  private static final long MAX_ULPS = 2;
  private static final String ERROR = "error";
  private static final String NOTHING = "null";

  private final Tally tally;
  private final Map<String, Function<JsonTree, String>> functions = new HashMap<>();

  ProtocolFunctionCases(final Tally tally) {
    this.tally = tally;
    addConstraints();
    addPlaces();
    addShared();
    addHashes();
  }

  private void addConstraints() {
    functions.put(
        "RoutingConstraints::preferred_taint_matches",
        in -> String.valueOf(constraints(in).preferredTaintMatches(texts(in.at("worker")))));
    functions.put(
        "RoutingConstraints::is_compatible_with_worker_taints",
        in -> String.valueOf(constraints(in).isCompatibleWithWorkerTaints(texts(in.at("worker")))));
    functions.put("RoutingConstraints::is_empty", in -> String.valueOf(constraints(in).isEmpty()));
    functions.put(
        "RoutingConstraints::has_hard_constraints",
        in -> String.valueOf(constraints(in).hasHardConstraints()));
    functions.put(
        "WorkerWithDpRank::cmp",
        in -> String.valueOf(sign(worker(in.at("a")).compareTo(worker(in.at("b"))))));
    functions.put(
        "LocalBlockHash::cmp",
        in -> String.valueOf(sign(Long.compareUnsigned(in.at("a").u64(), in.at("b").u64()))));
    functions.put(
        "ExternalSequenceBlockHash::from_i64",
        in ->
            Long.toUnsignedString(
                ExternalSequenceBlockHash.fromSigned(Long.parseLong(in.at("value").text()))));
    functions.put("OverlapScores::update_scores", ProtocolFunctionCases::updatedScores);
  }

  private void addPlaces() {
    functions.put(
        "StorageTier::from_kv_medium",
        in -> tierName(StorageTier.fromKvMedium(in.at("medium").textOrNull())));
    functions.put(
        "StorageTier::from_kv_medium_or_default",
        in -> tierName(StorageTier.fromKvMediumOrDefault(in.at("medium").textOrNull())));
    functions.put(
        "StorageTier::to_kv_medium", in -> String.valueOf(tier(in.at("tier")).toKvMedium()));
    functions.put("StorageTier::is_gpu", in -> String.valueOf(tier(in.at("tier")).isGpu()));
    functions.put(
        "Placement::is_local_gpu",
        in -> String.valueOf(ProtocolJson.PLACEMENT.read(in.at("placement").text()).isLocalGpu()));
    functions.put(
        "PlacementEvent::into_router_event",
        in -> {
          final RouterEvent event =
              ProtocolJson.PLACEMENT_EVENT.read(in.at("placement_event").text()).intoRouterEvent();
          return event == null ? NOTHING : ProtocolJson.ROUTER_EVENT.write(event);
        });
    functions.put(
        "PlacementEvent::local_gpu",
        in ->
            ProtocolJson.PLACEMENT_EVENT.write(
                PlacementEvent.localGpu(
                    in.at("worker_id").u64(),
                    ProtocolJson.KV_CACHE_EVENT.read(in.at("event").text()))));
    functions.put(
        "RouterEvent::new",
        in ->
            ProtocolJson.ROUTER_EVENT.write(
                new RouterEvent(
                    in.at("worker_id").u64(),
                    ProtocolJson.KV_CACHE_EVENT.read(in.at("event").text()))));
  }

  private void addShared() {
    functions.put(
        "SharedCacheHits::from_hits",
        in -> {
          final String flags = in.at("hits").text();
          final boolean[] hits = new boolean[flags.length()];
          for (int i = 0; i < hits.length; i++) {
            hits[i] = flags.charAt(i) == '1';
          }
          return hitsText(SharedCacheHits.fromHits(hits));
        });
    functions.put(
        "SharedCacheHits::from_ranges",
        in -> hitsText(SharedCacheHits.fromRanges(ranges(in.at("ranges")))));
    functions.put(
        "SharedCacheHits::hits_beyond",
        in ->
            Integer.toUnsignedString(
                new SharedCacheHits(ranges(in.at("ranges")), 0)
                    .hitsBeyond(in.at("from_position").u32())));
    functions.put(
        "RequestExtraInfo::to_block_level",
        in -> {
          final RequestExtraInfo request =
              ProtocolJson.REQUEST_EXTRA_INFO.read(in.at("request").text());
          return blocksText(
              request.toBlockLevel(in.at("block_size").u64(), in.at("total_tokens").u64()));
        });
  }

  private void addHashes() {
    functions.put(
        "pad_value_for_mm_hash",
        in -> Integer.toUnsignedString(BlockHashes.padValueForMmHash(in.at("mm_hash").u64())));
    functions.put("compute_block_hash_for_seq", in -> hashesText(blockHashes(in)));
    functions.put(
        "compute_block_hash_for_seq then compute_seq_hash_for_block",
        in -> hashesText(BlockHashes.computeSeqHashForBlock(blockHashes(in))));
    functions.put(
        "compute_seq_hash_for_block",
        in ->
            hashesText(
                BlockHashes.computeSeqHashForBlock(
                    in.at("block_hashes").elements().stream().mapToLong(JsonTree::u64).toArray())));
    functions.put(
        "compute_next_seq_hash",
        in ->
            Long.toUnsignedString(
                BlockHashes.computeNextSeqHash(
                    in.at("parent_seq_hash").u64(), in.at("current_block_hash").u64())));
    functions.put(
        "compute_block_hash",
        in ->
            Long.toUnsignedString(
                BlockHashes.computeBlockHash(HexFormat.of().parseHex(in.at("data_hex").text()))));
  }

  void check(final JsonTree each) {
    final String name = each.at("function").text();
    final String what = name + " \"" + each.at("name").text() + '"';
    if (name.equals("RoutingConstraints::preferred_taint_multiplier")) {
      checkMultiplier(what, each);
      return;
    }
    final Function<JsonTree, String> function = functions.get(name);
    if (function == null) {
      throw new IllegalArgumentException("function is not known: name=" + name);
    }
    if (each.has("panics")) {
      checkPanic(what, name, each, function);
    } else {
      tally.compare(what, text(each.at("output")), answer(function, each.at("input")));
    }
  }

  /** The answer, or that it is an error. */
  private static String answer(final Function<JsonTree, String> function, final JsonTree input) {
    try {
      return function.apply(input);
    } catch (final IllegalArgumentException e) {
      return ERROR;
    }
  }

  private void checkPanic(
      final String what,
      final String name,
      final JsonTree each,
      final Function<JsonTree, String> function) {
    final String expected = documented(name, each.at("input"));
    final String found = answer(function, each.at("input"));
    if (found.equals(expected)) {
      tally.byDecision(PANIC);
    } else {
      tally.disagree(what + ": documented=" + expected + " found=" + found);
    }
  }

  /** What the documentation of ours says where the original panics. */
  private static String documented(final String name, final JsonTree input) {
    return switch (name) {
      case "SharedCacheHits::from_ranges" -> ERROR;
      case "SharedCacheHits::hits_beyond" -> saturatedHits(input);
      case "RequestExtraInfo::to_block_level" -> input.at("block_size").u64() == 0 ? ERROR : "[]";
      case "OverlapScores::update_scores" -> saturatedScores(input);
      default -> "nothing is documented";
    };
  }

  private static String saturatedHits(final JsonTree input) {
    final long from = input.at("from_position").u64();
    long hits = 0;
    for (final JsonTree range : input.at("ranges").elements()) {
      final long start = Math.max(from, range.elements().get(0).u64());
      hits += Math.max(0, range.elements().get(1).u64() - start);
    }
    return Long.toString(Math.min(hits, 0xFFFF_FFFFL));
  }

  private static String saturatedScores(final JsonTree input) {
    final List<JsonTree> score = input.at("scores").elements().get(0).elements();
    return scoresText(List.of("[" + score.get(0) + ", " + score.get(1) + ", 4294967295]"));
  }

  private void checkMultiplier(final String what, final JsonTree each) {
    final JsonTree input = each.at("input");
    final OptionalDouble found =
        constraints(input).preferredTaintMultiplier(texts(input.at("worker")));
    final JsonTree output = each.at("output");
    if (output.isNull() || found.isEmpty()) {
      tally.compare(what, String.valueOf(output.isNull()), String.valueOf(found.isEmpty()));
      return;
    }
    final long expected = Long.parseUnsignedLong(output.at("bits").text(), 16);
    final long ulps = Math.abs(expected - Double.doubleToRawLongBits(found.getAsDouble()));
    final boolean bothNaN =
        Double.isNaN(Double.longBitsToDouble(expected)) && Double.isNaN(found.getAsDouble());
    if (ulps == 0 || bothNaN) {
      tally.agree();
    } else if (ulps <= MAX_ULPS) {
      tally.byDecision(ULPS);
    } else {
      tally.disagree(what + ": expected=" + output + " found=" + found.getAsDouble());
    }
  }

  /** A golden result as text: objects and lists in the form that ours are given here. */
  private static String text(final JsonTree output) {
    final boolean isHashes = output.isObject() && output.has("hashes");
    return (isHashes ? output.at("hashes") : output).line();
  }

  private static RoutingConstraints constraints(final JsonTree input) {
    final Map<String, Float> weights = new HashMap<>();
    for (final JsonTree each : input.at("preferred").elements()) {
      weights.put(
          each.at("taint").text(),
          Float.intBitsToFloat(Integer.parseUnsignedInt(each.at("bits").text(), 16)));
    }
    return new RoutingConstraints(texts(input.at("required")), weights);
  }

  private static Set<String> texts(final JsonTree list) {
    final Set<String> texts = new HashSet<>();
    list.elements().forEach(each -> texts.add(each.text()));
    return texts;
  }

  private static int sign(final int comparison) {
    return Integer.signum(comparison);
  }

  private static WorkerWithDpRank worker(final JsonTree pair) {
    return new WorkerWithDpRank(pair.elements().get(0).u64(), pair.elements().get(1).u32());
  }

  private static StorageTier tier(final JsonTree name) {
    return ProtocolJson.STORAGE_TIER.read('"' + name.text() + '"');
  }

  private static String tierName(final StorageTier tier) {
    return tier == null ? NOTHING : ProtocolJson.STORAGE_TIER.write(tier).replace("\"", "");
  }

  private static List<BlockRange> ranges(final JsonTree list) {
    final List<BlockRange> ranges = new ArrayList<>();
    for (final JsonTree each : list.elements()) {
      ranges.add(new BlockRange(each.elements().get(0).u32(), each.elements().get(1).u32()));
    }
    return ranges;
  }

  private static String hitsText(final SharedCacheHits hits) {
    final List<String> ranges = new ArrayList<>();
    for (final BlockRange range : hits.ranges()) {
      ranges.add(
          "["
              + Integer.toUnsignedString(range.start())
              + ", "
              + Integer.toUnsignedString(range.end())
              + ']');
    }
    return "{ranges=" + ranges + ", total_hits=" + Integer.toUnsignedString(hits.totalHits()) + '}';
  }

  private static String updatedScores(final JsonTree input) {
    final Map<WorkerWithDpRank, Integer> before = new HashMap<>();
    for (final JsonTree each : input.at("scores").elements()) {
      before.put(worker(each), each.elements().get(2).u32());
    }
    final OverlapScores scores = new OverlapScores(before, UnsignedLongs.of());
    for (final JsonTree update : input.at("updates").elements()) {
      scores.updateScores(update.elements().stream().map(ProtocolFunctionCases::worker).toList());
    }
    final List<String> entries = new ArrayList<>();
    scores
        .scores()
        .forEach(
            (worker, score) ->
                entries.add(
                    "["
                        + Long.toUnsignedString(worker.workerId())
                        + ", "
                        + Integer.toUnsignedString(worker.dpRank())
                        + ", "
                        + Integer.toUnsignedString(score)
                        + ']'));
    return scoresText(entries);
  }

  private static String scoresText(final List<String> scores) {
    return "{frequencies=[], scores=" + scores + '}';
  }

  private static long[] blockHashes(final JsonTree input) {
    final int[] tokens = input.at("tokens").elements().stream().mapToInt(JsonTree::u32).toArray();
    final JsonTree eagle = input.at("is_eagle");
    final BlockHashOptions options =
        new BlockHashOptions(
            input.at("lora_name").textOrNull(),
            !eagle.isNull() && eagle.truth(),
            blocks(input.at("block_mm_infos")));
    return BlockHashes.computeBlockHashForSeq(tokens, input.at("kv_block_size").u64(), options);
  }

  /** A list of blocks is read as part of a request, which is where it comes from. */
  private static List<BlockExtraInfo> blocks(final JsonTree infos) {
    if (infos.isNull()) {
      return null;
    }
    final String request =
        "{\"method\":\"potential_loads\",\"tokens\":[],\"block_mm_infos\":" + infos.text() + '}';
    return ((RouterRequest.PotentialLoads) ProtocolJson.ROUTER_REQUEST.read(request))
        .blockMmInfos();
  }

  private static String blocksText(final List<BlockExtraInfo> blocks) {
    final List<String> texts = new ArrayList<>();
    for (final BlockExtraInfo block : blocks) {
      texts.add(block == null ? NOTHING : ProtocolJson.BLOCK_EXTRA_INFO.write(block));
    }
    return '[' + String.join(",", texts) + ']';
  }

  private static String hashesText(final long[] hashes) {
    return UnsignedLongs.of(hashes).toString();
  }
}
