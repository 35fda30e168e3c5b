package io.kvroute.jmh;

import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Workload W4: the requests of a trace, one after the other and over and over. Each is allocated,
 * its cached prefix extended to the prompt, and finished; nothing is decoded.
 *
 * <p>{@code -p trace=FILE} takes a trace that Mooncake published; {@code generated} stands for one
 * that is made here. {@code -p requests=1000} takes the first so many: the control needs
 * milliseconds for each. Sample time tells the tail ({@code -bm sample}).
 *
 * <p>A request's tokens are written into one array just before the clock runs, and so lie near the
 * core, as those of a request that has just come in do.
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
public class TraceBenchmark extends BenchmarkBase {
  private static final String GENERATED = "generated";
  private static final int GENERATED_POOL = 262_144;
  private static final int FILE_POOL = 4_194_304;

  /** Makes the benchmark. */
  public TraceBenchmark() {}

  /** A manager and the requests that it serves. */
  @State(Scope.Thread)
  public abstract static class Requests {
    private final Subject.Maker maker;
    private final Prompt prompt = new Prompt();
    private TraceRequests source;
    private Subject subject;
    private int[] tokens;
    private int count;
    private int next;
    private long refused;

    /** The trace: {@code generated}, or the path of a file. */
    @Param(GENERATED)
    public String trace;

    /** Where events go. */
    @Param({"none", "count"})
    public String sink;

    /** Requests of the trace to serve, from the first on; 0 for all. */
    @Param("0")
    public int requests;

    Requests(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Serves the trace once and checks the figures, if they are known. */
    @Setup
    public void setUp() {
      final boolean made = GENERATED.equals(trace);
      source = made ? TraceRequests.generate() : TraceRequests.read(Path.of(trace));
      count = requests == 0 ? source.count() : Math.min(requests, source.count());
      tokens = new int[source.longest()];
      subject = maker.make(pool(), sink, 1);
      long hits = 0;
      for (int r = 0; r < count; r++) {
        fill();
        hits += Math.max(0, request());
      }
      requireKnown(hits);
      requireSound();
    }

    private long pool() {
      return GENERATED.equals(trace) ? GENERATED_POOL : FILE_POOL;
    }

    private void requireKnown(final long hits) {
      final TraceOutputs known = TraceOutputs.of(source.inputTokens(), count);
      if (known != null) {
        require("hit tokens", known.hitTokens(), hits);
        require("radix nodes", known.nodes(), subject.nodes());
        final boolean counts = Subject.counts(sink);
        require("stored blocks", counts ? known.storedBlocks() : 0, subject.storedBlocks());
        require("removed blocks", counts ? known.removedBlocks() : 0, subject.removedBlocks());
      }
    }

    private void requireSound() {
      require("refused requests", 0, refused);
      require("protected tokens", 0, subject.protectedTokens());
      require("pool", pool(), subject.availableTokens() + subject.evictableTokens());
    }

    /** Writes the next request's tokens. */
    @Setup(Level.Invocation)
    public void fill() {
      prompt.wrap(tokens, source.fill(next, tokens));
      next = next + 1 == count ? 0 : next + 1;
    }

    /** Checks that the pool is whole. */
    @TearDown
    public void tearDown() {
      requireSound();
      subject.close();
    }

    final long request() {
      final long prefix = subject.allocate(prompt, 0);
      if (prefix < 0) {
        refused++;
        return prefix;
      }
      subject.extendCachedPrefix(prompt, 0);
      subject.finish(prompt, 0);
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
