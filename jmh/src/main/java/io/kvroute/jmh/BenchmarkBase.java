package io.kvroute.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How every benchmark runs: average time in nanoseconds, three forks, access checks off, a heap of
 * one size. A fork starts from a class path, so the manifest's {@code Add-Opens} does not reach it;
 * the flag is among its arguments here.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(
    value = 3,
    jvmArgsAppend = {
      BenchmarkBase.OPEN_FLAG,
      "-Dagrona.disable.bounds.checks=true",
      "-Xms1g",
      "-Xmx1g",
      // JMH itself uses sun.misc.Unsafe; a JDK that does not know the second flag passes over it.
      "-XX:+IgnoreUnrecognizedVMOptions",
      "--sun-misc-unsafe-memory-access=allow"
    })
@State(Scope.Thread)
public abstract class BenchmarkBase {
  /** What Agrona needs, in the form of one argument. */
  static final String OPEN_FLAG = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

  /** For subclasses. */
  protected BenchmarkBase() {}

  /**
   * Fails unless a benchmark computes what it must.
   *
   * @throws IllegalStateException naming both values
   */
  static void require(final String what, final long expected, final long actual) {
    if (expected != actual) {
      throw new IllegalStateException(
          "benchmark computes the wrong result: what="
              + what
              + " expected="
              + expected
              + " actual="
              + actual);
    }
  }
}
