package io.kvroute.jmh;

import io.kvroute.hash.BlockHasher;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The match of a prompt of 512 pages that is cached down to a depth. The floor is the hashing of
 * the pages that a match cannot do without: those down to the depth and one more. The control
 * always hashes all 512.
 */
public class MatchBenchmark extends BenchmarkBase {
  private static final int PAGES = 512;

  /** Makes the benchmark. */
  public MatchBenchmark() {}

  /** How deep the prompt is cached. */
  @State(Scope.Thread)
  public abstract static class Depth {
    final Prompt prompt = Prompt.numbered(0, PAGES * Subject.PAGE_SIZE);

    /** Cached pages of the prompt. */
    @Param({"0", "1", "8", "64", "512"})
    public int depth;

    /** For subclasses. */
    protected Depth() {}
  }

  /** A manager that has cached the prompt down to the depth. */
  @State(Scope.Thread)
  public abstract static class Cached extends Depth {
    private final Subject.Maker maker;
    private Subject subject;

    Cached(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Caches the prompt down to the depth and checks both kinds of match. */
    @Setup
    public void setUp() {
      subject = maker.make(65_536, "none", 1);
      prompt.length(depth * Subject.PAGE_SIZE);
      require("prefix of a new prompt", 0, subject.allocate(prompt, 0));
      subject.finish(prompt, 0);
      prompt.length(PAGES * Subject.PAGE_SIZE);
      require("prefix", (long) depth * Subject.PAGE_SIZE, match());
      require("prefix without stamps", (long) depth * Subject.PAGE_SIZE, prefixMatchLen());
    }

    /** Checks that matching changed nothing. */
    @TearDown
    public void tearDown() {
      require("nodes", depth == 0 ? 1 : 2, subject.nodes());
      subject.close();
    }

    final long match() {
      return subject.match(prompt);
    }

    final long prefixMatchLen() {
      return subject.prefixMatchLen(prompt);
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Cached {
    /** Makes the state. */
    public Ours() {
      super(ManagerSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Cached {
    /** Makes the state. */
    public Control() {
      super(ControlSubject::new);
    }
  }

  /** A hasher and room for what it makes of the prompt. */
  @State(Scope.Thread)
  public static class Hashing extends Depth {
    private final BlockHasher hasher = BlockHasher.of(Subject.PAGE_SIZE);
    private final long[] hashes = new long[PAGES];

    /** Makes the state. */
    public Hashing() {}

    final long hash() {
      final int pages = Math.min(PAGES, depth + 1);
      hasher.localHashes(prompt.view, 0, pages, hashes, 0);
      return hashes[pages - 1];
    }
  }

  /** Match with stamps. */
  @Benchmark
  public long match(final Ours ours) {
    return ours.match();
  }

  /** Control: match with stamps. */
  @Benchmark
  public long controlMatch(final Control control) {
    return control.match();
  }

  /** Match without stamps. */
  @Benchmark
  public long prefixMatchLen(final Ours ours) {
    return ours.prefixMatchLen();
  }

  /** Control: match without stamps. */
  @Benchmark
  public long controlPrefixMatchLen(final Control control) {
    return control.prefixMatchLen();
  }

  /** Floor of both: hashing alone. */
  @Benchmark
  public long hashOnly(final Hashing hashing) {
    return hashing.hash();
  }
}
