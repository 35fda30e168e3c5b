package io.kvroute.tools.generate;

import java.util.Arrays;

/** A user's or an agent's run of requests, each of which extends the one before. */
final class Session implements Comparable<Session> {
  private static final int INITIAL_IDS = 16;

  private final long number;
  long arrival;
  Course course;
  int turnsLeft;
  int promptTokens;
  int answerTokens;
  long[] ids = new long[INITIAL_IDS];
  int idCount;

  Session(final long number, final long arrival) {
    this.number = number;
    this.arrival = arrival;
  }

  void addId(final long id) {
    if (idCount == ids.length) {
      ids = Arrays.copyOf(ids, idCount * 2);
    }
    ids[idCount++] = id;
  }

  /** By arrival, then by age of the session: no ties. */
  @Override
  public int compareTo(final Session other) {
    final int byArrival = Long.compare(arrival, other.arrival);
    return byArrival != 0 ? byArrival : Long.compare(number, other.number);
  }

  @Override
  public boolean equals(final Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }
}
