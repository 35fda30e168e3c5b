package io.kvroute.tools.workload;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.index.MatchScores;
import io.kvroute.index.RadixIndex;
import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.replay.BlockSet;
import io.kvroute.tools.replay.WorkerChoice;
import io.kvroute.tools.trace.MemoryTrace;
import io.kvroute.tools.trace.TraceRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * W6: a trace in file order against an index alone: find, choose a worker, store what it lacks.
 * Coarse: one block per hash id. Fine: the tokens of W4 in blocks of 16. Events are made before the
 * clock runs on.
 */
final class TraceIndexWorkload implements Workload {
  private static final int FINE_BLOCK = 16;
  private static final int TOKENS_PER_ID = 2;
  private static final int EDGES_PER_REQUEST = 4;
  private static final int MIN_EDGES = 64;

  private final int workers;
  private final int rounds;
  private final WarmUp warmUp;
  private final Policy policy;
  private final boolean fine;
  private final int[] points;
  private final MemoryTrace trace;
  private final BlockHasher hasher;
  private final int[] tokens;
  private final long[] local;
  private final long[] chain;
  private final TokenView view = new TokenView();
  private final MatchScores scores = new MatchScores();
  private final int total;
  private final long distinctBlocks;

  TraceIndexWorkload(final WorkloadSettings settings) {
    workers = settings.workersOr(8);
    fine = Boolean.TRUE.equals(settings.fine());
    rounds = settings.roundsOr(fine ? 3 : 7);
    warmUp = settings.warmUp();
    policy = settings.policy() == null ? Policy.OVERLAP : settings.policy();
    trace = MemoryTrace.load(settings.requiredTrace("W6"));
    points = settings.pointsOr(trace.size());
    total = points[points.length - 1];
    if (total > trace.size() || total < 1) {
      throw new InputException(
          "the trace is too short: requests=" + total + " in-trace=" + trace.size());
    }
    hasher = BlockHasher.of(fine ? FINE_BLOCK : TOKENS_PER_ID);
    tokens = new int[Math.max(trace.maxInputLength(), TOKENS_PER_ID * trace.maxIdCount())];
    local = new long[tokens.length / TOKENS_PER_ID + 1];
    chain = new long[local.length];
    distinctBlocks = countDistinctBlocks();
  }

  private long countDistinctBlocks() {
    final BlockSet everything = new BlockSet();
    for (int r = 0; r < total; r++) {
      everything.admit(chain, hash(trace.request(r)));
    }
    return everything.size();
  }

  /** Fills local hashes and chain of a request; returns their number. */
  private int hash(final TraceRequest request) {
    final int count = fine ? request.tokens(trace.blockSize(), tokens) : idsAsTokens(request);
    view.wrap(tokens, 0, count);
    final int blocks = (int) hasher.blockCount(count);
    hasher.localHashes(view, 0, blocks, local, 0);
    SequenceHash.chain(local, 0, blocks, false, 0, chain, 0);
    return blocks;
  }

  /** Two tokens are the eight little-endian bytes of an id. */
  private int idsAsTokens(final TraceRequest request) {
    int count = 0;
    for (int i = 0; i < request.idCount(); i++) {
      tokens[count++] = (int) request.hashId(i);
      tokens[count++] = (int) (request.hashId(i) >>> 32);
    }
    return count;
  }

  @Override
  public List<Fields> run() {
    warmUp.run(() -> newRound().close());
    final RoundTimes finds = new RoundTimes(total);
    final RoundTimes stores = new RoundTimes(total);
    final RoundTimes both = new RoundTimes(total);
    List<Fields> rows = null;
    for (int round = 0; round < rounds; round++) {
      try (Round run = newRound()) {
        requireSame(rows, run.rows);
        rows = run.rows;
        finds.add(run.findNanos);
        stores.add(run.storeNanos);
        both.add(run.findNanos + run.storeNanos);
      }
    }
    final Timing timing = new Timing().rounds(rounds).add("request", both);
    timing.add("find", finds).add("store", stores).addTo(rows.get(rows.size() - 1));
    return rows;
  }

  /** Runs all requests through an index of their own, which the caller closes. */
  private Round newRound() {
    final Round run =
        new Round(
            RadixIndex.builder()
                .blockCapacity(Math.max(1, distinctBlocks))
                .edgeCapacity((long) EDGES_PER_REQUEST * total + MIN_EDGES)
                .rankCapacity(workers)
                .build());
    run.requests();
    return run;
  }

  private static void requireSame(final List<Fields> before, final List<Fields> now) {
    for (int i = 0; before != null && i < before.size(); i++) {
      final String difference = now.get(i).difference(before.get(i));
      if (difference != null) {
        throw new IllegalStateException("two rounds disagree: " + difference);
      }
    }
  }

  private final class Round implements AutoCloseable {
    private final IndexSession session;
    private final WorkerChoice choice = new WorkerChoice(workers);
    private final List<Fields> rows = new ArrayList<>();
    private long findNanos;
    private long storeNanos;
    private long promptBlocks;
    private long hitBlocks;
    private long storeEvents;
    private long storedBlocks;
    private long fold;

    private Round(final RadixIndex index) {
      session = new IndexSession(index);
    }

    private void requests() {
      for (int r = 0; r < total; r++) {
        final int blocks = hash(trace.request(r));
        final long start = System.nanoTime();
        session.index().find(local, 0, blocks, scores);
        final int worker = policy == Policy.OVERLAP ? choice.choose(scores) : r % workers;
        final int overlap = policy == Policy.OVERLAP ? choice.overlap() : overlapOf(worker);
        choice.book(worker, blocks);
        findNanos += System.nanoTime() - start;
        promptBlocks += blocks;
        hitBlocks += overlap;
        fold = Numbers.fold(fold, (long) worker << 32 | overlap);
        if (overlap < blocks) {
          store(worker, overlap, blocks - overlap);
        }
        if (r + 1 == points[rows.size()]) {
          rows.add(row(r + 1));
        }
      }
    }

    private int overlapOf(final int worker) {
      final int at = scores.indexOf(worker, 0);
      return at < 0 ? 0 : scores.device(at);
    }

    private void store(final int worker, final int from, final int count) {
      session.discardEvents();
      session.addStored(
          worker, from > 0, from > 0 ? chain[from - 1] : 0, local, chain, from, count);
      storeNanos += session.applyEvents();
      storeEvents++;
      storedBlocks += count;
    }

    private Fields row(final int requests) {
      final Fields row = new Fields().put("workload", "W6").put("fine", fine);
      row.put("policy", policy.label()).put("workers", workers).put("requests", requests);
      row.put("hit_blocks", hitBlocks).put("prompt_blocks", promptBlocks);
      row.put("store_events", storeEvents).put("stored_blocks", storedBlocks);
      row.putHex("fold", fold);
      row.put("index_blocks", session.index().blockCount());
      return row.put("content_bytes", session.index().usedBytes());
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
