package io.kvroute.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.twin.KvSubject.Config;
import io.kvroute.twin.KvSubject.SinkMode;
import io.kvroute.twin.Operation.Kind;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A manager with fewer radix nodes than pages: it evicts whole leaves, or leaves pages with their
 * requests, or refuses; whatever it does, everything inside fits together and is announced.
 */
class ScarceNodesTest {
  private static final Set<Kind> MATCHES = EnumSet.of(Kind.MATCH, Kind.LOCK, Kind.UNLOCK_UNLOCKED);
  private static final int OPERATIONS = Integer.getInteger("kvroute.twin.operations", 10_000) / 10;

  @ParameterizedTest
  @CsvSource({"1, 32, 2", "1, 64, 5", "4, 64, 3", "4, 200, 12", "16, 64, 8"})
  void shouldStayConsistentWhenNodesRunOut(
      final int pageSize, final int poolPages, final int nodeCapacity) {
    final long seed = 31L * pageSize + nodeCapacity;
    final Ledger ledger = new Ledger();
    final long totalTokens = (long) pageSize * poolPages;
    final Config config =
        new Config(totalTokens, pageSize, 0, SinkMode.HEALTHY, ledger::book, null);
    try (RealSubject subject = new RealSubject(config, nodeCapacity)) {
      final OperationGenerator generator =
          new OperationGenerator(seed, subject, pageSize, poolPages, 0);
      final OperationPlayer player = new OperationPlayer(subject);
      for (int i = 0; i < OPERATIONS; i++) {
        final Operation operation = generator.next();
        if (MATCHES.contains(operation.kind()) && subject.manager().cache().availableNodes() == 0) {
          continue;
        }
        try {
          player.play(operation);
          subject.checkInvariants();
          final KvSubject.Snapshot state = subject.snapshot();
          Ledger.checkHashes(state);
          assertEquals(new HashSet<>(state.published().values()), ledger.advertised());
          assertTrue(subject.figures().nodes() <= nodeCapacity + 1);
        } catch (final AssertionError | RuntimeException e) {
          throw new AssertionError("seed=" + seed + " operation " + i + ": " + operation, e);
        }
      }
      assertTrue(subject.manager().nodeRefusals() > 0, "nodes never ran out");
    }
    assertTrue(ledger.advertised().isEmpty(), "close left something announced");
  }
}
