package io.kvroute.tools.workload;

/** How the trace index workload chooses a worker. */
enum Policy {
  /** Highest overlap, then lowest load, then lowest id. */
  OVERLAP("overlap"),
  /** One after the other. */
  ROUND_ROBIN("round-robin");

  private final String label;

  Policy(final String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
