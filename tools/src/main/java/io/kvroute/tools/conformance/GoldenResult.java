package io.kvroute.tools.conformance;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How this build compares with a golden file.
 *
 * @param kind of the file
 * @param agree cases with the same outcome
 * @param byDecision cases that differ as this project has decided, per decision
 * @param disagree cases that differ otherwise
 * @param firstDisagreement the first of them, in one line; null if there is none
 */
public record GoldenResult(
    String kind,
    long agree,
    Map<String, Long> byDecision,
    long disagree,
    String firstDisagreement) {
  /** Copies the map; it iterates in the order of names. */
  public GoldenResult {
    final SortedMap<String, Long> copy = new TreeMap<>(byDecision);
    byDecision = Collections.unmodifiableSortedMap(copy);
  }

  /** Cases that differ by any decision. */
  public long decided() {
    return byDecision.values().stream().mapToLong(Long::longValue).sum();
  }

  /** All cases. */
  public long total() {
    return agree + decided() + disagree;
  }
}
