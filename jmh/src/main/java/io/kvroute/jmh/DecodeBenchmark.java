package io.kvroute.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One decoded token of a running request: reserve a page at a page boundary and none elsewhere,
 * extend, release the reservation. 1,024 tokens in a row, in a pool that has pages; the request is
 * aborted and allocated again outside the clock.
 */
public class DecodeBenchmark extends BenchmarkBase {
  private static final int PROMPT = 1024;
  private static final int DECODED = 1024;

  /** Makes the benchmark. */
  public DecodeBenchmark() {}

  /** A manager with one request that runs. */
  @State(Scope.Thread)
  public abstract static class Running {
    private final Subject.Maker maker;
    private final Prompt prompt = Prompt.numbered(0, PROMPT);
    private Subject subject;

    Running(final Subject.Maker maker) {
      this.maker = maker;
    }

    /** Decodes once and checks how long the request became. */
    @Setup
    public void setUp() {
      subject = maker.make(PROMPT + DECODED, "none", 1);
      require("prefix", 0, subject.allocate(prompt, 0));
      require("tokens", PROMPT + DECODED, decode());
      require("available tokens", 0, subject.availableTokens());
    }

    /** Starts the request again. */
    @Setup(Level.Invocation)
    public void restart() {
      subject.abort(0);
      require("prefix", 0, subject.allocate(prompt, 0));
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown() {
      subject.abort(0);
      require("available tokens at the end", PROMPT + DECODED, subject.availableTokens());
      subject.close();
    }

    final long decode() {
      for (int i = 0; i < DECODED; i++) {
        subject.decode(0);
      }
      return subject.tokenCount(0);
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

  /** Decode a token. */
  @Benchmark
  @OperationsPerInvocation(DECODED)
  public long decode(final Ours ours) {
    return ours.decode();
  }

  /** Control: decode a token. */
  @Benchmark
  @OperationsPerInvocation(DECODED)
  public long controlDecode(final Control control) {
    return control.decode();
  }
}
