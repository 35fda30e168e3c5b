package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Finishing a request whose whole prompt of 64 pages was cached before it came. 1,024 requests in a
 * row, 16 for each of 64 prompts; they are allocated again outside the clock. No events.
 */
public class FinishBenchmark extends BenchmarkBase {
  private static final int PROMPTS = 64;
  private static final int PAGES = 64;

  /** Makes the benchmark. */
  public FinishBenchmark() {}

  /** A manager that has cached all prompts, and requests that run. */
  @State(Scope.Thread)
  public abstract static class Running {
    private final Subject.Maker maker;
    private Batch batch;

    Running(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Caches the prompts. */
    @Setup
    public void setUp() {
      batch = new Batch(maker, "none", PROMPTS, PAGES, 0);
      for (int p = 0; p < PROMPTS; p++) {
        batch.cache(p);
      }
      require("nodes", 1 + PROMPTS, batch.subject.nodes());
      start();
      require("evictable tokens while they run", 0, batch.subject.evictableTokens());
      finish();
      require("protected tokens afterwards", 0, batch.subject.protectedTokens());
    }

    /** Allocates for all requests, which find their prompts. */
    @Setup(Level.Invocation)
    public void start() {
      require("prefixes", (long) Batch.REQUESTS * PAGES * Subject.PAGE_SIZE, batch.allocate());
    }

    /** Checks that the cache is as it was. */
    @TearDown
    public void tearDown() {
      require("nodes at the end", 1 + PROMPTS, batch.subject.nodes());
      batch.close();
    }

    final void finish() {
      batch.finish();
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Running {
    /** Makes the state. */
    public Ours() {
      super(ManagerSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Running {
    /** Makes the state. */
    public Control() {
      super(ControlSubject::new);
    }
  }

  /** Finish. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public void finish(final Ours ours) {
    ours.finish();
  }

  /** Control: finish. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public void controlFinish(final Control control) {
    control.finish();
  }
}
