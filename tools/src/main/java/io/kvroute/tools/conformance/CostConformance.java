package io.kvroute.tools.conformance;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.route.KvRouterConfig;
import io.kvroute.route.RandomSource;
import io.kvroute.route.RouterConfigOverride;
import io.kvroute.route.SoftmaxPicker;
import io.kvroute.route.TrackingHashes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Checks selection against {@code golden-cost.jsonl}: costs and who may serve, softmax, overrides,
 * and the hashes by which active requests are counted.
 */
public final class CostConformance implements GoldenChecker {
  private static final String KIND = "cost";
  private static final long SEED = 1;

  /** Makes a checker. */
  public CostConformance() {}

  @Override
  public boolean recognises(final Path file) throws IOException {
    return GoldenLines.areOf(KIND, file);
  }

  @Override
  public GoldenResult check(final Path file) throws IOException {
    final Tally tally = new Tally();
    GoldenLines.forEach(file, line -> check(line, tally));
    return tally.result(KIND);
  }

  private static void check(final JsonTree line, final Tally tally) {
    switch (line.at("kind").text()) {
      case "cost" -> new CostScenario(line).check(tally);
      case "softmax" -> checkSoftmax(line, tally);
      case "override" ->
          tally.compare(
              "override " + line.at("json").text(),
              expectedOverride(line),
              printed(override(JsonTree.parse(line.at("json").text()))));
      case "tracking_hashes" -> checkTracking(line, tally);
      default -> throw new IllegalArgumentException("kind is not known: " + line.at("kind"));
    }
  }

  // ------ softmax

  private static void checkSoftmax(final JsonTree line, final Tally tally) {
    final double[] logits = Bits.doubles(line.at("logits_bits"));
    final double[] expected = Bits.doubles(line.at("probabilities_bits"));
    final double temperature = Bits.of(line.at("temperature_bits"));
    final double[] found = new double[logits.length];
    SoftmaxPicker.probabilities(logits, logits.length, temperature, found);
    final String what = "softmax " + line.at("id") + " \"" + line.at("note").text() + '"';
    if (Double.isNaN(expected[0])) {
      // There the last row wins without being a number; here the lowest cost does.
      if (allGoToTheLowest(line, logits, temperature)) {
        tally.byDecision("what is not a number never wins");
      } else {
        tally.disagree(what + ": the lowest cost does not win");
      }
      return;
    }
    for (int i = 0; i < found.length; i++) {
      if (!Bits.near(expected[i], found[i])) {
        tally.disagree(what + " row " + i + ": expected=" + expected[i] + " found=" + found[i]);
        return;
      }
    }
    for (final JsonTree sample : line.at("samples").elements()) {
      final int row = pick(logits, temperature, Bits.of(sample.at("u_bits")));
      if (row != sample.at("index").u32()) {
        tally.disagree(what + " " + sample + ": found=" + row);
        return;
      }
    }
    tally.agree();
  }

  /** But for a draw of 0, which the first row takes, whatever its probability. */
  private static boolean allGoToTheLowest(
      final JsonTree line, final double[] logits, final double temperature) {
    final double lowest = Arrays.stream(logits).min().orElseThrow();
    return line.at("samples").elements().stream()
        .mapToDouble(sample -> Bits.of(sample.at("u_bits")))
        .allMatch(u -> u == 0.0 || logits[pick(logits, temperature, u)] == lowest);
  }

  private static int pick(final double[] logits, final double temperature, final double drawn) {
    final RandomSource random =
        new RandomSource() {
          @Override
          public long nextLong() {
            throw new IllegalStateException("one number is drawn, and it is a double");
          }

          @Override
          public double nextDouble() {
            return drawn;
          }
        };
    return new SoftmaxPicker().pick(logits, logits.length, temperature, random);
  }

  // ------ overrides

