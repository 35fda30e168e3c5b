package io.kvroute.protocol;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many leading blocks of a prompt each worker holds, for edges and tests; the router's own hot
 * path keeps scores in a caller-owned object. Iterates in the order of workers. Not thread-safe.
 */
public final class OverlapScores {
  private final SortedMap<WorkerWithDpRank, Integer> scores = new TreeMap<>();
  private final UnsignedLongs frequencies;

  /** No scores. */
  public OverlapScores() {
    this(Map.of(), UnsignedLongs.of());
  }

  /**
   * Scores to begin with; the map is copied.
   *
   * @param scores unsigned 32-bit per worker
   * @param frequencies of recent use of the blocks, unsigned 64-bit
   */
  public OverlapScores(
      final Map<WorkerWithDpRank, Integer> scores, final UnsignedLongs frequencies) {
    this.scores.putAll(scores);
    this.frequencies = Objects.requireNonNull(frequencies, "frequencies");
  }

  /** The score of each worker, unsigned 32-bit; a view that cannot be changed. */
  public SortedMap<WorkerWithDpRank, Integer> scores() {
    return Collections.unmodifiableSortedMap(scores);
  }

  /** Frequencies of recent use of the blocks, unsigned 64-bit. */
  public UnsignedLongs frequencies() {
    return frequencies;
  }

  /**
   * Adds one to the score of each worker, as often as it is named. A score stops at 2^32-1.
   *
   * @param workers to credit
   */
  public void updateScores(final Iterable<WorkerWithDpRank> workers) {
    for (final WorkerWithDpRank worker : workers) {
      scores.merge(worker, 1, (score, one) -> score == -1 ? score : score + one);
    }
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof OverlapScores that
        && scores.equals(that.scores)
        && frequencies.equals(that.frequencies);
  }

  @Override
  public int hashCode() {
    return 31 * scores.hashCode() + frequencies.hashCode();
  }

  @Override
  public String toString() {
    return "OverlapScores[scores=" + scores + ", frequencies=" + frequencies + ']';
  }
}
