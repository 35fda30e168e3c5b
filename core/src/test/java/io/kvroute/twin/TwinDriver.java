package io.kvroute.twin;

import io.kvroute.twin.KvSubject.Config;
import io.kvroute.twin.TwinRun.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Compares a manager with the naive one over random operations. A difference is reported with the
 * seed, the setup and the shortest list of operations found that still shows it; {@link #replay}
 * takes that list.
 */
final class TwinDriver {
  private static final int[] PAGE_SIZES = {1, 4, 16};
  private static final int[] POOL_PAGES = {
    4, 5, 8, 13, 16, 32, 64, 200, 1_024, 6, 10, 24, 40, 48, 100, 4_096
  };
  private static final int EPISODE = 200;
  private static final int SHRINK_LIMIT = 3_000;

  private final Function<Config, KvSubject> maker;
  private int attempts;

  TwinDriver(final Function<Config, KvSubject> maker) {
    this.maker = maker;
  }

  /** A list of operations on a fresh pair of managers. */
  record Scenario(Setup setup, List<Operation> operations) {
    @Override
    public String toString() {
      final StringBuilder text = new StringBuilder();
      text.append(
          String.format(
              Locale.ROOT, "%d %d %s%n", setup.totalTokens(), setup.pageSize(), setup.sink()));
      operations.forEach(operation -> text.append(operation).append(System.lineSeparator()));
      return text.toString();
    }

    static Scenario parse(final String text) {
      final List<String> lines = text.strip().lines().toList();
      final String[] head = lines.get(0).trim().split(" ", -1);
      final Setup setup =
          new Setup(
              Long.parseLong(head[0]),
              Integer.parseInt(head[1]),
              KvSubject.SinkMode.valueOf(head[2]));
      final List<Operation> operations = lines.stream().skip(1).map(Operation::parse).toList();
      return new Scenario(setup, operations);
    }
  }

  /** Plays at least {@code count} random operations, in episodes over all page and pool sizes. */
  void run(final long seed, final int count) {
    run(seed, count, POOL_PAGES);
  }

  /** As {@link #run(long, int)}, over the given numbers of pages. */
  void run(final long seed, final int count, final int... poolPages) {
    int done = 0;
    for (int episode = 0; done < count; episode++) {
      final Scenario scenario = scenario(seed + episode, episode, poolPages);
      final AssertionError failure = attempt(scenario);
      if (failure != null) {
        throw report(seed + episode, scenario, failure);
      }
      done += scenario.operations().size();
    }
  }

  /** Every page size meets every pool size, each with and without changes of the sink. */
  private static Scenario scenario(final long seed, final int episode, final int... pools) {
    final int pageSize = PAGE_SIZES[episode % PAGE_SIZES.length];
    final int poolPages = pools[episode / PAGE_SIZES.length % pools.length];
    final SplitMix random = new SplitMix(~seed);
    final boolean stable = random.oneIn(2);
    final KvSubject.SinkMode sink =
        stable || random.oneIn(2) ? KvSubject.SinkMode.HEALTHY : KvSubject.SinkMode.ABSENT;
    final long totalTokens = (long) poolPages * pageSize + random.below(pageSize);
    final NaiveSubject guide =
        new NaiveSubject(
            new Config(totalTokens, pageSize, 0, KvSubject.SinkMode.ABSENT, event -> {}, null));
    final OperationPlayer player = new OperationPlayer(guide);
    final OperationGenerator generator =
        new OperationGenerator(seed, guide, pageSize, poolPages, stable ? 0 : 12);
    final List<Operation> operations = new ArrayList<>(EPISODE);
    for (int i = 0; i < EPISODE; i++) {
      final Operation next = generator.next();
      operations.add(next);
      player.play(next);
    }
    return new Scenario(new Setup(totalTokens, pageSize, sink), operations);
  }

  /** Plays what a failure reported; fails as it did. */
  void replay(final String text) {
    final AssertionError failure = attempt(Scenario.parse(text));
    if (failure != null) {
      throw failure;
    }
  }

  private AssertionError attempt(final Scenario scenario) {
    int position = 0;
    try (TwinRun run = new TwinRun(scenario.setup(), maker)) {
      for (final Operation operation : scenario.operations()) {
        run.play(operation);
        position++;
      }
      return null;
    } catch (final AssertionError | RuntimeException e) {
      return new AssertionError("operation=" + position + ": " + e.getMessage(), e);
    }
  }

  private AssertionError report(
      final long seed, final Scenario scenario, final AssertionError failure) {
    final Scenario shortest = shrink(scenario);
    final AssertionError last = attempt(shortest);
    return new AssertionError(
        String.format(
            Locale.ROOT,
            "managers differ: seed=%d operations=%d%n%s%nshrunk to %d operations: %s%nreplay:%n%s",
            seed,
            scenario.operations().size(),
            failure.getMessage(),
            shortest.operations().size(),
            last == null ? "no failure" : last.getMessage(),
            shortest),
        failure);
  }

  /** Leaves out ever smaller parts for as long as what remains still fails. */
  private Scenario shrink(final Scenario failing) {
    attempts = 0;
    List<Operation> kept = failing.operations();
    int part = kept.size() / 2;
    while (part > 0 && attempts < SHRINK_LIMIT) {
      final List<Operation> shorter = dropParts(failing.setup(), kept, part);
      if (shorter.size() == kept.size()) {
        part /= 2;
      }
      kept = shorter;
    }
    return new Scenario(failing.setup(), kept);
  }

  private List<Operation> dropParts(
      final Setup setup, final List<Operation> operations, final int part) {
    List<Operation> kept = operations;
    for (int start = kept.size(); start > 0 && attempts < SHRINK_LIMIT; start -= part) {
      final int from = Math.max(0, start - part);
      final List<Operation> candidate = new ArrayList<>(kept.subList(0, from));
      candidate.addAll(kept.subList(Math.min(start, kept.size()), kept.size()));
      attempts++;
      if (attempt(new Scenario(setup, candidate)) != null) {
        kept = candidate;
      }
    }
    return kept;
  }
}
