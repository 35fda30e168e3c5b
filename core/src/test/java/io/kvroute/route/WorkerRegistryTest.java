package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.protocol.KvTransferEnforcement;
import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.route.WorkerRegistrationException.Reason;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WorkerRegistryTest {
  private static final long BIG = 0x8000000000000000L;

  private final WorkerRegistry registry = new WorkerRegistry(16, 8);

  private void assertRefused(
      final Reason reason, final long id, final TestWorker worker, final long block) {
    final long refusals = registry.refusals();
    final long version = registry.version();
    final WorkerRegistrationException refusal =
        assertThrows(WorkerRegistrationException.class, () -> registry.register(id, worker, block));
    assertEquals(reason, refusal.reason());
    assertEquals(id, refusal.workerId());
    assertEquals(refusals + 1, registry.refusals());
    assertEquals(version, registry.version());
  }

  @Test
  void shouldKeepWorkersInUnsignedOrder() {
    registry.register(BIG, TestWorker.one(), 16);
    registry.register(1, TestWorker.ranks(4, 2), 16);
    registry.register(-1, TestWorker.one(), 16);
    assertEquals(3, registry.workerCount());
    assertEquals(4, registry.rankCount());
    assertEquals(1, registry.workerId(0));
    assertEquals(BIG, registry.workerId(1));
    assertEquals(-1, registry.workerId(2));
    assertTrue(registry.remove(BIG));
    assertEquals(-1, registry.workerId(1));
    assertEquals(3, registry.rankCount());
  }

  @Test
  void shouldRefuseEnginesWhosePagesAreSmallerThanBlocks() {
    assertRefused(Reason.PAGES_SMALLER_THAN_BLOCKS, 5, TestWorker.one(), 4);
    assertFalse(registry.isRegistered(5));
  }

  @Test
  void shouldRefuseEnginesOfOtherOrUnknownBlockSizes() {
    assertRefused(Reason.PAGES_LARGER_THAN_BLOCKS, 5, TestWorker.one(), 64);
    assertRefused(Reason.PAGES_LARGER_THAN_BLOCKS, 5, TestWorker.one(), -1);
    assertRefused(Reason.BLOCK_SIZE_UNKNOWN, 5, TestWorker.one(), 0);
  }

  @Test
  void shouldRefuseWorkersThatCannotBe() {
    registry.register(1, TestWorker.ranks(0, 7), 16);
    assertRefused(Reason.DUPLICATE_WORKER, 1, TestWorker.one(), 16);
    assertRefused(Reason.INVALID_DP_SIZE, 2, TestWorker.ranks(0, 0), 16);
    assertRefused(Reason.INVALID_DP_RANGE, 2, TestWorker.ranks(-1, 2), 16);
    assertRefused(Reason.TOO_MANY_RANKS, 2, TestWorker.ranks(0, 2), 16);
    assertRefused(Reason.TOO_MANY_RANKS, 2, TestWorker.ranks(0, -1), 16);
    registry.register(2, TestWorker.ranks(-1, 1), 16);
    assertTrue(registry.hasRank(2, -1));
  }

  @Test
  void shouldRefuseToUpdateWhoIsNotThere() {
    final WorkerRegistrationException refusal =
        assertThrows(WorkerRegistrationException.class, () -> registry.update(9, TestWorker.one()));
    assertEquals(Reason.UNKNOWN_WORKER, refusal.reason());
  }

  @Test
  void shouldKnowOnlyTheRanksThatAWorkerHas() {
    registry.register(7, TestWorker.ranks(4, 2), 16);
    assertFalse(registry.hasRank(7, 3));
    assertTrue(registry.hasRank(7, 4));
    assertTrue(registry.hasRank(7, 5));
    assertFalse(registry.hasRank(7, 6));
    assertFalse(registry.hasRank(8, 4));
  }

  @Test
  void shouldGiveEveryRegistrationAGenerationOfItsOwn() {
    final long first = registry.register(5, TestWorker.one(), 16);
    registry.update(5, TestWorker.ranks(0, 2));
    assertEquals(first, registry.generation(5));
    assertTrue(registry.remove(5));
    assertEquals(0, registry.generation(5));
    assertFalse(registry.remove(5));
    final long second = registry.register(5, TestWorker.one(), 16);
    assertTrue(second > first);
    assertEquals(second, registry.generation(5));
  }

  @Test
  void shouldRefuseBlockSizesOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new WorkerRegistry(0));
    assertThrows(IllegalArgumentException.class, () -> new WorkerRegistry(1L << 32));
    assertThrows(IllegalArgumentException.class, () -> new WorkerRegistry(16, 0));
  }

  @Test
  void shouldRequireTheTopologyOfThePrefillWorkerWhereItSaysSo() {
    registry.register(1, TestWorker.one().zone("a", KvTransferEnforcement.REQUIRED, 0), 16);
    final RoutingConstraints merged =
        registry.decodeConstraints(new RoutingConstraints(Set.of("gpu"), Map.of("disk", 0.5f)), 1);
    assertEquals(
        new RoutingConstraints(Set.of("gpu", "dynamo.topology/zone=a"), Map.of("disk", 0.5f)),
        merged);
  }

  @Test
  void shouldPreferTheTopologyOfThePrefillWorkerWhereItSaysSo() {
    registry.register(1, TestWorker.one().zone("a", KvTransferEnforcement.PREFERRED, 0.75), 16);
    assertEquals(
        new RoutingConstraints(Set.of(), Map.of("dynamo.topology/zone=a", 0.75f)),
        registry.decodeConstraints(RoutingConstraints.NONE, 1));
  }

  @Test
  void shouldLeaveConstraintsAloneWithoutATransferDomain() {
    registry.register(1, TestWorker.one(), 16);
    assertSame(RoutingConstraints.NONE, registry.decodeConstraints(RoutingConstraints.NONE, 1));
    assertSame(RoutingConstraints.NONE, registry.decodeConstraints(RoutingConstraints.NONE, 2));
  }
}
