package io.kvroute.tools.replay;

import io.kvroute.index.MatchScores;

/**
 * Chooses the worker with the highest overlap, among equals the one with the lowest load, among
 * equals the one with the lowest id. The load of a worker is the sum of the block counts routed to
 * it so far. Worker ids are 0 to n-1, rank 0 each. Allocates nothing after construction. Not
 * thread-safe.
 */
public final class WorkerChoice {
  private final long[] loads;
  private int overlap;

  /** For {@code workers} workers without load; at least one. */
  public WorkerChoice(final int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException("at least one worker is needed: workers=" + workers);
    }
    loads = new long[workers];
  }

  /** Chooses from what a look-up found; {@link #overlap()} then tells the chosen one's blocks. */
  public int choose(final MatchScores scores) {
    int best = 0;
    overlap = 0;
    if (scores.count() == 0) {
      for (int worker = 1; worker < loads.length; worker++) {
        best = loads[worker] < loads[best] ? worker : best;
      }
      return best;
    }
    for (int i = 0; i < scores.count(); i++) {
      final int worker = (int) scores.workerId(i);
      final int blocks = scores.device(i);
      if (blocks > overlap || (blocks == overlap && loads[worker] < loads[best])) {
        best = worker;
        overlap = blocks;
      }
    }
    return best;
  }

  /** Leading blocks that the worker chosen last holds. */
  public int overlap() {
    return overlap;
  }

  /** Adds the blocks of a request to a worker's load. */
  public void book(final int worker, final long blocks) {
    loads[worker] += blocks;
  }

  /** Blocks routed to a worker so far. */
  public long load(final int worker) {
    return loads[worker];
  }
}
