package io.kvroute.tools.workload;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.hash.TokenView;
import io.kvroute.tools.io.Fields;
import java.util.ArrayList;
import java.util.List;

/**
 * W3: requests of 512 shared, 256 fresh and 32 decoded tokens through a pool that they overflow.
 * 2,000 requests fill the pool, then rounds of 4,000 are measured.
 */
final class ChurnWorkload implements Workload {
  private static final int POOL_TOKENS = 65_536;
  private static final int PAGE_SIZE = 16;
  private static final int PREFIXES = 64;
  private static final int SHARED = 512;
  private static final int FRESH = 256;
  private static final int PROMPT = SHARED + FRESH;
  private static final int DECODED = 32;
  private static final int ALL = PROMPT + DECODED;
  private static final int FILLING = 2_000;
  private static final int ROUND = 4_000;

  private final SinkMode sink;
  private final int[] points;
  private final WarmUp warmUp;
  private final int[] tokens = new int[ROUND * ALL];
  private final TokenView prompt = new TokenView();
  private final TokenView whole = new TokenView();
  private final ActiveKvLease lease = new ActiveKvLease();

  ChurnWorkload(final WorkloadSettings settings) {
    sink = settings.sinkOr(SinkMode.CHECK);
    warmUp = settings.warmUp();
    points = settings.pointsOr(FILLING + settings.roundsOr(7) * ROUND);
  }

  /** How many rounds {@code requests} are enough for. */
  static int roundsIn(final int requests) {
    return (requests - FILLING) / ROUND;
  }

  @Override
  public List<Fields> run() {
    final int total = points[points.length - 1];
    if (roundsIn(total) > 0) {
      warmUp.run(() -> new Run().requests(total));
    }
    return new Run().requests(total);
  }

  private final class Run {
    private final Lcg random = new Lcg(42);
    private final RoundTimes times = new RoundTimes(ROUND);
    private final List<Fields> rows = new ArrayList<>();
    private int done;

    private List<Fields> requests(final int total) {
      try (ManagerSession session = new ManagerSession(POOL_TOKENS, PAGE_SIZE, sink)) {
        while (done < total) {
          final boolean full = done >= FILLING;
          final int count = Math.min(total - done, full ? ROUND : FILLING);
          fillTokens(count);
          final long nanos = timed(session, count);
          if (full && count == ROUND) {
            times.add(nanos);
          }
        }
      }
      final Timing timing = new Timing().rounds(times.rounds()).add("request", times);
      timing.addTo(rows.get(rows.size() - 1));
      return rows;
    }

    private void fillTokens(final int count) {
      int at = 0;
      for (int r = done; r < done + count; r++) {
        final int p = random.nextBelow(PREFIXES);
        for (int j = 0; j < SHARED; j++) {
          tokens[at++] = p * SHARED + j;
        }
        for (int j = 0; j < FRESH; j++) {
          tokens[at++] = 1_000_000 + r * FRESH + j;
        }
        for (int j = 0; j < DECODED; j++) {
          tokens[at++] = 0x4000_0000 + r * DECODED + j;
        }
      }
    }

    private long timed(final ManagerSession session, final int count) {
      long nanos = 0;
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        prompt.wrap(tokens, i * ALL, PROMPT);
        whole.wrap(tokens, i * ALL, ALL);
        request(session);
        done++;
        if (done == points[rows.size()]) {
          nanos += System.nanoTime() - start;
          rows.add(session.row("W3", "requests", done));
          start = System.nanoTime();
        }
      }
      return nanos + System.nanoTime() - start;
    }

    private void request(final ManagerSession session) {
      if (!session.allocate(prompt, lease)) {
        throw new IllegalStateException("a request of W3 was refused: request=" + done);
      }
      session.manager().extendCachedPrefix(prompt, lease);
      for (int j = 0; j < DECODED; j++) {
        if (!session.decodeToken(lease)) {
          throw new IllegalStateException("a decode page of W3 was refused: request=" + done);
        }
      }
      session.manager().finish(whole, lease);
    }
  }
}
