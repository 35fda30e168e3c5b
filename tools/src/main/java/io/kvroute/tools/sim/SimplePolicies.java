package io.kvroute.tools.sim;

import io.kvroute.hash.TokenView;
import io.kvroute.route.RandomSource;

/** The policies that know nothing of caches. */
final class SimplePolicies {

  private SimplePolicies() {}

  /** One worker after the other. */
  static final class RoundRobin implements RoutingPolicy {
    private final int workers;
    private int next;

    RoundRobin(final int workers) {
      this.workers = workers;
    }

    @Override
    public int choose(final SimRequest request, final TokenView prompt, final long nowNs) {
      final int chosen = next;
      next = next + 1 == workers ? 0 : next + 1;
      return chosen;
    }
  }

  /** Any worker. */
  static final class Random implements RoutingPolicy {
    private final int workers;
    private final RandomSource random;

    Random(final int workers, final RandomSource random) {
      this.workers = workers;
      this.random = random;
    }

    @Override
    public int choose(final SimRequest request, final TokenView prompt, final long nowNs) {
      return random.nextInt(workers);
    }
  }

  /** The worker with the fewest requests; any of those that have as few. */
  static final class LeastLoaded implements RoutingPolicy {
    private final RouterLoads loads;
    private final RandomSource random;

    LeastLoaded(final RouterLoads loads, final RandomSource random) {
      this.loads = loads;
      this.random = random;
    }

    @Override
    public int choose(final SimRequest request, final TokenView prompt, final long nowNs) {
      int best = 0;
      int ties = 1;
      for (int worker = 1; worker < loads.workers(); worker++) {
        final long difference = loads.requests(worker) - loads.requests(best);
        if (difference < 0) {
          best = worker;
          ties = 1;
        } else if (difference == 0 && random.nextInt(++ties) == 0) {
          best = worker;
        }
      }
      return best;
    }
  }
}
