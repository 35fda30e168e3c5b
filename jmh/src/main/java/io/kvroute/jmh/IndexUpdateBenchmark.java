package io.kvroute.jmh;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Workload W5, changes: 2,000 events that each store 16 fresh blocks below a shared prefix that the
 * worker holds, or their removals, the deepest block first. The other half is done while the clock
 * is stopped. A time is that of one event.
 */
public class IndexUpdateBenchmark extends BenchmarkBase {
  private static final int EVENTS = 2_000;

  /** Makes the benchmark. */
  public IndexUpdateBenchmark() {}

  /** A filled index and events. */
  @State(Scope.Thread)
  public abstract static class Filled {
    private final IndexSubject.Maker maker;
    private final boolean storing;
    private final List<UnsafeBuffer> removals = new ArrayList<>();
    private IndexWorkload workload;
    private IndexSubject subject;
    private List<UnsafeBuffer> stores;
    private long heldBlocks;

    /** Workers, each with one rank. */
    @Param({"8", "64", "512"})
    public int workers;

    /** Blocks that are stored, counted once for each worker. */
    @Param("1000000")
    public long indexBlocks;

    Filled(final IndexSubject.Maker maker, final boolean storing) {
      this.maker = maker;
      this.storing = storing;
    }

    /** Fills the index, and checks that what is stored and removed leaves nothing behind. */
    @Setup
    public void setUp() {
      workload = new IndexWorkload(maker, workers, indexBlocks);
      subject = workload.subject();
      stores = workload.stores(removals);
      require("events", EVENTS, stores.size());
      heldBlocks = subject.heldBlocks();
      require("refused stores", 0, apply(stores));
      require("held blocks", heldBlocks + 16L * EVENTS, subject.heldBlocks());
      if (storing) {
        undo();
      }
    }

    /** Brings the index back to where the clock starts. */
    @TearDown(Level.Invocation)
    public void undo() {
      require("refused events", 0, apply(storing ? removals : stores));
      require("held blocks", heldBlocks + (storing ? 0 : 16L * EVENTS), subject.heldBlocks());
    }

    /** Frees the index. */
    @TearDown
    public void tearDown() {
      workload.close();
    }

    final int apply() {
      return apply(storing ? stores : removals);
    }

    private int apply(final List<UnsafeBuffer> events) {
      int refused = 0;
      for (int i = 0; i < EVENTS; i++) {
        final UnsafeBuffer event = events.get(i);
        refused += subject.apply(event, 0, event.capacity()) ? 0 : 1;
      }
      return refused;
    }
  }

  /** Ours, storing. */
  @State(Scope.Thread)
  public static class Storing extends Filled {
    /** Makes the state. */
    public Storing() {
      super(IndexSubject.Ours::new, true);
    }
  }

  /** Ours, removing. */
  @State(Scope.Thread)
  public static class Removing extends Filled {
    /** Makes the state. */
    public Removing() {
      super(IndexSubject.Ours::new, false);
    }
  }

  /** The control, storing. */
  @State(Scope.Thread)
  public static class ControlStoring extends Filled {
    /** Makes the state. */
    public ControlStoring() {
      super(IndexSubject.Control::new, true);
    }
  }

  /** The control, removing. */
  @State(Scope.Thread)
  public static class ControlRemoving extends Filled {
    /** Makes the state. */
    public ControlRemoving() {
      super(IndexSubject.Control::new, false);
    }
  }

  /** Stores 16 blocks. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int store(final Storing ours) {
    return ours.apply();
  }

  /** Control: stores 16 blocks. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int controlStore(final ControlStoring control) {
    return control.apply();
  }

  /** Removes 16 blocks. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int remove(final Removing ours) {
    return ours.apply();
  }

  /** Control: removes 16 blocks. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int controlRemove(final ControlRemoving control) {
    return control.apply();
  }
}
