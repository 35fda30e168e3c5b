package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Both ways of extending a request. The allocation: a request whose prompt of 64 pages is cached
 * gets one page more. The cached prefix: 64 new pages of a request are put into the tree. 1,024
 * requests in a row; what undoes it is outside the clock. No events.
 */
public class ExtendBenchmark extends BenchmarkBase {
  private static final int PAGES = 64;
  private static final long PAGE_OF_EACH = (long) Batch.REQUESTS * Subject.PAGE_SIZE;

  /** Makes the benchmark. */
  public ExtendBenchmark() {}

  /** A manager that has cached all prompts, and requests that run on them. */
  @State(Scope.Thread)
  public abstract static class Cached {
    private final Subject.Maker maker;
    private Batch batch;

    Cached(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Caches the prompts, and checks that an extension takes a page. */
    @Setup
    public void setUp() {
      batch = new Batch(maker, "none", Batch.REQUESTS, PAGES, 1);
      batch.allocate();
      batch.finish();
      start();
      require("available tokens", PAGE_OF_EACH, batch.subject.availableTokens());
      require("extended", Batch.REQUESTS, extendAllocation());
      require("available tokens after it", 0, batch.subject.availableTokens());
    }

    /** Takes the pages back and allocates again. */
    @Setup(Level.Invocation)
    public void start() {
      batch.abort();
      require("prefixes", PAGES * PAGE_OF_EACH, batch.allocate());
    }

    /** Checks that no page was cached in addition. */
    @TearDown
    public void tearDown() {
      require("protected tokens", PAGES * PAGE_OF_EACH, batch.subject.protectedTokens());
      batch.close();
    }

    final long extendAllocation() {
      return batch.extendAllocation();
    }
  }

  /** A manager whose cache is empty, and requests that run. */
  @State(Scope.Thread)
  public abstract static class Uncached {
    private final Subject.Maker maker;
    private Batch batch;

    Uncached(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Makes the requests, and checks that an extension caches all pages. */
    @Setup
    public void setUp() {
      batch = new Batch(maker, "none", Batch.REQUESTS, PAGES, 0);
      start();
      require("protected tokens", 0, batch.subject.protectedTokens());
      extendCachedPrefix();
      require("protected tokens after it", PAGES * PAGE_OF_EACH, batch.subject.protectedTokens());
      require("nodes", 1L + Batch.REQUESTS, batch.subject.nodes());
    }

    /** Takes all pages back and allocates again. */
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
  }

  /** Ours, with prompts that are cached. */
  @State(Scope.Thread)
  public static class CachedOurs extends Cached {
    /** Makes the state. */
    public CachedOurs() {
      super(ManagerSubject::new);
    }
  }

  /** The control, with prompts that are cached. */
  @State(Scope.Thread)
  public static class CachedControl extends Cached {
    /** Makes the state. */
    public CachedControl() {
      super(ControlSubject::new);
    }
  }

  /** Ours, with prompts that are uncached. */
  @State(Scope.Thread)
  public static class UncachedOurs extends Uncached {
    /** Makes the state. */
    public UncachedOurs() {
      super(ManagerSubject::new);
    }
  }

  /** The control, with prompts that are uncached. */
  @State(Scope.Thread)
  public static class UncachedControl extends Uncached {
    /** Makes the state. */
    public UncachedControl() {
      super(ControlSubject::new);
    }
  }

  /** Extend the allocation by a page. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long extendAllocation(final CachedOurs ours) {
    return ours.extendAllocation();
  }

  /** Control: extend the allocation by a page. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public long controlExtendAllocation(final CachedControl control) {
    return control.extendAllocation();
  }

  /** Extend the cached prefix by 64 pages. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public void extendCachedPrefix(final UncachedOurs ours) {
    ours.extendCachedPrefix();
  }

  /** Control: extend the cached prefix by 64 pages. */
  @Benchmark
  @OperationsPerInvocation(Batch.REQUESTS)
  public void controlExtendCachedPrefix(final UncachedControl control) {
    control.extendCachedPrefix();
  }
}
