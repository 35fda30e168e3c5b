package io.kvroute.twin;

import io.kvroute.twin.KvSubject.Config;
import io.kvroute.twin.KvSubject.SinkMode;
import io.kvroute.twin.Operation.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * Two managers under the same operations: the naive one and another. After each operation
 * everything that can be seen of them, and everything inside that must be equal, is compared, and
 * each is asked for its own invariants.
 */
final class TwinRun implements AutoCloseable {
  private static final int SLOTS = 5;
  private static final int FULL_COMPARISON = 32;

  /** The pool and the state of the sink at the start. */
  record Setup(long totalTokens, int pageSize, SinkMode sink) {}

  private final List<TwinEvent> naiveEvents = new ArrayList<>();
  private final List<TwinEvent> otherEvents = new ArrayList<>();
  private final List<TraceRecord> naiveTraces = new ArrayList<>();
  private final List<TraceRecord> otherTraces = new ArrayList<>();
  private final Ledger ledger = new Ledger();
  private final NaiveSubject naive;
  private final KvSubject other;
  private final OperationPlayer naivePlayer;
  private final OperationPlayer otherPlayer;
  private KvSubject.Snapshot before;
  private SinkMode sink;
  private int played;

  TwinRun(final Setup setup, final Function<Config, KvSubject> maker) {
    naive = new NaiveSubject(config(setup, naiveEvents, naiveTraces));
    other = maker.apply(config(setup, otherEvents, otherTraces));
    naivePlayer = new OperationPlayer(naive);
    otherPlayer = new OperationPlayer(other);
    naive.ledger(ledger::book);
    sink = setup.sink();
    before = naive.snapshot();
  }

  private static Config config(
      final Setup setup, final List<TwinEvent> events, final List<TraceRecord> traces) {
    return new Config(
        setup.totalTokens(), setup.pageSize(), 3, setup.sink(), events::add, traces::add);
  }

  /** Plays an operation on both; fails if they differ in anything. */
  void play(final Operation operation) {
    final String expected = naivePlayer.play(operation);
    same("answer", expected, otherPlayer.play(operation));
    same("events", naiveEvents, otherEvents);
    same("traces", naiveTraces, otherTraces);
    same("figures", naive.figures(), other.figures());
    compareSlot(operation.slot());
    compareSlot(operation.other());
    if (++played % FULL_COMPARISON == 0) {
      for (int slot = 0; slot < SLOTS; slot++) {
        compareSlot(slot);
      }
    }
    final KvSubject.Snapshot after = naive.snapshot();
    compareSnapshots(after, other.snapshot());
    if (expected.equals(OperationPlayer.MISUSE)) {
      same("state after misuse", before, after);
      demand(naiveEvents.isEmpty() && naiveTraces.isEmpty(), "a misuse was announced or traced");
    }
    before = after;
    naive.checkInvariants();
    other.checkInvariants();
    checkAdvertised(operation);
    Ledger.checkHashes(after);
    naiveEvents.clear();
    otherEvents.clear();
    naiveTraces.clear();
    otherTraces.clear();
  }

  private void compareSlot(final int slot) {
    same("lease " + slot, naive.lease(slot), other.lease(slot));
    same("destination " + slot, naive.destination(slot), other.destination(slot));
    same("reservation " + slot, naive.reservationCount(slot), other.reservationCount(slot));
  }

  private static void compareSnapshots(
      final KvSubject.Snapshot expected, final KvSubject.Snapshot actual) {
    same("tree", expected.tree(), actual.tree());
    same("free list", expected.recycled(), actual.recycled());
    same("next fresh page", expected.nextFresh(), actual.nextFresh());
    same("announced pages", expected.published(), actual.published());
  }

  private void checkAdvertised(final Operation operation) {
    if (operation.kind() == Kind.SINK) {
      sink = SinkMode.values()[operation.slot()];
    }
    if (sink == SinkMode.ABSENT) {
      ledger.forgetAllBut(naive.advertised());
    }
    same("advertised hashes", Set.copyOf(naive.advertised()), ledger.advertised());
  }

  /** Closes both; what was announced is taken back, in whatever order. */
  @Override
  public void close() {
    naive.close();
    other.close();
    same("hashes removed by close", removed(naiveEvents), removed(otherEvents));
    demand(
        sink == SinkMode.ABSENT || ledger.advertised().isEmpty(), "close left something announced");
  }

  private static Set<Long> removed(final List<TwinEvent> events) {
    final Set<Long> hashes = new HashSet<>();
    for (final TwinEvent event : events) {
      demand(event instanceof TwinEvent.Removed, "close stores: event=" + event);
      for (final Long hash : ((TwinEvent.Removed) event).blockHashes()) {
        demand(hashes.add(hash), "removed twice: hash=" + Long.toUnsignedString(hash));
      }
    }
    return hashes;
  }

  private static void same(final String what, final Object expected, final Object actual) {
    if (expected == null ? actual != null : !expected.equals(actual)) {
      throw new AssertionError(
          String.format(
              Locale.ROOT, "%s differ:%n  naive: %s%n  other: %s", what, expected, actual));
    }
  }

  private static void demand(final boolean condition, final String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
