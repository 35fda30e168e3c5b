package io.kvroute.index;

/**
 * An index that cache events feed, and beside it predictions of what events will say: each routing
 * decision is remembered for a short time in an index of its own, and a look-up gives per rank the
 * maximum of both, never their sum. Nothing is ever entered into the event-fed index.
 *
 * <p>Owns neither of the two. Not thread-safe: one thread applies, records and looks up. Nothing
 * allocates after warm-up.
 */
public final class PredictiveIndex {
  private final RadixIndex confirmed;
  private final ApproximateIndex predicted;
  private final MatchScores confirmedScores = new MatchScores();
  private final MatchScores predictedScores = new MatchScores();

  /**
   * Puts the two side by side.
   *
   * @param confirmed what cache events say
   * @param predicted what decisions say; its time to live should outlast the delay of events
   */
  public PredictiveIndex(final RadixIndex confirmed, final ApproximateIndex predicted) {
    this.confirmed = confirmed;
    this.predicted = predicted;
  }

  /** The index that events are to be applied to. */
  public RadixIndex confirmed() {
    return confirmed;
  }

  /** The index that decisions are to be recorded in. */
  public ApproximateIndex predicted() {
    return predicted;
  }

  /**
   * Finds who holds how much of a prompt, or probably will. Where the prediction reaches further
   * than what is confirmed on the device, it counts as being on the device, and lower tiers count
   * from its end on.
   *
   * @param localHashes of the prompt's blocks
   * @param index of the first of them
   * @param count how many
   * @param nowNs the instant; predictions that have ended by then do not count
   * @param out takes the result
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public void find(
      final long[] localHashes,
      final int index,
      final int count,
      final long nowNs,
      final MatchScores out) {
    confirmed.find(localHashes, index, count, confirmedScores);
    predicted.find(localHashes, index, count, nowNs, predictedScores);
    out.merge(confirmedScores, predictedScores);
  }

  /** Forgets a worker in both; false if neither knew it. */
  public boolean removeWorker(final long workerId) {
    final boolean wasPredicted = predicted.removeWorker(workerId);
    return confirmed.removeWorker(workerId) || wasPredicted;
  }

  /** Forgets one rank of a worker in both; false if neither knew it. */
  public boolean removeWorkerDpRank(final long workerId, final int dpRank) {
    final boolean wasPredicted = predicted.removeWorkerDpRank(workerId, dpRank);
    return confirmed.removeWorkerDpRank(workerId, dpRank) || wasPredicted;
  }
}
