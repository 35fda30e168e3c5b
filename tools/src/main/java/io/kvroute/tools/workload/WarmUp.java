package io.kvroute.tools.workload;

/**
 * Lets the just-in-time compiler settle before anything is measured: runs the same work on
 * structures that are thrown away, until its time is over. Nothing that it does is counted in the
 * outputs.
 */
final class WarmUp {
  private final long nanos;

  /** A warm-up of {@code nanos} nanoseconds; 0 is none. */
  WarmUp(final long nanos) {
    this.nanos = nanos;
  }

  /** A warm-up for one of {@code parts} pieces of work that have nothing in common. */
  WarmUp share(final int parts) {
    return new WarmUp(nanos / parts);
  }

  /** Runs whole passes until the time is over; the last one may run past it. */
  void run(final Runnable pass) {
    final long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      pass.run();
    }
  }
}
