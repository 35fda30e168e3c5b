package io.kvroute.tools.workload;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.hash.TokenView;
import io.kvroute.tools.io.Fields;
import java.util.List;

/**
 * W2: 48 prompts of 1,024 tokens that a pool of 65,536 holds, allocated and finished in turn; token
 * j of prompt p is tok(p * 1024 + j).
 */
final class CachedPromptWorkload implements Workload {
  private static final int POOL_TOKENS = 65_536;
  private static final int PAGE_SIZE = 16;
  private static final int PROMPTS = 48;
  private static final int PROMPT_TOKENS = 1_024;
  private static final int TURNS_PER_ROUND = 1_000;

  private final int rounds;
  private final SinkMode sink;
  private final WarmUp warmUp;
  private final TokenView[] prompts = new TokenView[PROMPTS];
  private final ActiveKvLease lease = new ActiveKvLease();

  CachedPromptWorkload(final WorkloadSettings settings) {
    rounds = settings.roundsOr(7);
    sink = settings.sinkOr(SinkMode.CHECK);
    warmUp = settings.warmUp();
    for (int p = 0; p < PROMPTS; p++) {
      final int[] tokens = new int[PROMPT_TOKENS];
      for (int j = 0; j < PROMPT_TOKENS; j++) {
        tokens[j] = Numbers.tok((long) p * PROMPT_TOKENS + j);
      }
      prompts[p] = TokenView.of(tokens);
    }
  }

  @Override
  public List<Fields> run() {
    warmUp.run(() -> measure(1));
    return measure(rounds);
  }

  private List<Fields> measure(final int measuredRounds) {
    try (ManagerSession session = new ManagerSession(POOL_TOKENS, PAGE_SIZE, sink)) {
      turns(session, 1);
      final long operations = (long) TURNS_PER_ROUND * PROMPTS;
      final RoundTimes requests = new RoundTimes(operations);
      final RoundTimes matches = new RoundTimes(operations);
      for (int round = 0; round < measuredRounds; round++) {
        final long start = System.nanoTime();
        turns(session, TURNS_PER_ROUND);
        final long middle = System.nanoTime();
        final long matched = matches(session);
        final long end = System.nanoTime();
        requireAllCached(matched, operations * PROMPT_TOKENS);
        requests.add(middle - start);
        matches.add(end - middle);
      }
      final int count = PROMPTS * (1 + TURNS_PER_ROUND * measuredRounds);
      final Fields row = session.row("W2", "requests", count);
      new Timing()
          .rounds(measuredRounds)
          .add("allocate_and_finish", requests)
          .add("match", matches)
          .addTo(row);
      return List.of(row);
    }
  }

  private void turns(final ManagerSession session, final int turns) {
    for (int turn = 0; turn < turns; turn++) {
      for (final TokenView prompt : prompts) {
        session.allocate(prompt, lease);
        session.manager().finish(prompt, lease);
      }
    }
  }

  private long matches(final ManagerSession session) {
    long matched = 0;
    for (int turn = 0; turn < TURNS_PER_ROUND; turn++) {
      for (final TokenView prompt : prompts) {
        matched += session.manager().cache().prefixMatchLen(prompt);
      }
    }
    return matched;
  }

  private static void requireAllCached(final long matched, final long expected) {
    if (matched != expected) {
      throw new IllegalStateException(
          "not every prompt was cached: matched=" + matched + " expected=" + expected);
    }
  }
}
