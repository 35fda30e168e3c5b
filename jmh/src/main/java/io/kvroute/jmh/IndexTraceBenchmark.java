package io.kvroute.jmh;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.SequenceHash;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import java.nio.file.Path;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Workload W6 with blocks of 16 tokens: each request of a trace is looked up, goes to the worker
 * with the most overlap, ties to the least loaded, and what that one lacks is stored. When the
 * trace is at its end, all begins anew. Hashing is not timed; making the event is.
 *
 * <p>{@code -p trace=FILE} takes a trace that Mooncake published; {@code generated} stands for one
 * that is made here. The control needs several gigabytes for the former.
 */
public class IndexTraceBenchmark extends BenchmarkBase {
  private static final String GENERATED = "generated";
  private static final int BLOCK_SIZE = 16;
  private static final int WORKERS = 8;

  // The conversation trace, as Mooncake published it.
  private static final long CONVERSATION_TOKENS = 144_793_823;
  private static final long CONVERSATION_FOLD = 0x4e102e9ea2b77771L;
  private static final long CONVERSATION_STORED = 5_662_916;

  /** Makes the benchmark. */
  public IndexTraceBenchmark() {}

  /** The requests of a trace, hashed, and an index. */
  @State(Scope.Thread)
  public abstract static class Requests {
    private final IndexSubject.Maker maker;
    private UnsafeBuffer event;
    private final long[] loads = new long[WORKERS];
    private long[][] locals;
    private long[][] chains;
    private IndexSubject subject;
    private long inputTokens;
    private long blocks;
    private int next;
    private long stored;
    private long refused;
    private long fold;

    /** The trace: {@code generated}, or the path of a file. */
    @Param(GENERATED)
    public String trace;

    Requests(final IndexSubject.Maker maker) {
      this.maker = maker;
    }

    /** Hashes the requests, and serves them once. */
    @Setup
    public void setUp() {
      final TraceRequests source =
          GENERATED.equals(trace) ? TraceRequests.generate() : TraceRequests.read(Path.of(trace));
      final int[] tokens = new int[source.longest()];
      final BlockHasher hasher = BlockHasher.of(BLOCK_SIZE);
      inputTokens = source.inputTokens();
      event =
          new UnsafeBuffer(
              new byte[KvEventEncoder.storedLength(source.longest() / BLOCK_SIZE + 1)]);
      locals = new long[source.count()][];
      chains = new long[source.count()][];
      for (int r = 0; r < locals.length; r++) {
        final int count = source.fill(r, tokens) / BLOCK_SIZE;
        locals[r] = new long[count];
        chains[r] = new long[count];
        hasher.localHashes(TokenView.of(tokens), 0, count, locals[r], 0);
        for (int i = 0; i < count; i++) {
          chains[r][i] = i == 0 ? locals[r][0] : SequenceHash.next(chains[r][i - 1], locals[r][i]);
        }
        blocks += count;
      }
      beginAnew();
      while (next < locals.length) {
        request();
      }
      requireKnown();
    }

    private void requireKnown() {
      require("refused events", 0, refused);
      require("held blocks", stored, subject.heldBlocks());
      if (inputTokens == CONVERSATION_TOKENS) {
        require("stored blocks", CONVERSATION_STORED, stored);
        require("fold", CONVERSATION_FOLD, fold);
      }
    }

    /** At the end of the trace, checks what came of it and begins with an empty index. */
    @Setup(Level.Invocation)
    public void beginAnew() {
      if (subject != null && next < locals.length) {
        return;
      }
      if (subject != null) {
        requireKnown();
        subject.close();
      }
      subject = maker.make(WORKERS, blocks);
      Arrays.fill(loads, 0);
      next = 0;
      stored = 0;
      fold = 0;
    }

    /** Frees the index. */
    @TearDown
    public void tearDown() {
      require("refused events", 0, refused);
      subject.close();
    }

    final int request() {
      final long[] query = locals[next];
      subject.find(query);
      int best = 0;
      int overlap = subject.score(0);
      for (int w = 1; w < WORKERS; w++) {
        final int score = subject.score(w);
        if (score > overlap || (score == overlap && loads[w] < loads[best])) {
          best = w;
          overlap = score;
        }
      }
      loads[best] += query.length;
      fold = (fold ^ ((long) best << 32 | overlap)) * 0x100000001b3L;
      if (overlap < query.length) {
        store(best, overlap, query, chains[next]);
      }
      next++;
      return best;
    }

    private void store(final int worker, final int from, final long[] local, final long[] chain) {
      final int count = local.length - from;
      final int length =
          KvEventEncoder.stored(
              event,
              0,
              worker,
              0,
              StorageTier.DEVICE,
              stored,
              from > 0,
              from > 0 ? chain[from - 1] : 0,
              count);
      for (int i = 0; i < count; i++) {
        KvEventEncoder.putBlockHash(event, 0, i, chain[from + i]);
        KvEventEncoder.putTokensHash(event, 0, count, i, local[from + i]);
      }
      stored += count;
      refused += subject.apply(event, 0, length) ? 0 : 1;
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Requests {
    /** Makes the state. */
    public Ours() {
      super(IndexSubject.Ours::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Requests {
    /** Makes the state. */
    public Control() {
      super(IndexSubject.Control::new);
    }
  }

  /** One request: look-up, choice, store. */
  @Benchmark
  public int request(final Ours ours) {
    return ours.request();
  }

  /** Control: one request. */
  @Benchmark
  public int controlRequest(final Control control) {
    return control.request();
  }
}
