package io.kvroute.tools.conformance;

import io.kvroute.load.ActiveSequences;
import io.kvroute.load.Booking;
import io.kvroute.load.LoadProjections;
import io.kvroute.load.RankLoad;
import io.kvroute.load.ReplicaOutcome;
import io.kvroute.load.ReplicaPolicy;
import io.kvroute.load.SequenceResult;
import io.kvroute.load.TopologyException;
import io.kvroute.load.WorkerRange;
import io.kvroute.protocol.ActiveSequenceEvent;
import io.kvroute.protocol.ActiveSequenceEventData;
import io.kvroute.protocol.PrefillLoadHint;
import io.kvroute.protocol.UnsignedDuration;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.WorkerWithDpRank;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** One line of {@code golden-load.jsonl}: a sequence of operations on fresh active sequences. */
final class LoadReplay implements AutoCloseable {
  private static final String OK = "ok";
  private static final long NS_PER_S = 1_000_000_000;

  private final JsonTree line;
  private final Tally tally;
  private final ActiveSequences sequences;
  private final LoadProjections projections = new LoadProjections();
  private final RankLoad load = new RankLoad();
  private final List<String> published = new ArrayList<>();
  private final StringBuilder faults = new StringBuilder();
  private boolean repeats;
  private String decision;
  private long nowNs;

  LoadReplay(final JsonTree line, final Tally tally) {
    this.line = line;
    this.tally = tally;
    sequences =
        ActiveSequences.builder()
            .requestCapacity(4096)
            .rankCapacity(256)
            .blockCapacity(1 << 16)
            .routerId(line.at("own_router_id").u64())
            .replicaPolicy(
                line.at("replica_policy").text().equals("require_registered")
                    ? ReplicaPolicy.REQUIRE_REGISTERED
                    : ReplicaPolicy.LAZY_REGISTER)
            .loadListener(
                (workerId, dpRank, blocks, tokens) ->
                    published.add(
                        "[" + rank(workerId, dpRank) + ", " + blocks + ", " + tokens + "]"))
            .build();
    sequences.reconcile(ranges(line.at("initial_ranges")), 0);
  }

  private static List<WorkerRange> ranges(final JsonTree list) {
    return list.elements().stream()
        .map(JsonTree::elements)
        .map(range -> new WorkerRange(range.get(0).u64(), range.get(1).u32(), range.get(2).u32()))
        .toList();
  }

  private static String rank(final long workerId, final int dpRank) {
    return Long.toUnsignedString(workerId) + ':' + Integer.toUnsignedString(dpRank);
  }

  @Override
  public void close() {
    sequences.close();
  }

  void run() {
    final List<JsonTree> operations = line.at("ops").elements();
    for (int i = 0; i < operations.size(); i++) {
      final JsonTree operation = operations.get(i);
      faults.setLength(0);
      published.clear();
      decision = null;
      nowNs = operation.at("t_ns").i64();
      apply(operation);
      compareState(operation);
      if (faults.length() == 0 && decision == null) {
        tally.agree();
      } else if (faults.length() == 0) {
        tally.byDecision(decision);
      } else if (repeats) {
        tally.byDecision(LoadConformance.REPEATED);
      } else {
        tally.disagree(
            "\"" + line.at("note") + "\" seed " + line.at("seed") + " operation " + i + faults);
      }
    }
  }

  private void apply(final JsonTree operation) {
    final String kind = operation.at("op").text();
    if (operation.has("hashes") && !kind.equals("potential")) {
      final long[] hashes = hashes(operation);
      repeats |= hashes != null && Arrays.stream(hashes).distinct().count() < hashes.length;
    }
    switch (kind) {
      case "advance" -> {}
      case "sweep" -> sequences.sweep(nowNs);
      case "potential" -> comparePotential(operation);
      case "replica_add", "replica_free", "replica_mark" -> applyReplica(kind, operation);
      case "register_worker", "upsert_worker", "unregister_worker", "reconcile_workers" ->
          compare("result", operation.at("result").line(), topology(kind, operation));
      default -> compare("result", operation.at("result").line(), request(kind, operation));
    }
  }

