package io.kvroute.route.queue;

import io.kvroute.protocol.UnsignedMath;

/** Which request of a class goes first, among those of one strict priority. */
public enum QueueDiscipline {
  /** First come first served; a priority jump is a head start in seconds. */
  FCFS {
    @Override
    double score(
        final double jump, final double arrivalSecs, final long islTokens, final long cached) {
      return jump - arrivalSecs;
    }
  },
  /** Last come first served; a priority jump is a head start in seconds. */
  LCFS {
    @Override
    double score(
        final double jump, final double arrivalSecs, final long islTokens, final long cached) {
      return jump + arrivalSecs;
    }
  },
  /** Weighted shortest processing time: the fewest tokens to compute, weighted by one and jump. */
  WSPT {
    @Override
    double score(
        final double jump, final double arrivalSecs, final long islTokens, final long cached) {
      return (1.0 + jump) / UnsignedMath.toDouble(QueuedRequest.work(islTokens, cached));
    }
  };

  /** The higher, the earlier; neither {@code jump} nor {@code arrivalSecs} is negative. */
  abstract double score(double jump, double arrivalSecs, long islTokens, long cached);
}
