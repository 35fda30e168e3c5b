package io.kvroute.jmh;

import io.kvroute.index.SyntheticWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Look-ups by one thread or two, beside a writer that stores and removes 16 blocks an event, so
 * many a second, and parks between them. A time is that of one look-up of one thread; sample time
 * tells the tail ({@code -bm sample}).
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
public class IndexReadersBenchmark extends BenchmarkBase {
  private static final int DEPTH = 512;

  /** Makes the benchmark. */
  public IndexReadersBenchmark() {}

  /** A filled index and a writer at work. */
  @State(Scope.Benchmark)
  public abstract static class Busy {
    private final IndexSubject.Maker maker;
    private final List<UnsafeBuffer> removals = new ArrayList<>();
    private final List<IndexSubject.Finder> finders = new ArrayList<>();
    private IndexWorkload workload;
    private List<UnsafeBuffer> stores;
    private long[][] queries;
    private Thread writer;
    private volatile boolean stopped;
    private long applied;
    private long refused;
    private long startedNs;

    /** Blocks that the writer stores or removes; 0 for as many as it can. */
    @Param("200000")
    public long blocksPerSecond;

    /** Events that the writer applies before it parks. */
    @Param("16")
    public int eventsPerWake;

    /** Workers, each with one rank. */
    @Param("64")
    public int workers;

    /** Blocks that are stored, counted once for each worker. */
    @Param("1000000")
    public long indexBlocks;

    Busy(final IndexSubject.Maker maker) {
      this.maker = maker;
    }

    /** Fills the index and starts the writer. */
    @Setup
    public void setUp() {
      workload = new IndexWorkload(maker, workers, indexBlocks);
      queries = workload.queries(DEPTH);
      stores = workload.stores(removals);
      writer = new Thread(this::write, "writer");
      startedNs = System.nanoTime();
      writer.start();
    }

    private long eventNs() {
      return blocksPerSecond == 0
          ? 0
          : TimeUnit.SECONDS.toNanos(SyntheticWorkload.EVENT_BLOCKS) / blocksPerSecond;
    }

    private synchronized IndexSubject.Finder newFinder() {
      final IndexSubject.Finder finder = workload.subject().newFinder();
      finders.add(finder);
      return finder;
    }

    private void write() {
      final int half = stores.size();
      while (!stopped) {
        final int at = (int) (applied % (2L * half));
        final UnsafeBuffer event = at < half ? stores.get(at) : removals.get(at - half);
        refused += workload.subject().apply(event, 0, event.capacity()) ? 0 : 1;
        applied++;
        long wait = startedNs + applied * eventNs() - System.nanoTime();
        while (applied % eventsPerWake == 0 && wait > 0 && !stopped) {
          LockSupport.parkNanos(wait);
          wait = startedNs + applied * eventNs() - System.nanoTime();
        }
      }
    }

    /** Stops the writer, and checks that it did what it had to. */
    @TearDown
    public void tearDown() throws InterruptedException {
      final long due = blocksPerSecond == 0 ? 0 : (System.nanoTime() - startedNs) / eventNs();
      stopped = true;
      writer.join();
      finders.forEach(IndexSubject.Finder::close);
      require("refused events", 0, refused);
      if (applied < due * 95 / 100 - 100) {
        throw new IllegalStateException(
            "the writer was too slow: applied=" + applied + " due=" + due);
      }
      workload.close();
    }
  }

  /** Ours. */
  @State(Scope.Benchmark)
  public static class Ours extends Busy {
    /** Makes the state. */
    public Ours() {
      super(IndexSubject.Ours::new);
    }
  }

  /** The control. */
  @State(Scope.Benchmark)
  public static class Control extends Busy {
    /** Makes the state. */
    public Control() {
      super(IndexSubject.Control::new);
    }
  }

  /** What a reading thread has of its own. */
  @State(Scope.Thread)
  public abstract static class Reader {
    private IndexSubject.Finder finder;
    private long[][] queries;
    private int turn;

    final void open(final Busy busy) {
      finder = busy.newFinder();
      queries = busy.queries;
      turn = System.identityHashCode(this) & SyntheticWorkload.QUERIES - 1;
    }

    final int find() {
      turn = turn + 1 & SyntheticWorkload.QUERIES - 1;
      return finder.find(queries[turn]);
    }
  }

  /** A reader of ours. */
  @State(Scope.Thread)
  public static class OurReader extends Reader {
    /** Makes the state. */
    public OurReader() {}

    /** Makes the reader. */
    @Setup
    public void setUp(final Ours ours) {
      open(ours);
    }
  }

  /** A reader of the control. */
  @State(Scope.Thread)
  public static class ControlReader extends Reader {
    /** Makes the state. */
    public ControlReader() {}

    /** Makes the reader. */
    @Setup
    public void setUp(final Control control) {
      open(control);
    }
  }

  /** One thread looks up. */
  @Benchmark
  @Threads(1)
  public int findByOne(final Ours ours, final OurReader reader) {
    return reader.find();
  }

  /** Control: one thread looks up. */
  @Benchmark
  @Threads(1)
  public int controlFindByOne(final Control control, final ControlReader reader) {
    return reader.find();
  }

  /** Two threads look up. */
  @Benchmark
  @Threads(2)
  public int findByTwo(final Ours ours, final OurReader reader) {
    return reader.find();
  }

  /** Control: two threads look up. */
  @Benchmark
  @Threads(2)
  public int controlFindByTwo(final Control control, final ControlReader reader) {
    return reader.find();
  }
}
