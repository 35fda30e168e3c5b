package io.kvroute.tools.workload;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.hash.TokenView;
import io.kvroute.tools.io.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** W3c: eight leases at once in a pool of 1,024 tokens: duplicates, shared locks, aborts. */
final class LeasesWorkload implements Workload {
  private static final int POOL_TOKENS = 1_024;
  private static final int PAGE_SIZE = 4;
  private static final int SLOTS = 8;
  private static final int MAX_PROMPT = 160;
  private static final int DECODES_PER_STEP = 5;
  private static final int STEPS = 1_000;

  private final SinkMode sink;
  private final int[] points;
  private final int rounds;
  private final WarmUp warmUp;

  LeasesWorkload(final WorkloadSettings settings) {
    sink = settings.sinkOr(SinkMode.CHECK);
    rounds = settings.roundsOr(7);
    warmUp = settings.warmUp();
    points = settings.pointsOr(STEPS);
  }

  @Override
  public List<Fields> run() {
    warmUp.run(() -> measure(1));
    return measure(rounds);
  }

  private List<Fields> measure(final int measuredRounds) {
    final int total = points[points.length - 1];
    final RoundTimes times = new RoundTimes(total);
    List<Fields> rows = List.of();
    for (int round = 0; round < measuredRounds; round++) {
      try (Run run = new Run()) {
        rows = run.steps(total);
        times.add(run.nanos);
      }
    }
    new Timing().rounds(measuredRounds).add("step", times).addTo(rows.get(rows.size() - 1));
    return rows;
  }

  private static final class Slot {
    private final ActiveKvLease lease = new ActiveKvLease();
    private int[] tokens = new int[2 * MAX_PROMPT];
    private int count;
  }

  private final class Run implements AutoCloseable {
    private final ManagerSession session = new ManagerSession(POOL_TOKENS, PAGE_SIZE, sink);
    private final Lcg random = new Lcg(7);
    private final Slot[] slots = new Slot[SLOTS];
    private final TokenView view = new TokenView();
    private long nanos;

    private Run() {
      Arrays.setAll(slots, i -> new Slot());
    }

    private List<Fields> steps(final int total) {
      final List<Fields> rows = new ArrayList<>();
      for (int done = 1; done <= total; done++) {
        final Slot slot = slots[random.nextBelow(SLOTS)];
        if (slot.lease.isActive()) {
          advance(slot, random.nextBelow(8));
        } else {
          begin(slot);
        }
        if (done == points[rows.size()]) {
          rows.add(session.row("W3c", "steps", done));
        }
      }
      return rows;
    }

    private void begin(final Slot slot) {
      final int family = random.nextBelow(8);
      final int length = random.nextBelow(MAX_PROMPT + 1);
      final int shared = random.nextBelow(MAX_PROMPT + 1);
      final int branch = random.nextBelow(4);
      for (int j = 0; j < length; j++) {
        slot.tokens[j] =
            j < shared ? family * 1_000 + j : 100_000 + family * 1_000 + branch * 200 + j;
      }
      slot.count = length;
      view.wrap(slot.tokens, 0, length);
      final long start = System.nanoTime();
      session.allocate(view, slot.lease);
      nanos += System.nanoTime() - start;
    }

    private void advance(final Slot slot, final int operation) {
      view.wrap(slot.tokens, 0, slot.count);
      final long start = System.nanoTime();
      switch (operation) {
        case 0, 1, 2 -> session.manager().extendCachedPrefix(view, slot.lease);
        case 3, 4, 5 -> decode(slot);
        case 6 -> session.manager().finish(view, slot.lease);
        default -> session.manager().abort(slot.lease);
      }
      nanos += System.nanoTime() - start;
    }

    private void decode(final Slot slot) {
      for (int i = 0; i < DECODES_PER_STEP && session.decodeToken(slot.lease); i++) {
        if (slot.count == slot.tokens.length) {
          slot.tokens = Arrays.copyOf(slot.tokens, slot.count * 2);
        }
        slot.tokens[slot.count] = 0x4000_0000 + slot.count;
        slot.count++;
      }
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
