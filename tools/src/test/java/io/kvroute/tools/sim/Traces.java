package io.kvroute.tools.sim;

import io.kvroute.route.queue.QueuePolicy;
import io.kvroute.tools.trace.MemoryTrace;
import io.kvroute.tools.trace.MooncakeReader;
import io.kvroute.tools.trace.TraceFormat;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Small traces and clusters for tests. */
final class Traces {
  static final long MILLI = 1_000_000;
  static final long PAGE = 4;
  static final long BLOCK = 4;

  private Traces() {}

  /** A row of a trace with 4 tokens an id: the prompt has the ids from {@code firstId} on. */
  static String row(final long atMillis, final int tokens, final int answer, final long firstId) {
    final StringBuilder ids = new StringBuilder();
    for (int i = 0; i * BLOCK < tokens; i++) {
      ids.append(i == 0 ? "" : ",").append(firstId + i);
    }
    return "{\"timestamp\":"
        + atMillis
        + ",\"input_length\":"
        + tokens
        + ",\"output_length\":"
        + answer
        + ",\"hash_ids\":["
        + ids
        + "]}\n";
  }

  static SimTrace trace(final String rows) {
    final byte[] bytes = rows.getBytes(StandardCharsets.UTF_8);
    try (MooncakeReader reader =
        MooncakeReader.of("t", new ByteArrayInputStream(bytes), BLOCK, TraceFormat.AUTO)) {
      return new SimTrace(MemoryTrace.readAll(reader.inAnyOrder()), PAGE);
    }
  }

  /** What tests change of a cluster: 1,000 tokens a second, 10 ms a step and 1 ms a request. */
  static final class Cluster {
    int workers = 1;
    long pool = 4_096;
    String speed = "1";
    int maxBatch = 256;
    int chunk = 4_096;
    long eventDelayMillis;
    double queueThreshold = Double.NaN;
    QueuePolicy queueClasses;
    long seed = 42;

    SimulationSettings settings() {
      return new SimulationSettings(
          workers,
          pool,
          PAGE,
          new BigDecimal(speed),
          1_000,
          10 * MILLI,
          MILLI,
          maxBatch,
          chunk,
          eventDelayMillis * MILLI,
          queueThreshold,
          queueClasses,
          1.0,
          0.0,
          120_000 * MILLI,
          seed);
    }
  }
}
