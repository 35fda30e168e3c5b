package io.kvroute.tools.workload;

import java.util.Locale;

/** The workloads there are, with the options that mean something to each. */
enum WorkloadKind {
  W1("W1", Option.ROUNDS),
  W2("W2", Option.ROUNDS, Option.SINK),
  W3("W3", Option.ROUNDS, Option.SINK, Option.POINTS),
  W3C("W3c", Option.ROUNDS, Option.SINK, Option.POINTS),
  W4("W4", Option.ROUNDS, Option.SINK, Option.POINTS, Option.TRACE),
  W4D("W4d", Option.ROUNDS, Option.SINK, Option.POINTS, Option.TRACE),
  W5("W5", Option.ROUNDS, Option.WORKERS, Option.BLOCKS, Option.SNAPSHOT),
  W6("W6", Option.ROUNDS, Option.WORKERS, Option.POINTS, Option.TRACE, Option.POLICY, Option.FINE);

  /** Options of the command that only some workloads take. */
  enum Option {
    TRACE("--trace"),
    WORKERS("--workers"),
    BLOCKS("--blocks"),
    POINTS("--requests"),
    ROUNDS("--rounds"),
    POLICY("--policy"),
    FINE("--fine"),
    SINK("--sink"),
    SNAPSHOT("--snapshot");

    private final String label;

    Option(final String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private final String label;
  private final int optionBits;

  WorkloadKind(final String label, final Option... options) {
    this.label = label;
    int bits = 0;
    for (final Option option : options) {
      bits |= 1 << option.ordinal();
    }
    optionBits = bits;
  }

  /** The workload of a name, whatever its case; null if there is none. */
  static WorkloadKind ofName(final String name) {
    for (final WorkloadKind kind : values()) {
      if (kind.name().equals(name.toUpperCase(Locale.ROOT))) {
        return kind;
      }
    }
    return null;
  }

  String label() {
    return label;
  }

  boolean takes(final Option option) {
    return (optionBits & (1 << option.ordinal())) != 0;
  }

  Workload create(final WorkloadSettings settings) {
    return switch (this) {
      case W1 -> new HashingWorkload(settings);
      case W2 -> new CachedPromptWorkload(settings);
      case W3 -> new ChurnWorkload(settings);
      case W3C -> new LeasesWorkload(settings);
      case W4 -> new TraceWorkload(settings, false);
      case W4D -> new TraceWorkload(settings, true);
      case W5 -> new SyntheticIndexWorkload(settings);
      case W6 -> new TraceIndexWorkload(settings);
    };
  }
}
