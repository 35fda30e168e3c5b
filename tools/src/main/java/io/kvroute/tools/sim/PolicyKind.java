package io.kvroute.tools.sim;

import io.kvroute.route.RandomSource;
import java.util.Locale;

/** The policies, by the names that the command line and the reports use. */
public enum PolicyKind {
  /** Cached blocks, known by the workers' events, against load. */
  KV,
  /** One worker after the other. */
  ROUND_ROBIN,
  /** Any worker. */
  RANDOM,
  /** The fewest requests. */
  LEAST_LOADED,
  /** As kv, but the cached blocks are guessed from the router's own decisions. */
  APPROXIMATE;

  /** The name in options and reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The policy of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PolicyKind of(final String label) {
    for (final PolicyKind kind : values()) {
      if (kind.label().equalsIgnoreCase(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no such policy: " + label);
  }

  @Override
  public String toString() {
    return label();
  }

  RoutingPolicy make(final SimulationSettings settings, final RouterLoads loads) {
    final RandomSource random = RandomSource.seeded(settings.seed());
    return switch (this) {
      case KV -> new KvPolicy(settings, loads, random);
      case ROUND_ROBIN -> new SimplePolicies.RoundRobin(settings.workers());
      case RANDOM -> new SimplePolicies.Random(settings.workers(), random);
      case LEAST_LOADED -> new SimplePolicies.LeastLoaded(loads, random);
      case APPROXIMATE -> new ApproximatePolicy(settings, loads, random);
    };
  }
}
