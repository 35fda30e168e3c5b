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
 * What announcing costs: an allocation announces 64 new blocks, an abort that they are gone. The
 * figure is the difference between the sinks {@code count} and {@code none}; the operation around
 * it is in both. 1,024 requests in a row; what undoes it is outside the clock.
 */
public class PublishBenchmark extends BenchmarkBase {
  private static final int PAGES = 64;
  private static final long BLOCKS = (long) Batch.REQUESTS * PAGES;

  /** Makes the benchmark. */
  public PublishBenchmark() {}

  /** A manager whose cache is empty, and requests that wait or run. */
  @State(Scope.Thread)
  public abstract static class Requests {
    private final Subject.Maker maker;
    private Batch batch;

    /** Where events go. */
    @Param({"none", "count"})
    public String sink;

    Requests(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Allocates and aborts once, and checks what was announced. */
    @Setup
    public void setUp() {
      final long announced = Subject.counts(sink) ? BLOCKS : 0;
      batch = new Batch(maker, sink, Batch.REQUESTS, PAGES, 0);
      require("prefixes", 0, allocate());
      require("stored blocks", announced, batch.subject.storedBlocks());
      require("requests that ran", Batch.REQUESTS, abort());
      require("removed blocks", announced, batch.subject.removedBlocks());
    }

    /** Checks that what was announced was taken back. */
    @TearDown
    public void tearDown() {
      abort();
      require("removed blocks", batch.subject.storedBlocks(), batch.subject.removedBlocks());
      require("nodes", 1, batch.subject.nodes());
      batch.close();
    }

    final long allocate() {
      return batch.allocate();
    }

    final long abort() {
      return batch.abort();
    }
  }

  /** Ours, with requests that wait. */
  @State(Scope.Thread)
  public static class WaitingOurs extends Requests {
    /** Makes the state. */
    public WaitingOurs() {
      super(ManagerSubject::new);
    }

    /** Takes all pages back. */
    @Setup(Level.Invocation)
    public void prepare() {
      abort();
    }
  }

  /** The control, with requests that wait. */
  @State(Scope.Thread)
  public static class WaitingControl extends Requests {
    /** Makes the state. */
    public WaitingControl() {
      super(ControlSubject::new);
    }

    /** Takes all pages back. */
    @Setup(Level.Invocation)
    public void prepare() {
      abort();
    }
  }

  /** Ours, with requests that run. */
  @State(Scope.Thread)
  public static class RunningOurs extends Requests {
    /** Makes the state. */
    public RunningOurs() {
      super(ManagerSubject::new);
    }

    /** Allocates for all requests. */
    @Setup(Level.Invocation)
    public void prepare() {
      allocate();
    }
  }

  /** The control, with requests that run. */
  @State(Scope.Thread)
  public static class RunningControl extends Requests {
    /** Makes the state. */
    public RunningControl() {
      super(ControlSubject::new);
    }

    /** Allocates for all requests. */
    @Setup(Level.Invocation)
    public void prepare() {
      allocate();
    }
  }

  /** Allocate, which announces 64 stored blocks. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long allocate(final WaitingOurs ours) {
    return ours.allocate();
  }

  /** Control: allocate, which announces 64 stored blocks. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long controlAllocate(final WaitingControl control) {
    return control.allocate();
  }

  /** Abort, which announces 64 removed blocks. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long abort(final RunningOurs ours) {
    return ours.abort();
  }

  /** Control: abort, which announces 64 removed blocks. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long controlAbort(final RunningControl control) {
    return control.abort();
  }
}
