package io.kvroute.tools.trace;

import java.util.ArrayList;
import java.util.List;

/** All requests of a trace in memory, to be run through again and again. */
public final class MemoryTrace {
  private final List<TraceRequest> requests;
  private final long blockSize;

  private MemoryTrace(final List<TraceRequest> requests, final long blockSize) {
    this.requests = requests;
    this.blockSize = blockSize;
  }

  /** Reads a source to its end; does not close it. */
  public static MemoryTrace readAll(final TraceSource source) {
    final List<TraceRequest> requests = new ArrayList<>();
    final TraceRequest row = new TraceRequest();
    while (source.next(row)) {
      final TraceRequest request = new TraceRequest();
      request.copyFrom(row);
      requests.add(request);
    }
    return new MemoryTrace(requests, source.blockSize());
  }

  /**
   * Reads a Mooncake trace of the published block size.
   *
   * @throws io.kvroute.tools.io.InputException if it cannot be read
   */
  public static MemoryTrace load(final String file) {
    try (MooncakeReader reader = MooncakeReader.open(file, MooncakeReader.DEFAULT_BLOCK_SIZE)) {
      return readAll(reader);
    }
  }

  /** Number of requests. */
  public int size() {
    return requests.size();
  }

  /** Request number {@code i}; not to be changed. */
  public TraceRequest request(final int i) {
    return requests.get(i);
  }

  /** Tokens that one hash id stands for. */
  public long blockSize() {
    return blockSize;
  }

  /** Tokens of the longest prompt. */
  public int maxInputLength() {
    int max = 0;
    for (final TraceRequest request : requests) {
      max = Math.max(max, request.inputLength());
    }
    return max;
  }

  /** Hash ids of the longest prompt. */
  public int maxIdCount() {
    int max = 0;
    for (final TraceRequest request : requests) {
      max = Math.max(max, request.idCount());
    }
    return max;
  }
}
