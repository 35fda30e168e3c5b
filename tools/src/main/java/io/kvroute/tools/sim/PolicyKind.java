package io.kvroute.tools.sim;

import io.kvroute.route.Candidate;
import io.kvroute.route.CostPicker;
import io.kvroute.route.KvRouter;
import io.kvroute.route.KvRouterBuilder;
import io.kvroute.route.KvRouterConfig;
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

  private static final double NANOS_PER_SECOND = 1e9;

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

  /** Makes a router that follows the policy. */
  KvRouterBuilder builder(final SimulationSettings settings) {
    final KvRouterConfig.Builder config =
        KvRouterConfig.builder().routerTemperature(settings.routerTemperature());
    final KvRouterBuilder builder = KvRouter.builder(settings.pageSize());
    switch (this) {
      case KV -> config.overlapScoreCredit(settings.overlapScoreCredit());
      case APPROXIMATE ->
          config
              .overlapScoreCredit(settings.overlapScoreCredit())
              .useKvEvents(false)
              .routerTtlSecs(settings.ttlNs() / NANOS_PER_SECOND);
      case ROUND_ROBIN -> {
        ignoreCaches(config);
        builder.picker(new RoundRobin());
      }
      case RANDOM -> {
        ignoreCaches(config);
        builder.costFunction(worker -> 0.0);
      }
      case LEAST_LOADED -> {
        ignoreCaches(config);
        builder.costFunction(Candidate::activeRequests);
      }
    }
    return builder.config(config.build());
  }

  private static void ignoreCaches(final KvRouterConfig.Builder config) {
    config.overlapScoreCredit(0.0).routerTrackActiveBlocks(false).routerTemperature(0.0);
  }

  /** One worker after the other, whatever they cost; all workers can be chosen at any time. */
  private static final class RoundRobin implements CostPicker {
    private int next;

    @Override
    public int pick(
        final double[] costs,
        final int count,
        final double temperature,
        final RandomSource random) {
      final int chosen = next;
      next = next + 1 == count ? 0 : next + 1;
      return chosen;
    }
  }
}
