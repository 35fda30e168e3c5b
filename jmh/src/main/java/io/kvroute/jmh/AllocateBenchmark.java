package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Allocation alone: a prompt of which nothing is cached gets new pages from a pool that has them.
 * 1,024 requests in a row; they are aborted outside the clock. No events.
 */
public class AllocateBenchmark extends BenchmarkBase {
  /** Makes the benchmark. */
  public AllocateBenchmark() {}

  /** A manager whose cache is empty, and requests that wait. */
  @State(Scope.Thread)
  public abstract static class Waiting {
    private final Subject.Maker maker;
    private Batch batch;

    /** Pages of a prompt. */
    @Param({"1", "64"})
    public int pages;

    Waiting(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Allocates once and checks that all pages were new. */
    @Setup
    public void setUp() {
      batch = new Batch(maker, "none", Batch.REQUESTS, pages, 0);
      require("prefixes", 0, allocate());
      require("available tokens", 0, batch.subject.availableTokens());
    }

    /** Takes all pages back. */
    @Setup(Level.Invocation)
    public void abort() {
      require("requests that ran", Batch.REQUESTS, batch.abort());
    }

    /** Checks that nothing was cached. */
    @TearDown
    public void tearDown() {
      require("nodes", 1, batch.subject.nodes());
      batch.close();
    }

    final long allocate() {
      return batch.allocate();
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Waiting {
    /** Makes the state. */
    public Ours() {
      super(ManagerSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Waiting {
    /** Makes the state. */
    public Control() {
      super(ControlSubject::new);
    }
  }

  /** Allocate. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long allocate(final Ours ours) {
    return ours.allocate();
  }

  /** Control: allocate. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long controlAllocate(final Control control) {
    return control.allocate();
  }
}
