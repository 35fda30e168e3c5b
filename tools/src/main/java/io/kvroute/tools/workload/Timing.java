package io.kvroute.tools.workload;

import io.kvroute.tools.io.Fields;

/** The part of a result that differs from run to run. */
final class Timing {
  private final Fields fields = new Fields().put("unit", "ns per operation");

  Timing rounds(final int rounds) {
    fields.put("rounds", rounds);
    return this;
  }

  Timing add(final String operation, final RoundTimes times) {
    if (times.rounds() > 0) {
      fields.put(operation, times.toFields());
    }
    return this;
  }

  void addTo(final Fields row) {
    row.put("timing", fields);
  }
}
