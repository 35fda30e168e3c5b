package io.kvroute.route;

import java.util.List;

/**
 * Why a request would go where.
 *
 * @param error why it can go nowhere; null if it can
 * @param workerId the worker that the error is about, unsigned; 0 if it is about none
 * @param candidates every rank that may serve it, ascending
 */
public record Explanation(KvSchedulerError error, long workerId, List<CandidateCost> candidates) {
  /** Copies the list. */
  public Explanation {
    candidates = List.copyOf(candidates);
  }

  /**
   * The candidates of the lowest score, one of which wins at temperature 0; scores that are not
   * numbers are never among them.
   */
  public List<CandidateCost> lowest() {
    double least = Double.NaN;
    for (final CandidateCost each : candidates) {
      least = each.score() < least || Double.isNaN(least) ? each.score() : least;
    }
    final double lowest = least;
    return candidates.stream().filter(each -> each.score() == lowest).toList();
  }
}