  private static long[] hashes(final JsonTree operation) {
    final JsonTree hashes = operation.at("hashes");
    return hashes.isNull() ? null : hashes.elements().stream().mapToLong(JsonTree::u64).toArray();
  }

  // ------ requests

  private String request(final String kind, final JsonTree operation) {
    final String id = operation.at("request_id").text();
    final SequenceResult result =
        switch (kind) {
          case "add" -> sequences.add(booking(operation), nowNs);
          case "add_if_registered" -> sequences.addIfRegistered(booking(operation), nowNs);
          case "free" -> sequences.free(id, nowNs);
          case "mark_prefill_completed" -> sequences.markPrefillCompleted(id, nowNs);
          case "add_output_block" -> addOutputBlock(id, operation);
          default -> throw new IllegalArgumentException("operation is not known: " + kind);
        };
    if (kind.equals("free") && result == SequenceResult.REQUEST_NOT_FOUND) {
      decision = LoadConformance.UNKNOWN_FREE;
      return OK;
    }
    return result(result, id, operation);
  }

  private String result(final SequenceResult result, final String id, final JsonTree operation) {
    return switch (result) {
      case OK -> OK;
      case DUPLICATE_REQUEST -> {
        final WorkerWithDpRank worker = sequences.find(id);
        yield "{kind=DuplicateRequest, rank="
            + rank(worker.workerId(), worker.dpRank())
            + ", request_id="
            + id
            + "}";
      }
      case REQUEST_NOT_FOUND -> "{kind=RequestNotFound, request_id=" + id + "}";
      case WORKER_NOT_FOUND -> "{kind=WorkerNotFound, rank=" + operation.at("rank").text() + "}";
      default -> throw new IllegalArgumentException(sequences.refusal());
    };
  }

  private SequenceResult addOutputBlock(final String id, final JsonTree operation) {
    final JsonTree bits = operation.at("fraction_bits");
    return bits.isNull()
        ? sequences.addOutputBlock(id, nowNs)
        : sequences.addOutputBlock(
            id, Double.longBitsToDouble(Long.parseUnsignedLong(bits.text(), 16)), nowNs);
  }

  private static Booking booking(final JsonTree operation) {
    final WorkerWithDpRank worker = worker(operation);
    final Booking booking =
        new Booking()
            .request(operation.at("request_id").text())
            .rank(worker.workerId(), worker.dpRank())
            .trackPrefillTokens(operation.at("track_prefill_tokens").truth())
            .loraName(operation.at("lora").textOrNull());
    final long[] hashes = hashes(operation);
    if (hashes != null) {
      booking.prompt(hashes, 0, hashes.length);
    }
    final JsonTree hint = operation.at("hint");
    if (!hint.isNull() && hint.at("expected_ns").isNull()) {
      booking.prefill(hint.at("tokens").u64());
    } else if (!hint.isNull()) {
      booking.prefill(hint.at("tokens").u64(), hint.at("expected_ns").i64());
    }
    if (!operation.at("expected_output_tokens").isNull()) {
      booking.expectedOutputTokens(operation.at("expected_output_tokens").u32());
    }
    return booking;
  }

  private static WorkerWithDpRank worker(final JsonTree operation) {
    final String rank = operation.at("rank").text();
    final int colon = rank.indexOf(':');
    return new WorkerWithDpRank(
        Long.parseUnsignedLong(rank.substring(0, colon)),
        Integer.parseUnsignedInt(rank.substring(colon + 1)));
  }

  private void comparePotential(final JsonTree operation) {
    final long[] hashes = hashes(operation);
    final int count = hashes == null ? 0 : hashes.length;
    sequences.potentialLoads(hashes == null ? new long[0] : hashes, 0, count, nowNs, projections);
    final JsonTree deltas = operation.at("deltas");
    final Map<String, String> found = new TreeMap<>();
    for (int i = 0; i < projections.count(); i++) {
      final String rank = rank(projections.workerId(i), projections.dpRank(i));
      final long delta = (deltas.has(rank) ? deltas.at(rank) : operation.at("default_delta")).u64();
      found.put(
          rank,
          "["
              + projections.potentialDecodeBlocks(i)
              + ", "
              + (projections.activePrefillTokens(i) + delta)
              + ", "
              + projections.activeRequests(i)
              + ", "
              + projections.additionalActiveBlocks(i)
              + "]");
    }
    compare("potential", operation.at("result").line(), found.toString());
  }

