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
 * Eviction of the oldest of many one-page leaves, alone and with the insertion of a new one, which
 * is what a full cache does for every page. Alone it is measured 100 evictions at a time; the same
 * number of leaves is inserted again before the next time, outside the clock.
 */
public class EvictBenchmark extends BenchmarkBase {
  private static final int EVICTIONS = 100;

  /** Makes the benchmark. */
  public EvictBenchmark() {}

  /** A manager that is full of one-page leaves. */
  @State(Scope.Thread)
  public abstract static class Leaves {
    private final Subject.Maker maker;
    private final Prompt prompt = new Prompt().wrap(new int[Subject.PAGE_SIZE], Subject.PAGE_SIZE);
    private Subject subject;
    private int serial;

    /** Leaves in the cache. */
    @Param({"1000", "100000"})
    public int leaves;

    Leaves(final Subject.Maker maker) {
      this.maker = maker;
    }

    /**
     * Fills the cache. All requests are allocated before the first is finished: the control counts
     * its cache page by page in every allocation.
     */
    @Setup
    public void setUp() {
      subject = maker.make((long) leaves * Subject.PAGE_SIZE, "none", leaves);
      for (int i = 0; i < leaves; i++) {
        prompt.tokens[0] = i;
        require("prefix of a new prompt", 0, subject.allocate(prompt, i));
      }
      for (; serial < leaves; serial++) {
        prompt.tokens[0] = serial;
        subject.finish(prompt, serial);
      }
      requireFull();
      evictInsert();
      requireFull();
      prompt.tokens[0] = 0;
      require("prefix of the oldest after its eviction", 0, subject.prefixMatchLen(prompt));
      prompt.tokens[0] = 1;
      require("prefix of the next", Subject.PAGE_SIZE, subject.prefixMatchLen(prompt));
    }

    private void requireFull() {
      require("nodes", leaves + 1L, subject.nodes());
      require("available tokens", 0, subject.availableTokens());
    }

    /** Checks that the cache is full of leaves, or is again when they are filled up. */
    @TearDown
    public void tearDown() {
      fillUp();
      requireFull();
      subject.close();
    }

    final void fillUp() {
      while (subject.availableTokens() > 0) {
        insert();
      }
    }

    private long insert() {
      prompt.tokens[0] = serial++;
      final long prefix = subject.allocate(prompt, 0);
      subject.finish(prompt, 0);
      return prefix;
    }

    final long evictInsert() {
      subject.evict(Subject.PAGE_SIZE);
      return insert();
    }

    final void evict() {
      for (int i = 0; i < EVICTIONS; i++) {
        subject.evict(Subject.PAGE_SIZE);
      }
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Leaves {
    /** Makes the state. */
    public Ours() {
      super(ManagerSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Leaves {
    /** Makes the state. */
    public Control() {
      super(ControlSubject::new);
    }
  }

  /** Ours, filled up before each invocation. */
  @State(Scope.Thread)
  public static class OursRefilled extends Ours {
    /** Makes the state. */
    public OursRefilled() {}

    /** Inserts as many leaves as were evicted. */
    @Setup(Level.Invocation)
    public void refill() {
      fillUp();
    }
  }

  /** The control, filled up before each invocation. */
  @State(Scope.Thread)
  public static class ControlRefilled extends Control {
    /** Makes the state. */
    public ControlRefilled() {}

    /** Inserts as many leaves as were evicted. */
    @Setup(Level.Invocation)
    public void refill() {
      fillUp();
    }
  }

  /** Evict one page and insert one. */
  @Benchmark
  public long evictInsert(final Ours ours) {
    return ours.evictInsert();
  }

  /** Control: evict one page and insert one. */
  @Benchmark
  public long controlEvictInsert(final Control control) {
    return control.evictInsert();
  }

  /** Evict one page. */
  @Benchmark
  @OperationsPerInvocation(EVICTIONS)
  public void evict(final OursRefilled ours) {
    ours.evict();
  }

  /** Control: evict one page. */
  @Benchmark
  @OperationsPerInvocation(EVICTIONS)
  public void controlEvict(final ControlRefilled control) {
    control.evict();
  }
}
