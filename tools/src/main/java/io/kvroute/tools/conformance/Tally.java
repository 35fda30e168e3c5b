package io.kvroute.tools.conformance;

import java.util.Map;
import java.util.TreeMap;

/** Counts the outcomes of cases. Not thread-safe. */
final class Tally {
  private final Map<String, Long> byDecision = new TreeMap<>();
  private long agree;
  private long disagree;
  private String firstDisagreement;

  void agree() {
    agree++;
  }

  void byDecision(final String decision) {
    byDecision.merge(decision, 1L, Long::sum);
  }

  void disagree(final String what) {
    disagree++;
    if (firstDisagreement == null) {
      firstDisagreement = what;
    }
  }

  /** Agrees if the texts are the same. */
  void compare(final String what, final String expected, final String found) {
    if (expected.equals(found)) {
      agree();
    } else {
      disagree(what + ": expected=" + expected + " found=" + found);
    }
  }

  GoldenResult result(final String kind) {
    return new GoldenResult(kind, agree, byDecision, disagree, firstDisagreement);
  }
}
