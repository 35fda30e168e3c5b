package io.kvroute.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.hash.Xxh3;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.ExpandableDirectByteBuffer;
import org.junit.jupiter.api.Test;

/** The reference's results on the conversation trace: which worker each request goes to. */
final class TraceWorkloadTest {
  private static final int WORKERS = 8;
  private static final int IDS_LENGTH = 512;
  private static final int BLOCK_SIZE = 16;

  @Test
  void shouldRouteByOverlapOverCoarseBlocksAsTheReferenceDoes() throws IOException {
    final Result result = run(true, false);
    assertEquals(new Result(288_500, 105_710, 11_913, 182_790, 0x1e69b7a8e7f973e8L), result);
  }

  @Test
  void shouldRouteRoundRobinOverCoarseBlocksAsTheReferenceDoes() throws IOException {
    final Result result = run(true, true);
    assertEquals(new Result(288_500, 39_315, 12_013, 249_185, 0x938fe1b25dfbdbb5L), result);
  }

  @Test
  void shouldRouteByOverlapOverFineBlocksAsTheReferenceDoes() throws IOException {
    final Result result = run(false, false);
    assertEquals(new Result(9_044_013, 3_381_097, 11_911, 5_662_916, 0x4e102e9ea2b77771L), result);
  }

  @Test
  void shouldRouteRoundRobinOverFineBlocksAsTheReferenceDoes() throws IOException {
    final Result result = run(false, true);
    assertEquals(new Result(9_044_013, 1_257_800, 12_012, 7_786_213, 0x8881bf487d225d08L), result);
  }

  private record Result(long blocks, long hits, long events, long stored, long fold) {}

  private static Result run(final boolean coarse, final boolean roundRobin) throws IOException {
    final List<String> lines = trace();
    try (RadixIndex index =
        RadixIndex.builder()
            .blockCapacity(coarse ? 300_000 : 8_000_000)
            .edgeCapacity(100_000)
            .rankCapacity(WORKERS)
            .build()) {
      return new Run(index, coarse, roundRobin).route(lines);
    }
  }

  private static List<String> trace() throws IOException {
    Path folder = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    while (folder != null && !Files.isDirectory(folder.resolve(".mvn"))) {
      folder = folder.getParent();
    }
    final Path file =
        folder == null
            ? null
            : folder.resolveSibling("shared").resolve("traces/conversation_trace.jsonl");
    assumeTrue(file != null && Files.isRegularFile(file), "the conversation trace is not here");
    return Files.readAllLines(file);
  }

  private static final class Run {
    private static final Pattern LINE =
        Pattern.compile("\"input_length\": *(\\d+),.*\"hash_ids\": *\\[([^\\]]*)\\]");

    private final RadixIndex index;
    private final boolean coarse;
    private final boolean roundRobin;
    private final BlockHasher hasher = BlockHasher.of(BLOCK_SIZE);
    private final MatchScores scores = new MatchScores();
    private final ExpandableDirectByteBuffer event = new ExpandableDirectByteBuffer(1 << 16);
    private final long[] loads = new long[WORKERS];
    private long[] locals = new long[0];
    private long[] chain = new long[0];
    private long blocks;
    private long hits;
    private long events;
    private long stored;
    private long fold;

    Run(final RadixIndex index, final boolean coarse, final boolean roundRobin) {
      this.index = index;
      this.coarse = coarse;
      this.roundRobin = roundRobin;
    }

    Result route(final List<String> lines) {
      for (int request = 0; request < lines.size(); request++) {
        final Matcher matcher = LINE.matcher(lines.get(request));
        if (!matcher.find()) {
          throw new AssertionError("not a request: line=" + lines.get(request));
        }
        final String[] ids = matcher.group(2).split(", *", -1);
        final int count = hash(Integer.parseInt(matcher.group(1)), ids);
        route(request, count);
      }
      return new Result(blocks, hits, events, stored, fold);
    }

    private int hash(final int inputLength, final String[] ids) {
      final int count = coarse ? ids.length : inputLength / BLOCK_SIZE;
      if (count > locals.length) {
        locals = new long[2 * count];
        chain = new long[2 * count];
      }
      if (coarse) {
        final int[] words = new int[2];
        for (int i = 0; i < count; i++) {
          final long id = Long.parseLong(ids[i]);
          words[0] = (int) id;
          words[1] = (int) (id >>> 32);
          locals[i] = Xxh3.hash(words, 0, 2, 1337);
        }
      } else {
        final int[] tokens = new int[inputLength];
        for (int i = 0; i < inputLength; i++) {
          tokens[i] = (int) (Long.parseLong(ids[i / IDS_LENGTH]) * IDS_LENGTH + i % IDS_LENGTH);
        }
        hasher.localHashes(TokenView.of(tokens), 0, count, locals, 0);
      }
      for (int i = 0; i < count; i++) {
        chain[i] = i == 0 ? locals[0] : SequenceHash.next(chain[i - 1], locals[i]);
      }
      return count;
    }

    private void route(final int request, final int count) {
      index.find(locals, 0, count, scores);
      int best = roundRobin ? request % WORKERS : 0;
      for (int worker = 0; worker < WORKERS && !roundRobin; worker++) {
        final int gain = overlap(worker) - overlap(best);
        if (gain > 0 || (gain == 0 && loads[worker] < loads[best])) {
          best = worker;
        }
      }
      final int overlap = overlap(best);
      loads[best] += count;
      blocks += count;
      hits += overlap;
      fold = (fold ^ ((long) best << 32 | overlap)) * 0x100000001b3L;
      if (overlap < count) {
        store(best, overlap, count - overlap);
      }
    }

    private int overlap(final int worker) {
      final int i = scores.indexOf(worker, 0);
      return i < 0 ? 0 : scores.device(i);
    }

    private void store(final int worker, final int from, final int count) {
      final int length =
          KvEventEncoder.stored(
              event,
              0,
              worker,
              0,
              StorageTier.DEVICE,
              events++,
              from > 0,
              from > 0 ? chain[from - 1] : 0,
              count);
      for (int i = 0; i < count; i++) {
        KvEventEncoder.putBlockHash(event, 0, i, chain[from + i]);
        KvEventEncoder.putTokensHash(event, 0, count, i, locals[from + i]);
      }
      stored += count;
      assertEquals(ApplyResult.OK, index.apply(event, 0, length));
    }
  }
}
