package io.kvroute.tools.conformance;

import io.kvroute.load.ActiveSequences;
import io.kvroute.load.Booking;
import io.kvroute.load.RankLoad;
import io.kvroute.load.SequenceResult;
import io.kvroute.load.TokenCounts;
import io.kvroute.load.WorkerRange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks the decay of prefill tokens against {@code golden-prefill.jsonl}, by the requests of one
 * rank. A case is an instant at which a tracker is looked at, the state behind an operation, or a
 * hint.
 */
public final class PrefillConformance implements GoldenChecker {
  private static final String KIND = "prefill";

  /** Makes a checker. */
  public PrefillConformance() {}

  @Override
  public boolean recognises(final Path file) throws IOException {
    return GoldenLines.areOf(KIND, file);
  }

  @Override
  public GoldenResult check(final Path file) throws IOException {
    final Tally tally = new Tally();
    GoldenLines.forEach(
        file,
        line -> {
          if (line.at("kind").text().equals("hint")) {
            checkHint(line, tally);
          } else {
            try (Replay replay = new Replay(line, tally)) {
              replay.run();
            }
          }
        });
    return tally.result(KIND);
  }

  private static void checkHint(final JsonTree line, final Tally tally) {
    final long isl = line.at("isl_tokens").u64();
    final long given = line.at("effective_or_cached").u64();
    String hint;
    try {
      TokenCounts.cachedPrefix(isl, given);
      hint = Long.toUnsignedString(given);
    } catch (final IllegalArgumentException refused) {
      hint = "null";
    }
    tally.compare(
        "hint " + line,
        line.at("effective_prefill_tokens_with_this_cached").text()
            + ' '
            + line.at("hint_tokens").line(),
        Long.toUnsignedString(TokenCounts.effectivePrefill(isl, given)) + ' ' + hint);
  }

  private static final class Replay implements AutoCloseable {
    private final JsonTree line;
    private final Tally tally;
    private final ActiveSequences sequences =
        ActiveSequences.builder().requestCapacity(1024).rankCapacity(1).blockCapacity(1).build();
    private final Booking booking = new Booking();
    private final RankLoad load = new RankLoad();

    private Replay(final JsonTree line, final Tally tally) {
      this.line = line;
      this.tally = tally;
      sequences.register(new WorkerRange(0, 0, 1), 0);
    }

    @Override
    public void close() {
      sequences.close();
    }

    private void run() {
      final List<JsonTree> operations = line.at("ops").elements();
      for (int i = 0; i < operations.size(); i++) {
        final JsonTree operation = operations.get(i);
        final String place =
            "\"" + line.at("note") + "\" seed " + line.at("seed") + " operation " + i;
        apply(operation, place);
        compareState(operation, place);
        for (final JsonTree seen : operation.at("active").elements()) {
          final long instant = seen.elements().get(0).i64();
          sequences.rankLoad(0, 0, instant, load);
          final String remaining =
              load.remainingPrefillMs() < 0 ? "null" : String.valueOf(load.remainingPrefillMs());
          tally.compare(
              place,
              seen.line(),
              "[" + instant + ", " + load.activePrefillTokens() + ", " + remaining + "]");
        }
      }
    }

    private void apply(final JsonTree operation, final String place) {
      final long now = operation.at("t_ns").i64();
      switch (operation.at("op").text()) {
        case "at" -> {}
        case "insert" -> {
          final long tokens = operation.at("tokens").u64();
          booking.reset().request(operation.at("id").text());
          if (operation.at("expected_ns").isNull()) {
            booking.prefill(tokens);
          } else {
            booking.prefill(tokens, operation.at("expected_ns").i64());
          }
          tally.compare(place, SequenceResult.OK.name(), sequences.add(booking, now).name());
        }
        case "complete" ->
            tally.compare(
                place,
                operation.at("known").line(),
                String.valueOf(
                    sequences.free(operation.at("id").text(), now) == SequenceResult.OK));
        default ->
            throw new IllegalArgumentException("operation is not known: " + operation.at("op"));
      }
    }

    private void compareState(final JsonTree operation, final String place) {
      sequences.rankLoad(0, 0, operation.at("t_ns").i64(), load);
      final String anchor =
          load.hasAnchor() ? load.anchorKey() + ", " + load.anchorSinceNs() : "null";
      final JsonTree expected = operation.at("anchor");
      tally.compare(
          place,
          operation.at("sum_tokens").text()
              + ' '
              + operation.at("unmodelled").text()
              + ' '
              + operation.at("total_modelled_ms").line()
              + ' '
              + (expected.isNull()
                  ? "null"
                  : Booking.keyOf(expected.elements().get(0).text())
                      + ", "
                      + expected.elements().get(1).text()),
          load.prefillTokens()
              + " "
              + load.unmodelledPrefills()
              + ' '
              + (load.unmodelledPrefills() > 0 ? "null" : load.modelledPrefillMs())
              + ' '
              + anchor);
    }
  }
}
