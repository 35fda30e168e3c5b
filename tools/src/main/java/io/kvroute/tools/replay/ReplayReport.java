package io.kvroute.tools.replay;

import io.kvroute.index.ApplyResult;
import io.kvroute.protocol.KvEventType;
import io.kvroute.tools.io.Decimals;
import io.kvroute.tools.io.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** What a replay found, for programs and for people. */
public final class ReplayReport {
  private static final int RATIO_DIGITS = 6;

  private final Replay replay;
  private final ReplaySettings settings;
  private final List<ReplayWorker> workers;
  private final long inputTokens;
  private final long hitTokens;

  /** Reports on a replay that is over. */
  public ReplayReport(final Replay replay) {
    this.replay = replay;
    settings = replay.settings();
    workers = replay.workers();
    inputTokens = sum(ReplayWorker::inputTokens);
    hitTokens = sum(ReplayWorker::hitTokens);
  }

  private long sum(final ToLongFunction<ReplayWorker> figure) {
    return workers.stream().mapToLong(figure).sum();
  }

  private long managerBytes() {
    return sum(worker -> worker.manager().usedBytes());
  }

  private long storedEvents() {
    return sum(worker -> worker.manager().storedEvents());
  }

  private long removedEvents() {
    return sum(worker -> worker.manager().removedEvents());
  }

  /** Events that the index did not apply as they were. */
  private long indexRefusals() {
    long refusals = replay.index().counters().malformedEvents();
    for (final KvEventType type : KvEventType.values()) {
      for (final ApplyResult result : ApplyResult.values()) {
        refusals += result == ApplyResult.OK ? 0 : replay.index().counters().events(type, result);
      }
    }
    return refusals;
  }

  /** All figures; everything that differs from run to run is in the object {@code timing}. */
  public Fields toFields() {
    final Fields fields = new Fields().put("trace", settings.traceName());
    if (settings.seed() != null) {
      fields.put("seed", settings.seed());
    }
    fields.put("workers", settings.workers()).put("pool_tokens", settings.poolTokens());
    fields.put("page_size", settings.pageSize());
    fields.put("requests", replay.requests()).put("refused", sum(ReplayWorker::refused));
    fields.put("input_tokens", inputTokens).put("hit_tokens", hitTokens);
    fields.putDecimal("hit_ratio", Decimals.ratio(hitTokens, inputTokens, RATIO_DIGITS));
    fields.put("best_possible_tokens", replay.bestPossibleTokens());
    fields.putDecimal(
        "best_possible_ratio",
        Decimals.ratio(replay.bestPossibleTokens(), inputTokens, RATIO_DIGITS));
    fields.put("mispredictions", replay.mispredictions());
    fields.put("stored_events", storedEvents());
    fields.put("stored_blocks", sum(worker -> worker.manager().storedBlocks()));
    fields.put("removed_events", removedEvents());
    fields.put("removed_blocks", sum(worker -> worker.manager().removedBlocks()));
    fields.put("evictions", sum(ReplayWorker::evictions));
    fields.put("evicted_tokens", sum(ReplayWorker::evictedTokens));
    fields.put("index_blocks", replay.index().blockCount());
    fields.put("index_refusals", indexRefusals());
    fields.put("index_bytes", replay.indexBytes()).put("manager_bytes", managerBytes());
    fields.put("per_worker", perWorker());
    return fields.put("timing", timing());
  }

  private List<Fields> perWorker() {
    final List<Fields> lines = new ArrayList<>();
    for (final ReplayWorker worker : workers) {
      final Fields line = new Fields().put("worker", worker.id());
      line.put("requests", worker.requests()).put("refused", worker.refused());
      line.putDecimal(
          "request_share", Decimals.ratio(worker.requests(), replay.requests(), RATIO_DIGITS));
      line.put("blocks", replay.load(worker.id()));
      line.put("input_tokens", worker.inputTokens()).put("hit_tokens", worker.hitTokens());
      line.putDecimal(
          "hit_ratio", Decimals.ratio(worker.hitTokens(), worker.inputTokens(), RATIO_DIGITS));
      lines.add(line);
    }
    return lines;
  }

  private Fields timing() {
    final Histogram decisions = replay.decisionNanos();
    final Fields timing = new Fields();
    timing.put("decision_p50_ns", decisions.getValueAtPercentile(50));
    timing.put("decision_p99_ns", decisions.getValueAtPercentile(99));
    timing.put("decision_p99_9_ns", decisions.getValueAtPercentile(99.9));
    timing.put("decision_max_ns", decisions.getMaxValue());
    if (replay.garbage().counts()) {
      timing.put("garbage_bytes", replay.garbage().bytes());
      timing.putDecimal("garbage_bytes_per_request", garbagePerRequest());
    }
    return timing.put("wall_ms", replay.wallNanos() / 1_000_000);
  }

