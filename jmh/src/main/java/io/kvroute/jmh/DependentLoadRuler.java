package io.kvroute.jmh;

import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * Ruler for memory: loads from 64 MiB in a random order, where each load gives the address of the
 * next one. The figure is the time of one load that misses the caches near the core.
 */
public class DependentLoadRuler extends BenchmarkBase {
  /** Loads per invocation. */
  static final int LOADS = 1024;

  private static final int LINE = 64 / Integer.BYTES;
  private static final int LINES = (64 << 20) / Integer.BYTES / LINE;
  private static final long SEED = 20260101;

  private int[] next;
  private int position;

  /** Makes the ruler. */
  public DependentLoadRuler() {}

  /** Fills the memory with one cycle through all of its cache lines and walks it once. */
  @Setup
  public void setUp() {
    next = new int[LINES * LINE];
    for (int i = 0; i < next.length; i += LINE) {
      next[i] = i;
    }
    final SplittableRandom random = new SplittableRandom(SEED);
    for (int line = LINES - 1; line > 0; line--) {
      final int other = random.nextInt(line) * LINE;
      final int entry = next[line * LINE];
      next[line * LINE] = next[other];
      next[other] = entry;
    }
    position = 0;
    require("lines on the cycle", LINES, cycleLength());
  }

  private long cycleLength() {
    long length = 1;
    for (int at = next[0]; at != 0 && length <= LINES; at = next[at]) {
      length++;
    }
    return length;
  }

  /** Walks on from where the previous invocation ended, so that nothing is met again soon. */
  @Benchmark
  @OperationsPerInvocation(LOADS)
  public int walk() {
    int at = position;
    for (int i = 0; i < LOADS; i++) {
      at = next[at];
    }
    position = at;
    return at;
  }
}
