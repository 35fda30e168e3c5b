package io.kvroute.tools.replay;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts the heap bytes that the current thread allocates between {@link #begin} and {@link #end},
 * in all and after a warm-up: from the second highest power of two of requests on, which is a
 * quarter to a half of them.
 */
final class GarbageMeter {
  private final ThreadMXBean threads;
  private long atBegin;
  private long bytes;
  private long requests;
  private long lastMark;
  private long bytesAtLastMark;
  private long warmUpRequests;
  private long bytesAtWarmUp;

  GarbageMeter() {
    threads =
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean counting
                && counting.isThreadAllocatedMemorySupported()
                && counting.isThreadAllocatedMemoryEnabled()
            ? counting
            : null;
  }

  /** False if this JVM does not count; all figures are 0 then. */
  boolean counts() {
    return threads != null;
  }

  /** Begins a request before which {@code requestsBefore} were measured. */
  void begin(final long requestsBefore) {
    if (threads == null) {
      return;
    }
    if (requestsBefore > 0 && (requestsBefore & (requestsBefore - 1)) == 0) {
      warmUpRequests = lastMark;
      bytesAtWarmUp = bytesAtLastMark;
      lastMark = requestsBefore;
      bytesAtLastMark = bytes;
    }
    requests = requestsBefore + 1;
    atBegin = threads.getCurrentThreadAllocatedBytes();
  }

  void end() {
    if (threads != null) {
      bytes += threads.getCurrentThreadAllocatedBytes() - atBegin;
    }
  }

  /** Bytes of all requests. */
  long bytes() {
    return bytes;
  }

  /** Bytes of the requests after the warm-up. */
  long bytesAfterWarmUp() {
    return bytes - bytesAtWarmUp;
  }

  /** How many requests followed the warm-up. */
  long requestsAfterWarmUp() {
    return requests - warmUpRequests;
  }
}