  static RouterConfigOverride override(final JsonTree fields) {
    final RouterConfigOverride.Builder builder = RouterConfigOverride.builder();
    for (final String name : fields.names()) {
      final JsonTree field = fields.at(name);
      if (field.isNull()) {
        continue;
      }
      switch (name) {
        case "overlap_score_credit" -> builder.overlapScoreCredit(field.f64());
        case "prefill_load_scale" -> builder.prefillLoadScale(field.f64());
        case "router_temperature" -> builder.routerTemperature(field.f64());
        case "shared_cache_multiplier" -> builder.sharedCacheMultiplier(field.f64());
        case "assume_kv_reuse" -> builder.assumeKvReuse(field.truth());
        case "track_prefill_tokens" -> builder.trackPrefillTokens(field.truth());
        case "overlap_score_weight" -> builder.overlapScoreWeight(field.f64());
        default -> {
          // An override may have fields that this version does not know.
        }
      }
    }
    return builder.build();
  }

  private static String expectedOverride(final JsonTree line) {
    return List.of(
            number(line, "overlap_score_credit"),
            number(line, "prefill_load_scale"),
            number(line, "router_temperature"),
            number(line, "shared_cache_multiplier"),
            line.at("assume_kv_reuse").line(),
            line.at("track_prefill_tokens").line())
        .toString();
  }

  private static String number(final JsonTree line, final String name) {
    return line.at(name).isNull() ? "null" : Double.toString(line.at(name).f64());
  }

  private static String printed(final RouterConfigOverride override) {
    return List.of(
            Bits.text(override.overlapScoreCredit()),
            Bits.text(override.prefillLoadScale()),
            Bits.text(override.routerTemperature()),
            Bits.text(override.sharedCacheMultiplier()),
            String.valueOf(override.assumeKvReuse()),
            String.valueOf(override.trackPrefillTokens()))
        .toString();
  }

  // ------ hashes of active requests

  private static void checkTracking(final JsonTree line, final Tally tally) {
    final KvRouterConfig config =
        KvRouterConfig.builder()
            .routerTrackActiveBlocks(line.at("router_track_active_blocks").truth())
            .routerAssumeKvReuse(line.at("router_assume_kv_reuse").truth())
            .build();
    final JsonTree reuse = line.at("override_assume_kv_reuse");
    final RouterConfigOverride override =
        RouterConfigOverride.builder().assumeKvReuse(reuse.isNull() ? null : reuse.truth()).build();
    final int tokens = line.at("token_count").u32();
    final BlockHasher hasher = BlockHasher.of(line.at("block_size").u32());
    final int blocks = (int) hasher.blockCount(tokens);
    final long[] locals = localHashes(line, hasher, tokens, blocks);
    final long[] chain = new long[locals.length];
    SequenceHash.chain(locals, 0, locals.length, false, 0, chain, 0);
    final long[] out = new long[Math.max(blocks, locals.length)];
    final int count =
        TrackingHashes.fill(
            config, override, RandomSource.seeded(SEED), blocks, chain, chain.length, out);
    final String found = count == TrackingHashes.NONE ? "null" : Integer.toString(count);
    final boolean compareHashes = !line.at("hashes").isNull();
    tally.compare(
        "tracking hashes " + line,
        line.at("count").line() + (compareHashes ? line.at("hashes").line() : ""),
        found + (compareHashes ? printed(out, count) : ""));
  }

  private static long[] localHashes(
      final JsonTree line, final BlockHasher hasher, final int tokens, final int blocks) {
    final JsonTree given = line.at("precomputed_local_hashes");
    if (!given.isNull()) {
      return given.elements().stream().mapToLong(JsonTree::u64).toArray();
    }
    final long[] locals = new long[blocks];
    final TokenView view = TokenView.of(IntStream.rangeClosed(1, tokens).toArray());
    hasher.localHashes(view, 0, blocks, locals, 0);
    return locals;
  }

  private static String printed(final long[] hashes, final int count) {
    return Arrays.stream(hashes, 0, count).mapToObj(Long::toUnsignedString).toList().toString();
  }
}
