package io.kvroute.memory;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the current thread allocates on the Java heap. */
public final class AllocationMeter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationMeter() {}

  /** Bytes that one run of {@code body} allocates, after {@code warmUps} runs of it. */
  public static long bytes(final int warmUps, final Runnable body) {
    for (int i = 0; i < warmUps; i++) {
      body.run();
    }
    final long id = Thread.currentThread().getId();
    final long before = THREADS.getThreadAllocatedBytes(id);
    final long afterNothing = THREADS.getThreadAllocatedBytes(id);
    body.run();
    final long after = THREADS.getThreadAllocatedBytes(id);
    return after - afterNothing - (afterNothing - before);
  }
}
