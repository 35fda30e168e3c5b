package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Marking the prefill of a request as done, and freeing it: 1,024 requests of 512 blocks each on 64
 * workers, booked outside the clock.
 */
@OperationsPerInvocation(RequestEndBenchmark.REQUESTS)
public class RequestEndBenchmark extends BenchmarkBase {
  static final int REQUESTS = 1024;
  private static final long INDEX_BLOCKS = 65_536;

  /** Makes the benchmark. */
  public RequestEndBenchmark() {}

  /** Requests that are active before each invocation. */
  @State(Scope.Thread)
  public abstract static class Booked {
    private final RoutingSubject.Maker maker;
    private Conversations conversations;
    private RoutingSubject subject;

    Booked(final RoutingSubject.Maker maker) {
      this.maker = maker;
    }

    /** Makes the router. */
    @Setup
    public void setUp() {
      conversations = new Conversations(INDEX_BLOCKS);
      subject = maker.make(Conversations.WORKERS, conversations.blocks(), REQUESTS);
      conversations.store(subject);
    }

    /** Books what is missing. */
    @Setup(Level.Invocation)
    public void book() {
      if (subject.requests() == 0) {
        for (int key = 0; key < REQUESTS; key++) {
          subject.route(key, conversations.prompt(key));
        }
      }
      require("active requests", REQUESTS, subject.requests());
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown() {
      subject.close();
    }

    final long markAll() {
      long marked = 0;
      for (int key = 0; key < REQUESTS; key++) {
        marked += subject.mark(key) ? 1 : 0;
      }
      require("marked requests", REQUESTS, marked);
      return marked;
    }

    final long freeAll() {
      long freed = 0;
      for (int key = 0; key < REQUESTS; key++) {
        freed += subject.free(key) ? 1 : 0;
      }
      require("freed requests", REQUESTS, freed);
      return freed;
    }
  }

  /** Requests that are booked anew before each invocation. */
  @State(Scope.Thread)
  public abstract static class Fresh extends Booked {
    Fresh(final RoutingSubject.Maker maker) {
      super(maker);
    }

    /** Ends them all, so that they are booked anew. */
    @TearDown(Level.Invocation)
    public void end() {
      freeAll();
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Booked {
    /** Makes the state. */
    public Ours() {
      super(KvRouterSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Booked {
    /** Makes the state. */
    public Control() {
      super(ControlRouter::new);
    }
  }

  /** Ours, booked anew. */
  @State(Scope.Thread)
  public static class FreshOurs extends Fresh {
    /** Makes the state. */
    public FreshOurs() {
      super(KvRouterSubject::new);
    }
  }

  /** The control, booked anew. */
  @State(Scope.Thread)
  public static class FreshControl extends Fresh {
    /** Makes the state. */
    public FreshControl() {
      super(ControlRouter::new);
    }
  }

  /** Marks the prefill of a request as done. */
  @Benchmark
  public long markPrefill(final FreshOurs ours) {
    return ours.markAll();
  }

  /** Control: marks the prefill of a request as done. */
  @Benchmark
  public long controlMarkPrefill(final FreshControl control) {
    return control.markAll();
  }

  /** Frees a request of 512 blocks whose prefill is not done. */
  @Benchmark
  public long free(final Ours ours) {
    return ours.freeAll();
  }

  /** Control: frees a request of 512 blocks whose prefill is not done. */
  @Benchmark
  public long controlFree(final Control control) {
    return control.freeAll();
  }
}
