package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One page of growth of a running request: 16 decoded tokens, then the cached prefix is extended
 * with events on. The cost must not depend on the context that is there already; the control's
 * does, for it hashes the whole context again.
 */
public class GrowthBenchmark extends BenchmarkBase {
  private static final int GROWTH_PAGES = 8_192;

  /** Makes the benchmark. */
  public GrowthBenchmark() {}

  /** A manager with one running request. */
  @State(Scope.Thread)
  public abstract static class Running {
    private final Subject.Maker maker;
    private Prompt prompt;
    private Subject subject;

    /** Pages of context before the growth. */
    @Param({"512", "8192"})
    public int contextPages;

    Running(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Caches the context and checks one step. */
    @Setup
    public void setUp() {
      prompt = Prompt.numbered(0, (contextPages + GROWTH_PAGES) * Subject.PAGE_SIZE);
      subject = maker.make(prompt.count, "count", 1);
      start();
      final long hashed = subject.hashedBlocks();
      final long stored = subject.storedBlocks();
      require("cached tokens after a step", (contextPages + 1L) * Subject.PAGE_SIZE, grow());
      require("blocks hashed by one step", 1, subject.hashedBlocks() - hashed);
      require("blocks announced by one step", 1, subject.storedBlocks() - stored);
    }

    private void start() {
      prompt.length(contextPages * Subject.PAGE_SIZE);
      subject.allocate(prompt, 0);
      subject.extendCachedPrefix(prompt, 0);
      require("cached tokens", prompt.count, subject.cachedTokens(0));
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown() {
      subject.abort(0);
      require("protected tokens", 0, subject.protectedTokens());
      subject.close();
    }

    final long grow() {
      if (prompt.count == prompt.tokens.length) {
        subject.abort(0);
        subject.evict((long) GROWTH_PAGES * Subject.PAGE_SIZE);
        start();
      }
      for (int j = 0; j < Subject.PAGE_SIZE; j++) {
        subject.decode(0);
      }
      subject.extendCachedPrefix(prompt.length(prompt.count + Subject.PAGE_SIZE), 0);
      return subject.cachedTokens(0);
    }
  }

  /** Ours. */
  @State(Scope.Thread)
  public static class Ours extends Running {
    /** Makes the state. */
    public Ours() {
      super(ManagerSubject::new);
    }
  }

  /** The control. */
  @State(Scope.Thread)
  public static class Control extends Running {
    /** Makes the state. */
    public Control() {
      super(ControlSubject::new);
    }
  }

  /** One page of growth; every 8,192 steps the request starts again. */
  @Benchmark
  public long grow(final Ours ours) {
    return ours.grow();
  }

  /** Control: one page of growth. */
  @Benchmark
  public long controlGrow(final Control control) {
    return control.grow();
  }
}
