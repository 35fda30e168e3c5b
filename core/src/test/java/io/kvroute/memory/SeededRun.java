package io.kvroute.memory;

import java.util.Random;

/**
 * A run of random operations that can be repeated: a failure names the seed, the number of the
 * operation and the latest operations. The number of operations is the system property {@code
 * kvroute.twin.operations}.
 */
public final class SeededRun {
  private static final int KEPT = 40;

  private final String[] notes = new String[KEPT];
  private final long[][] values = new long[KEPT][];
  private final long seed;
  private final Random random;
  private int operation;
  private long noted;

  /** One operation of a run, and the comparison behind it. */
  public interface Step {
    /** Draws from {@code run.random()}, notes what it does, does it and compares. */
    void run(SeededRun run);
  }

  private SeededRun(final long seed) {
    this.seed = seed;
    random = new Random(seed);
  }

  /** Operations of a run by default. */
  public static int operations() {
    return Integer.getInteger("kvroute.twin.operations", 10_000);
  }

  /** Runs {@code step} {@code operations} times. */
  public static void run(final long seed, final int operations, final Step step) {
    final SeededRun run = new SeededRun(seed);
    try {
      for (; run.operation < operations; run.operation++) {
        step.run(run);
      }
    } catch (final RuntimeException | AssertionError failure) {
      throw new AssertionError(failure.getMessage() + "\n" + run.trace(), failure);
    }
  }

  /** The source of randomness. */
  public Random random() {
    return random;
  }

  /** A number from 0 to bound-1. */
  public int below(final int bound) {
    return random.nextInt(bound);
  }

  /** Number of the current operation, from 0 on. */
  public int operation() {
    return operation;
  }

  /** Remembers what is about to be done, for the trace. */
  public void note(final String what, final long... arguments) {
    final int at = (int) (noted++ % KEPT);
    notes[at] = what;
    values[at] = arguments;
  }

  private String trace() {
    final StringBuilder text = new StringBuilder("seed=").append(seed);
    text.append(" operation=").append(operation).append(", the latest last:");
    for (long i = Math.max(0, noted - KEPT); i < noted; i++) {
      text.append("\n  ").append(notes[(int) (i % KEPT)]);
      for (final long value : values[(int) (i % KEPT)]) {
        text.append(' ').append(value);
      }
    }
    return text.toString();
  }
}
