package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Workload W3: requests of 768 tokens, 512 of them shared with one of 64 prompts, that decode 32
 * more in a pool that is always full.
 *
 * <p>The tokens of 4,000 requests are made before the clock runs, and the requests come lap after
 * lap. The pool holds what fewer than 250 of them do not share, so in the next lap that is as new
 * to it as it was in the first; the set-up checks that none of it is found.
 */
public class ChurnBenchmark extends BenchmarkBase {
  private static final int POOL = 65_536;
  private static final int PREFIXES = 64;
  private static final int SHARED = 512;
  private static final int OWN = 256;
  private static final int DECODED = 32;
  private static final int PROMPT = SHARED + OWN;
  private static final int REQUESTS = 4_000;
  private static final int KNOWN = 2_000;

  /** Makes the benchmark. */
  public ChurnBenchmark() {}

  private static int[][] lap() {
    final int[][] lap = new int[REQUESTS][PROMPT + DECODED];
    long random = 42;
    for (int r = 0; r < REQUESTS; r++) {
      random = random * 6364136223846793005L + 1442695040888963407L;
      final int prefix = (int) ((random >>> 33) % PREFIXES);
      for (int j = 0; j < SHARED; j++) {
        lap[r][j] = prefix * SHARED + j;
      }
      for (int j = 0; j < OWN; j++) {
        lap[r][SHARED + j] = 1_000_000 + r * OWN + j;
      }
      for (int j = 0; j < DECODED; j++) {
        lap[r][PROMPT + j] = 0x40000000 + r * DECODED + j;
      }
    }
    return lap;
  }

  /** A manager and the requests that it serves. */
  @State(Scope.Thread)
  public abstract static class Requests {
    private final Subject.Maker maker;
    private final int[][] lap = lap();
    private final Prompt prompt = new Prompt();
    private Subject subject;
    private int next;

    /** Where events go. */
    @Param({"none", "count"})
    public String sink;

    Requests(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Serves two laps and checks the known figures. */
    @Setup
    public void setUp() {
      subject = maker.make(POOL, sink, 1);
      long hits = serve(KNOWN);
      require("hit tokens", 878_848, hits);
      require("radix nodes", 184, subject.nodes());
      require("stored blocks", Subject.counts(sink) ? 45_072 : 0, subject.storedBlocks());
      hits += serve(REQUESTS - KNOWN);
      require("hit tokens of the first lap", 1_772_576, hits);
      require("hit tokens of the second lap", 1_793_056, serve(REQUESTS));
    }

    /** Serves requests, none of which may find more than what is shared. */
    private long serve(final int requests) {
      long hits = 0;
      for (int i = 0; i < requests; i++) {
        final long prefix = request();
        require("tokens found beyond the shared ones", 0, Math.max(0, prefix - SHARED));
        hits += prefix;
      }
      return hits;
    }

    /** Checks that the pool is whole. */
    @TearDown
    public void tearDown() {
      require("protected tokens", 0, subject.protectedTokens());
      require("evictable tokens", POOL, subject.evictableTokens());
      subject.close();
    }

    final long request() {
      final int[] tokens = lap[next];
      next = next + 1 == REQUESTS ? 0 : next + 1;
      prompt.wrap(tokens, PROMPT);
      final long prefix = subject.allocate(prompt, 0);
      subject.extendCachedPrefix(prompt, 0);
      for (int j = 0; j < DECODED; j++) {
        subject.decode(0);
      }
      subject.finish(prompt.length(tokens.length), 0);
      return prefix;
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Requests {
    /** Makes the state. */
    public Ours() {
      super(ManagerSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Requests {
    /** Makes the state. */
    public Control() {
      super(ControlSubject::new);
    }
  }

  /** One request from allocation to finish. */
  @Benchmark
  public long request(final Ours ours) {
    return ours.request();
  }

  /** Control: one request from allocation to finish. */
  @Benchmark
  public long controlRequest(final Control control) {
    return control.request();
  }
}
