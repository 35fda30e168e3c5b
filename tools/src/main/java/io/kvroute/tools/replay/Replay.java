package io.kvroute.tools.replay;

import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.index.MatchScores;
import io.kvroute.index.RadixIndex;
import io.kvroute.index.RadixIndexBuilder;
import io.kvroute.memory.Arena;
import io.kvroute.protocol.ListenerSink;
import io.kvroute.tools.trace.TraceRequest;
import io.kvroute.tools.trace.TraceSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Routes a trace request by request in file order: hash the prompt, look it up in the index, choose
 * the worker, run the prompt there; the worker's events go into the index before the next request.
 * One thread does it all. What a request costs is measured around the decision (hash, look up,
 * choose); reading the trace and making tokens is not part of it.
 */
public final class Replay implements AutoCloseable {
  private static final int BLOCKS_PER_EDGE = 4;
  private static final int NANOS_DIGITS = 3;
  private static final long MAX_NANOS = 60_000_000_000L;

  private final ReplaySettings settings;
  private final Arena indexArena;
  private final RadixIndex index;
  private final List<ReplayWorker> workers = new ArrayList<>();
  private final BlockHasher hasher;
  private final MatchScores scores = new MatchScores();
  private final WorkerChoice choice;
  private final BlockSet everything = new BlockSet();
  private final Histogram decisionNanos = new Histogram(1, MAX_NANOS, NANOS_DIGITS);
  private final GarbageMeter garbage = new GarbageMeter();
  private final TokenView prompt = new TokenView();
  private int[] tokens = new int[0];
  private long[] local = new long[0];
  private long[] chain = new long[0];
  private long requests;
  private long bestPossibleTokens;
  private long mispredictions;
  private long wallNanos;

  /**
   * Makes workers and index.
   *
   * @throws io.kvroute.memory.CapacityExceededException if there is not enough memory for them
   */
  public Replay(final ReplaySettings settings) {
    this.settings = settings;
    this.hasher = BlockHasher.of(settings.pageSize());
    this.choice = new WorkerChoice(settings.workers());
    final long blocks = settings.workers() * (settings.poolTokens() / settings.pageSize());
    final RadixIndexBuilder builder =
        RadixIndex.builder()
            .blockCapacity(blocks)
            .edgeCapacity(blocks / BLOCKS_PER_EDGE + settings.workers())
            .rankCapacity(settings.workers());
    indexArena = Arena.ofCapacity(builder.requiredBytes());
    try {
      index = builder.arena(indexArena).build();
      final ListenerSink sink = new ListenerSink(index);
      for (int id = 0; id < settings.workers(); id++) {
        workers.add(new ReplayWorker(id, settings, sink));
      }
    } catch (final RuntimeException failure) {
      close();
      throw failure;
    }
  }

  /**
   * Routes all requests of a trace.
   *
   * @param progress is told the number of requests after each
   */
  public void run(final TraceSource trace, final LongConsumer progress) {
    final long start = System.nanoTime();
    final TraceRequest request = new TraceRequest();
    while (trace.next(request)) {
      tokens = request.roomFor(tokens);
      request.tokens(trace.blockSize(), tokens);
      prompt.wrap(tokens, 0, request.inputLength());
      final int blocks = (int) hasher.blockCount(prompt.count());
      if (blocks > local.length) {
        local = new long[blocks * 2];
        chain = new long[blocks * 2];
      }
      garbage.begin(requests);
      route(blocks);
      garbage.end();
      SequenceHash.chain(local, 0, blocks, false, 0, chain, 0);
      bestPossibleTokens += everything.admit(chain, blocks) * settings.pageSize();
      requests++;
      progress.accept(requests);
    }
    wallNanos += System.nanoTime() - start;
  }

  private void route(final int blocks) {
    final long start = System.nanoTime();
    hasher.localHashes(prompt, 0, blocks, local, 0);
    index.find(local, 0, blocks, scores);
    final int chosen = choice.choose(scores);
    decisionNanos.recordValue(Math.min(MAX_NANOS, System.nanoTime() - start));
    choice.book(chosen, blocks);
    final long prefix = workers.get(chosen).run(prompt);
    if (prefix != SglangKvManager.REFUSED && prefix != choice.overlap() * settings.pageSize()) {
      mispredictions++;
    }
  }

  ReplaySettings settings() {
    return settings;
  }

  List<ReplayWorker> workers() {
    return workers;
  }

  /** The index of what workers announced. */
  public RadixIndex index() {
    return index;
  }

  long load(final int worker) {
    return choice.load(worker);
  }

  /** Requests routed so far. */
  public long requests() {
    return requests;
  }

  long bestPossibleTokens() {
    return bestPossibleTokens;
  }

  /** Requests whose cached prefix was another than the index had said. */
  long mispredictions() {
    return mispredictions;
  }

  Histogram decisionNanos() {
    return decisionNanos;
  }

  GarbageMeter garbage() {
    return garbage;
  }

  long wallNanos() {
    return wallNanos;
  }

  long indexBytes() {
    return indexArena.usedBytes();
  }

  /** Gives all memory back. */
  @Override
  public void close() {
    for (final ReplayWorker worker : workers) {
      worker.close();
    }
    if (index != null) {
      index.close();
    }
    indexArena.close();
  }
}
