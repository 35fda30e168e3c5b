package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Both ways of extending a request of 64 new pages: its allocation by one page, and its cached
 * prefix by all 64. 1,024 requests in a row; they are aborted, their pages evicted and allocated
 * again outside the clock. No events.
 */
public class ExtendBenchmark extends BenchmarkBase {
  private static final int PAGES = 64;

  /** Makes the benchmark. */
  public ExtendBenchmark() {}

  /** A manager whose cache is empty, and requests that run. */
  @State(Scope.Thread)
  public abstract static class Running {
    private final Subject.Maker maker;
    private Batch batch;

    Running(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Makes the requests and checks both kinds of extension. */
    @Setup
    public void setUp() {
      final long page = (long) Batch.REQUESTS * Subject.PAGE_SIZE;
      batch = new Batch(maker, "none", Batch.REQUESTS, PAGES, 1);
      start();
      require("available tokens", page, batch.subject.availableTokens());
      require("protected tokens", 0, batch.subject.protectedTokens());
      require("extended", Batch.REQUESTS, extendAllocation());
      require("available tokens after an extension", 0, batch.subject.availableTokens());
      start();
      extendCachedPrefix();
      require("protected tokens after an extension", PAGES * page, batch.subject.protectedTokens());
      require("nodes", 1L + Batch.REQUESTS, batch.subject.nodes());
    }

    /** Takes everything back and allocates again. */
    @Setup(Level.Invocation)
    public void start() {
      batch.abort();
      batch.subject.evict(batch.subject.evictableTokens());
      require("prefixes", 0, batch.allocate());
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown() {
      batch.close();
    }

    final void extendCachedPrefix() {
      batch.extendCachedPrefix();
    }

    final long extendAllocation() {
      return batch.extendAllocation();
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

  /** Extend the allocation by a page. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long extendAllocation(final Ours ours) {
    return ours.extendAllocation();
  }

  /** Control: extend the allocation by a page. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long controlExtendAllocation(final Control control) {
    return control.extendAllocation();
  }

  /** Extend the cached prefix by 64 pages. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public void extendCachedPrefix(final Ours ours) {
    ours.extendCachedPrefix();
  }

  /** Control: extend the cached prefix by 64 pages. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public void controlExtendCachedPrefix(final Control control) {
    control.extendCachedPrefix();
  }
}
