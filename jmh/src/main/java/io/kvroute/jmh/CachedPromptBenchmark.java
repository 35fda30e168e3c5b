package io.kvroute.jmh;

import io.kvroute.hash.BlockHasher;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Workload W2: prompts of 1,024 tokens that are cached as a whole, allocated and finished in turn.
 * Beside it the match alone and, as its floor, the hashing of the prompt alone.
 */
public class CachedPromptBenchmark extends BenchmarkBase {
  private static final int PROMPTS = 48;
  private static final int TOKENS = 1024;

  /** Makes the benchmark. */
  public CachedPromptBenchmark() {}

  /** The prompts, one after the other, over and over. */
  @State(Scope.Thread)
  public abstract static class Turns {
    final Prompt[] prompts = Prompt.distinct(PROMPTS, TOKENS);
    private int next;

    /** For subclasses. */
    protected Turns() {}

    final Prompt turn() {
      next = next + 1 == PROMPTS ? 0 : next + 1;
      return prompts[next];
    }
  }

  /** A manager that has cached all prompts. */
  @State(Scope.Thread)
  public abstract static class Cached extends Turns {
    private final Subject.Maker maker;
    private Subject subject;

    /** Where events go. */
    @Param({"none", "count"})
    public String sink;

    Cached(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Caches all prompts and checks that they are found. */
    @Setup
    public void setUp() {
      subject = maker.make(65_536, sink, 1);
      for (int p = 0; p < PROMPTS; p++) {
        require("prefix of a new prompt", 0, allocateFinish());
      }
      for (int p = 0; p < PROMPTS; p++) {
        require("prefix of a cached prompt", TOKENS, allocateFinish());
        require("match", TOKENS, match());
      }
    }

    /** Checks that nothing was left behind and nothing announced again. */
    @TearDown
    public void tearDown() {
      final long blocks = (long) PROMPTS * TOKENS / Subject.PAGE_SIZE;
      require("protected tokens", 0, subject.protectedTokens());
      require("cached tokens", (long) PROMPTS * TOKENS, subject.evictableTokens());
      require("stored blocks", Subject.counts(sink) ? blocks : 0, subject.storedBlocks());
      subject.close();
    }

    final long allocateFinish() {
      final Prompt prompt = turn();
      final long prefix = subject.allocate(prompt, 0);
      subject.finish(prompt, 0);
      return prefix;
    }

    final long match() {
      return subject.match(turn());
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

  /** A hasher and room for what it makes of a prompt. */
  @State(Scope.Thread)
  public static class Hashing extends Turns {
    private final BlockHasher hasher = BlockHasher.of(Subject.PAGE_SIZE);
    private final long[] hashes = new long[TOKENS / Subject.PAGE_SIZE];

    /** Makes the state. */
    public Hashing() {}

    final long hash() {
      hasher.localHashes(turn().view, 0, hashes.length, hashes, 0);
      return hashes[hashes.length - 1];
    }
  }

  /** Allocate and finish. */
  @Benchmark
  public long allocateFinish(final Ours ours) {
    return ours.allocateFinish();
  }

  /** Control: allocate and finish. */
  @Benchmark
  public long controlAllocateFinish(final Control control) {
    return control.allocateFinish();
  }

  /** The match alone. */
  @Benchmark
  public long match(final Ours ours) {
    return ours.match();
  }

  /** Control: the match alone. */
  @Benchmark
  public long controlMatch(final Control control) {
    return control.match();
  }

  /** Floor of both: hashing alone. */
  @Benchmark
  public long hashOnly(final Hashing hashing) {
    return hashing.hash();
  }
}