  private String garbagePerRequest() {
    final GarbageMeter garbage = replay.garbage();
    return Decimals.ratio(garbage.bytesAfterWarmUp(), garbage.requestsAfterWarmUp(), 1);
  }

  /** The summary for people. */
  public String toText() {
    final StringBuilder text = new StringBuilder();
    text.append("Routed ").append(settings.traceName());
    text.append(settings.seed() == null ? "" : " (seed " + settings.seed() + ')');
    text.append(" over ").append(settings.workers()).append(" workers of ");
    text.append(Decimals.grouped(settings.poolTokens())).append(" tokens in pages of ");
    text.append(Decimals.grouped(settings.pageSize())).append("\n\n");
    line(text, "requests", replay.requests(), refusedClause());
    line(text, "input tokens", inputTokens, "");
    line(text, "hit tokens", hitTokens, Decimals.percent(hitTokens, inputTokens) + " of the input");
    line(
        text,
        "best possible",
        replay.bestPossibleTokens(),
        Decimals.percent(replay.bestPossibleTokens(), inputTokens)
            + " (one infinite cache over all workers)");
    line(text, "evictions", sum(ReplayWorker::evictions), tokens(ReplayWorker::evictedTokens));
    line(text, "stored events", storedEvents(), blocks(worker -> worker.manager().storedBlocks()));
    line(
        text,
        "removed events",
        removedEvents(),
        blocks(worker -> worker.manager().removedBlocks()));
    appendIndexLine(text);
    appendWorkers(text);
    appendTiming(text);
    return text.toString();
  }

  private String refusedClause() {
    final long refused = sum(ReplayWorker::refused);
    return refused == 0 ? "none refused" : Decimals.grouped(refused) + " refused: no room";
  }

  private String tokens(final ToLongFunction<ReplayWorker> figure) {
    return Decimals.grouped(sum(figure)) + " tokens";
  }

  private String blocks(final ToLongFunction<ReplayWorker> figure) {
    return Decimals.grouped(sum(figure)) + " blocks";
  }

  private void appendIndexLine(final StringBuilder text) {
    final long refusals = indexRefusals();
    final String clause =
        refusals == 0
            ? "every event applied"
            : Decimals.grouped(refusals) + " events not applied as they were";
    line(text, "index blocks", replay.index().blockCount(), clause);
  }

  private static void line(
      final StringBuilder text, final String name, final long figure, final String rest) {
    text.append(padded(name, 16)).append(aligned(Decimals.grouped(figure), 15));
    text.append(rest.isEmpty() ? "" : "   " + rest).append('\n');
  }

  private void appendWorkers(final StringBuilder text) {
    text.append("\nworker   requests      share         blocks      hit tokens   hit ratio\n");
    for (final ReplayWorker worker : workers) {
      text.append(aligned(Integer.toString(worker.id()), 6));
      text.append(aligned(Decimals.grouped(worker.requests()), 11));
      text.append(aligned(Decimals.percent(worker.requests(), replay.requests()), 11));
      text.append(aligned(Decimals.grouped(replay.load(worker.id())), 15));
      text.append(aligned(Decimals.grouped(worker.hitTokens()), 16));
      text.append(aligned(Decimals.percent(worker.hitTokens(), worker.inputTokens()), 12));
      text.append('\n');
    }
  }

  private void appendTiming(final StringBuilder text) {
    final Histogram decisions = replay.decisionNanos();
    text.append("\ndecision (hash, look up, choose)   p50 ");
    text.append(micros(decisions.getValueAtPercentile(50))).append("   p99 ");
    text.append(micros(decisions.getValueAtPercentile(99))).append("   p99.9 ");
    text.append(micros(decisions.getValueAtPercentile(99.9))).append('\n');
    text.append("off-heap memory                    index ");
    text.append(mebibytes(replay.indexBytes())).append("   workers ");
    text.append(mebibytes(managerBytes())).append('\n');
    text.append("garbage while routing              ");
    text.append(
        replay.garbage().counts()
            ? garbagePerRequest()
                + " bytes per request after warm-up ("
                + Decimals.grouped(replay.garbage().bytes())
                + " in all)"
            : "not counted by this JVM");
    text.append("\ntime                               ");
    text.append(Decimals.ratio(replay.wallNanos(), 1_000_000_000, 2)).append(" s\n");
  }

  private static String micros(final long nanos) {
    return Decimals.ratio(nanos, 1_000, 1) + " us";
  }

  private static String mebibytes(final long bytes) {
    return Decimals.ratio(bytes, 1 << 20, 1) + " MiB";
  }

  private static String padded(final String text, final int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  private static String aligned(final String text, final int width) {
    return " ".repeat(Math.max(1, width - text.length())) + text;
  }
}
