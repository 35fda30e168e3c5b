package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Workload W5, the look-up: 1,024 prompts of 512 blocks in turn, of which some worker holds so many
 * leading blocks. What they find is checked against what was stored.
 */
public class IndexFindBenchmark extends BenchmarkBase {

  /** Makes the benchmark. */
  public IndexFindBenchmark() {}

  /** A filled index and queries. */
  @State(Scope.Thread)
  public abstract static class Filled {
    private final IndexSubject.Maker maker;
    private IndexWorkload workload;
    private IndexSubject subject;
    private long[][] queries;
    private int turn;

    /** Workers, each with one rank. */
    @Param({"8", "64", "512"})
    public int workers;

    /** Blocks that are stored, counted once for each worker. */
    @Param("1000000")
    public long indexBlocks;

    /** Leading blocks of a query that are held. */
    @Param({"16", "128", "512"})
    public int depth;

    Filled(final IndexSubject.Maker maker) {
      this.maker = maker;
    }

    /** Fills the index, and checks what the queries find. */
    @Setup
    public void setUp() {
      workload = new IndexWorkload(maker, workers, indexBlocks);
      queries = workload.queries(depth);
      subject = workload.subject();
    }

    /** Frees the index. */
    @TearDown
    public void tearDown() {
      workload.close();
    }

    final int find() {
      turn = turn + 1 & queries.length - 1;
      return subject.find(queries[turn]);
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Filled {
    /** Makes the state. */
    public Ours() {
      super(IndexSubject.Ours::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Filled {
    /** Makes the state. */
    public Control() {
      super(IndexSubject.Control::new);
    }
  }

  /** One look-up. */
  @Benchmark
  public int find(final Ours ours) {
    return ours.find();
  }

  /** Control: one look-up. */
  @Benchmark
  public int controlFind(final Control control) {
    return control.find();
  }
}
