package io.kvroute.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A whole decision, sampled: a prompt of 8,192 tokens is hashed, looked up in a warm index, weighed
 * against the loads of 64 workers with 512 active requests, and booked. The oldest request is freed
 * outside the clock. Every request must go to the worker that has its conversation.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecisionBenchmark extends BenchmarkBase {
  private static final int ACTIVE = 512;

  /** Makes the benchmark. */
  public DecisionBenchmark() {}

  /** A router with a warm index and active requests. */
  @State(Scope.Thread)
  public abstract static class Warm {
    private final RoutingSubject.Maker maker;
    private Conversations conversations;
    private RoutingSubject subject;
    private long turn;
    private long astray;

    /** Blocks of the index. */
    @Param("1000000")
    public long indexBlocks;

    Warm(final RoutingSubject.Maker maker) {
      this.maker = maker;
    }

    /** Fills the index and books the first requests. */
    @Setup
    public void setUp() {
      conversations = new Conversations(indexBlocks);
      subject = maker.make(Conversations.WORKERS, conversations.blocks(), 2 * ACTIVE);
      conversations.store(subject);
      require("index blocks", conversations.blocks(), subject.indexBlocks());
      for (turn = 0; turn < ACTIVE; turn++) {
        route();
        require("prefill marked", 1, subject.mark(turn) ? 1 : 0);
      }
      require("requests that went astray", 0, astray);
    }

    /** Ends the oldest request. */
    @TearDown(Level.Invocation)
    public void freeOldest() {
      if (!subject.mark(turn) || !subject.free(turn - ACTIVE)) {
        throw new IllegalStateException("a request is not active: turn=" + turn);
      }
      turn++;
    }

    /** Checks that all went where they should. */
    @TearDown
    public void tearDown() {
      require("requests that went astray", 0, astray);
      require("active requests", ACTIVE, subject.requests());
      subject.close();
    }

    final long route() {
      final long worker = subject.route(turn, conversations.prompt(turn));
      if (worker != conversations.holder(turn)) {
        astray++;
      }
      return worker;
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Warm {
    /** Makes the state. */
    public Ours() {
      super(KvRouterSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Warm {
    /** Makes the state. */
    public Control() {
      super(ControlRouter::new);
    }
  }

  /** Hash, find, project, select, book. */
  @Benchmark
  public long route(final Ours ours) {
    return ours.route();
  }

  /** Control: hash, find, project, select, book. */
  @Benchmark
  public long controlRoute(final Control control) {
    return control.route();
  }
}
