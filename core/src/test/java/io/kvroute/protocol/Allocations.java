package io.kvroute.protocol;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the current thread has allocated. */
final class Allocations {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocations() {}

  /** Bytes that a run of the body allocates on this thread. */
  static long of(final Runnable body) {
    final long id = Thread.currentThread().getId();
    final long before = THREADS.getThreadAllocatedBytes(id);
    final long afterNothing = THREADS.getThreadAllocatedBytes(id);
    body.run();
    final long after = THREADS.getThreadAllocatedBytes(id);
    return after - afterNothing - (afterNothing - before);
  }
}