  // ------ workers

  private String topology(final String kind, final JsonTree operation) {
    try {
      switch (kind) {
        case "register_worker" -> sequences.register(range(operation), nowNs);
        case "upsert_worker" -> sequences.upsert(range(operation), nowNs);
        case "unregister_worker" -> sequences.unregister(operation.at("worker_id").u64(), nowNs);
        default -> sequences.reconcile(ranges(operation.at("ranges")), nowNs);
      }
      return OK;
    } catch (final TopologyException failure) {
      final String name =
          switch (failure.kind()) {
            case INVALID_DP_SIZE -> "InvalidDpSize";
            case INVALID_DP_RANGE -> "InvalidDpRange";
            case DUPLICATE_WORKER -> "DuplicateWorker";
            case WORKER_NOT_FOUND -> "WorkerNotFound";
          };
      return "{kind=" + name + ", worker_id=" + Long.toUnsignedString(failure.workerId()) + "}";
    }
  }

  private static WorkerRange range(final JsonTree operation) {
    return new WorkerRange(
        operation.at("worker_id").u64(),
        operation.at("dp_start").u32(),
        operation.at("dp_size").u32());
  }

  // ------ replicas

  private void applyReplica(final String kind, final JsonTree operation) {
    final ActiveSequenceEventData data =
        switch (kind) {
          case "replica_add" -> added(operation);
          case "replica_free" -> new ActiveSequenceEventData.Free();
          default -> new ActiveSequenceEventData.MarkPrefillCompleted();
        };
    final WorkerWithDpRank worker =
        operation.has("rank") ? worker(operation) : WorkerWithDpRank.fromWorkerId(0);
    final ReplicaOutcome outcome =
        sequences.apply(
            new ActiveSequenceEvent(
                operation.at("request_id").text(),
                worker,
                data,
                operation.at("router_id").u64(),
                null),
            0,
            nowNs);
    compare(
        "wakes the queue",
        operation.at("wakes_queue").line(),
        String.valueOf(outcome == ReplicaOutcome.RELIEVED));
  }

  private static ActiveSequenceEventData added(final JsonTree operation) {
    final long[] hashes = hashes(operation);
    final JsonTree hint = operation.at("hint");
    return new ActiveSequenceEventData.AddRequest(
        hashes == null ? null : UnsignedLongs.of(hashes),
        operation.at("track_prefill_tokens").truth(),
        OptionalInt.empty(),
        hint.isNull() ? null : hint(hint));
  }

  private static PrefillLoadHint hint(final JsonTree hint) {
    final JsonTree expected = hint.at("expected_ns");
    final UnsignedDuration duration =
        expected.isNull()
            ? null
            : new UnsignedDuration(expected.i64() / NS_PER_S, (int) (expected.i64() % NS_PER_S));
    return new PrefillLoadHint(hint.at("tokens").u64(), duration);
  }

  // ------ what is to be seen

  private void compareState(final JsonTree operation) {
    published.sort(null);
    compare(
        "published",
        operation.at("published").elements().stream()
            .map(JsonTree::line)
            .sorted()
            .toList()
            .toString(),
        published.toString());
    sequences.loads(nowNs, projections);
    final Map<String, String> found = new TreeMap<>();
    for (int i = 0; i < projections.count(); i++) {
      sequences.rankLoad(projections.workerId(i), projections.dpRank(i), nowNs, load);
      final String remaining =
          load.remainingPrefillMs() < 0 ? "null" : String.valueOf(load.remainingPrefillMs());
      found.put(
          rank(projections.workerId(i), projections.dpRank(i)),
          "["
              + projections.activeDecodeBlocks(i)
              + ", "
              + projections.activePrefillTokens(i)
              + ", "
              + projections.activeRequests(i)
              + ", "
              + remaining
              + "]");
    }
    compare("state", operation.at("state").line(), found.toString());
  }

  private void compare(final String what, final String expected, final String found) {
    if (!expected.equals(found)) {
      faults.append(": ").append(what).append(" expected=").append(expected);
      faults.append(" found=").append(found);
    }
  }
}
