package io.kvroute.tools.conformance;

import io.kvroute.index.BlockTimers;
import io.kvroute.memory.Arena;
import io.kvroute.protocol.KvEventDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Checks the time to live of blocks against {@code golden-ttl.jsonl}. A case is an operation and
 * what is to be seen after it. A line about one manager is one rank with origin 0 here.
 */
public final class TtlConformance implements GoldenChecker {
  private static final String KIND = "ttl";
  private static final int TIMERS = 4096;
  private static final int RANKS = 64;
  private static final int BUCKETS = 4096;

  /** Makes a checker. */
  public TtlConformance() {}

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
          try (Arena arena = Arena.ofCapacity(BlockTimers.length(TIMERS, RANKS, BUCKETS));
              BlockTimers timers = new BlockTimers(arena, TIMERS, RANKS, BUCKETS)) {
            new Replay(line, timers, tally).run();
          }
        });
    return tally.result(KIND);
  }

  /** A rank's block: (worker id, dp rank, hash, position). */
  private record Block(long workerId, int dpRank, long hash, int position) {
    static Block of(final String rank, final JsonTree hash, final JsonTree position) {
      final int colon = rank.indexOf(':');
      return new Block(
          Long.parseUnsignedLong(rank.substring(0, colon)),
          Integer.parseUnsignedInt(rank.substring(colon + 1)),
          hash.u64(),
          position == null ? 0 : position.u32());
    }

    String merged() {
      return Long.toUnsignedString(workerId)
          + ':'
          + Integer.toUnsignedString(dpRank)
          + ' '
          + Long.toUnsignedString(hash);
    }
  }

  private static final class Replay {
    private static final String ONLY_RANK = "0:0";

    private final JsonTree line;
    private final BlockTimers timers;
    private final Tally tally;
    private final KvEventDecoder decoder = new KvEventDecoder();
    private final List<String> drained = new ArrayList<>();
    private final StringBuilder faults = new StringBuilder();
    private long nowNs;
    private long ttlNs;

    private Replay(final JsonTree line, final BlockTimers timers, final Tally tally) {
      this.line = line;
      this.timers = timers;
      this.tally = tally;
      ttlNs = line.at("ttl_ns").i64();
      if (line.at("kind").text().equals("prune_manager")) {
        timers.addRank(0, 0, 0);
      }
    }

    private void run() {
      final List<JsonTree> operations = line.at("ops").elements();
      for (int i = 0; i < operations.size(); i++) {
        final JsonTree operation = operations.get(i);
        faults.setLength(0);
        apply(operation);
        compareState(operation);
        if (faults.isEmpty()) {
          tally.agree();
        } else {
          tally.disagree(
              "\"" + line.at("note") + "\" seed " + line.at("seed") + " operation " + i + faults);
        }
      }
    }

    private void apply(final JsonTree operation) {
      nowNs = operation.at("t_ns").i64();
      switch (operation.at("op").text()) {
        case "insert" -> blocks(operation).forEach(this::insert);
        case "insert_many" -> blocks(operation).forEach(this::insert);
        case "at", "advance" -> {}
        case "set_ttl" -> ttlNs = operation.at("ns").i64();
        case "remove" ->
            compare(
                "result",
                operation.at("result").line(),
                String.valueOf(timers.remove(0, 0, operation.at("key").u64(), 0)));
        case "remove_entries" -> blocks(operation).forEach(this::remove);
        case "remove_rank" -> {
          final Block rank = Block.of(operation.at("rank").text(), line.at("ttl_ns"), null);
          timers.removeRank(rank.workerId, rank.dpRank);
        }
        case "remove_worker" -> timers.removeWorker(operation.at("worker_id").u64());
        case "pop_expired" -> drain(operation.at("ns").i64(), operation);
        case "drain" -> drain(nowNs, operation);
        default ->
            throw new IllegalArgumentException("operation is not known: " + operation.at("op"));
      }
    }

    /** The blocks that an operation names: keys alone, or entries with or without their rank. */
    private static List<Block> blocks(final JsonTree operation) {
      if (operation.has("keys")) {
        return operation.at("keys").elements().stream()
            .map(key -> Block.of(ONLY_RANK, key, null))
            .toList();
      }
      return operation.at("entries").elements().stream()
          .map(entry -> block(entry, operation.has("rank") ? operation.at("rank").text() : null))
          .toList();
    }

    private static Block block(final JsonTree entry, final String rank) {
      final List<JsonTree> fields = entry.elements();
      return rank == null
          ? Block.of(fields.get(0).text(), fields.get(1), fields.get(2))
          : Block.of(rank, fields.get(0), fields.get(1));
    }

    private void insert(final Block block) {
      final long[] hashes = {block.hash};
      if (!timers.insert(
          block.workerId, block.dpRank, nowNs, ttlNs, hashes, 0, 1, block.position)) {
        throw new IllegalArgumentException("more timers than a golden line should need");
      }
    }

    private void remove(final Block block) {
      timers.remove(block.workerId, block.dpRank, block.hash, block.position);
    }

    /** What comes out has lost its positions: those are seen in which timers have gone. */
    private void drain(final long instant, final JsonTree operation) {
      final List<Block> expected =
          operation.at("result").elements().stream().map(Replay::result).toList();
      for (final Block block : expected) {
        compare("expiry of " + block + " passed", "true", String.valueOf(expiry(block) <= instant));
      }
      drained.clear();
      final int ended = timers.drain(instant, this::onExpired);
      compare("timers that ended", String.valueOf(expected.size()), String.valueOf(ended));
      for (final Block block : expected) {
        compare("expiry of " + block, never(), String.valueOf(expiry(block)));
      }
      final List<Block> order = new ArrayList<>(expected);
      order.sort(
          (a, b) -> {
            final int byWorker = Long.compareUnsigned(a.workerId, b.workerId);
            final int byRank =
                byWorker != 0 ? byWorker : Integer.compareUnsigned(a.dpRank, b.dpRank);
            return byRank != 0 ? byRank : Long.compareUnsigned(a.hash, b.hash);
          });
      compare(
          "removed",
          order.stream().map(Block::merged).distinct().toList().toString(),
          drained.toString());
    }

    private static Block result(final JsonTree each) {
      return each.isArray() ? block(each, null) : Block.of(ONLY_RANK, each, null);
    }

    private void onExpired(final DirectBuffer buffer, final int offset, final int length) {
      decoder.wrap(buffer, offset, length);
      for (int i = 0; i < decoder.blockCount(); i++) {
        drained.add(
            new Block(decoder.workerId(), decoder.dpRank(), decoder.blockHash(i), 0).merged());
      }
    }

    private long expiry(final Block block) {
      return timers.expiryNs(block.workerId, block.dpRank, block.hash, block.position);
    }

    private void compareState(final JsonTree operation) {
      final JsonTree next = operation.at("next_expiry_ns");
      compare(
          "next expiry",
          next.isNull() ? never() : next.text(),
          String.valueOf(timers.nextExpiryNs()));
      if (operation.has("buckets")) {
        compare("buckets", operation.at("buckets").text(), String.valueOf(timers.bucketCount()));
      }
      if (operation.has("expiries")) {
        final List<JsonTree> expiries = operation.at("expiries").elements();
        compare("timers", String.valueOf(expiries.size()), String.valueOf(timers.size()));
        for (final JsonTree each : expiries) {
          final Block block = Block.of(ONLY_RANK, each.elements().get(0), null);
          compare(
              "expiry of " + block, each.elements().get(1).text(), String.valueOf(expiry(block)));
        }
      }
    }

    private static String never() {
      return String.valueOf(BlockTimers.NEVER);
    }

    private void compare(final String what, final String expected, final String found) {
      if (!expected.equals(found)) {
        faults.append(": ").append(what).append(" expected=").append(expected);
        faults.append(" found=").append(found);
      }
    }
  }
}
