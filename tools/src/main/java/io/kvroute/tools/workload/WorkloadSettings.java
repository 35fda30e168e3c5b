package io.kvroute.tools.workload;

import io.kvroute.tools.io.InputException;
import java.util.List;

/**
 * What a run of a workload was asked for; null and empty stand for the workload's own default.
 *
 * @param trace file name of a Mooncake trace
 * @param workers number of workers
 * @param blocks blocks to store
 * @param points numbers of requests or steps after which outputs are wanted, ascending
 * @param rounds how often to measure
 * @param policy how to choose a worker
 * @param fine true for blocks of 16 tokens, else one per id of the trace
 * @param sink what becomes of events
 * @param snapshot file name of a snapshot to write
 * @param warmUp what runs before anything is measured
 */
record WorkloadSettings(
    String trace,
    Integer workers,
    Long blocks,
    List<Integer> points,
    Integer rounds,
    Policy policy,
    Boolean fine,
    SinkMode sink,
    String snapshot,
    WarmUp warmUp) {

  int roundsOr(final int standard) {
    return rounds == null ? standard : rounds;
  }

  int workersOr(final int standard) {
    return workers == null ? standard : workers;
  }

  SinkMode sinkOr(final SinkMode standard) {
    return sink == null ? standard : sink;
  }

  /** The points, or {@code standard} as the only one. */
  int[] pointsOr(final int standard) {
    return points.isEmpty()
        ? new int[] {standard}
        : points.stream().mapToInt(Integer::intValue).toArray();
  }

  String requiredTrace(final String workload) {
    if (trace == null) {
      throw new InputException(
          workload + " needs --trace FILE, the conversation trace of Mooncake's FAST'25 release");
    }
    return trace;
  }
}
