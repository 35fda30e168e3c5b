package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.protocol.ActiveLoad;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class OverloadMonitorTest {
  private static final long WORKER = 7;

  private final WorkerRegistry registry = new WorkerRegistry(16);
  private final OverloadMonitor monitor = registry.overload();

  private void thresholds(final Double decode, final Long prefill, final Double fraction) {
    monitor.thresholds(
        new OverloadThresholds(
            decode == null ? OptionalDouble.empty() : OptionalDouble.of(decode),
            prefill == null ? OptionalLong.empty() : OptionalLong.of(prefill),
            fraction == null ? OptionalDouble.empty() : OptionalDouble.of(fraction)));
  }

  @Test
  void shouldNeverFindOverloadWithoutThresholds() {
    registry.register(WORKER, TestWorker.one().limits(1, 1), 16);
    assertTrue(monitor.observe(WORKER, 0, -1, -1));
    assertFalse(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldFindOverloadOnlyAboveTheTokenThreshold() {
    registry.register(WORKER, TestWorker.one(), 16);
    thresholds(null, 100L, null);
    monitor.observe(WORKER, 0, 0, 100);
    assertFalse(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 0, 101);
    assertTrue(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 0, -1); // 2^64-1
    assertTrue(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 0, 5);
    assertFalse(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldCutTheFractionOfABatchToWholeTokens() {
    registry.register(WORKER, TestWorker.one().limits(1001, 10), 16);
    thresholds(null, null, 0.5); // 500.5
    monitor.observe(WORKER, 0, 0, 500);
    assertFalse(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 0, 501);
    assertTrue(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldTakeTenMillionForABatchOfUnknownSize() {
    registry.register(WORKER, TestWorker.one(), 16);
    thresholds(null, null, 1.0);
    monitor.observe(WORKER, 0, 0, 10_000_000);
    assertFalse(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 0, 10_000_001);
    assertTrue(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldHoldTheDecodeOverloadUntilBothSignalsAreDown() {
    registry.register(WORKER, TestWorker.one().limits(1, 100), 16);
    thresholds(0.9, null, null);
    monitor.observeUsedBlocks(WORKER, 0, 90);
    assertFalse(monitor.isOverloaded(WORKER));
    monitor.observeUsedBlocks(WORKER, 0, 91);
    assertTrue(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 10, 0);
    assertTrue(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 95, 0);
    monitor.observeUsedBlocks(WORKER, 0, 10);
    assertTrue(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 89, 0);
    assertFalse(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldSkipTheDecodeTestIfTheCacheIsOfUnknownSize() {
    registry.register(WORKER, TestWorker.one(), 16);
    thresholds(0.0, null, null);
    monitor.observe(WORKER, 0, 1_000_000, 0);
    assertFalse(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldFindAWorkerOverloadedOnlyIfAllItsKnownRanksAre() {
    registry.register(WORKER, TestWorker.ranks(0, 3), 16);
    thresholds(null, 0L, null);
    assertFalse(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 0, 0, 1);
    assertTrue(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 1, 0, 0);
    assertFalse(monitor.isOverloaded(WORKER));
    monitor.observe(WORKER, 1, 0, 1);
    assertTrue(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldKeepWhatAReportLeavesOut() {
    registry.register(WORKER, TestWorker.one(), 16);
    thresholds(null, 10L, null);
    final OptionalLong none = OptionalLong.empty();
    monitor.observe(new ActiveLoad(WORKER, 0, OptionalLong.of(3), OptionalLong.of(11), none));
    assertTrue(monitor.isOverloaded(WORKER));
    monitor.observe(new ActiveLoad(WORKER, 0, OptionalLong.of(0), none, OptionalLong.of(2)));
    assertTrue(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldCountReportsOfRanksThatAreNotThere() {
    registry.register(WORKER, TestWorker.ranks(4, 2), 16);
    thresholds(null, 0L, null);
    assertFalse(monitor.observe(WORKER, 3, 0, 1));
    assertFalse(monitor.observe(WORKER, 6, 0, 1));
    assertFalse(monitor.observeUsedBlocks(8, 4, 1));
    assertEquals(3, monitor.unknownRanks());
    assertFalse(monitor.isOverloaded(WORKER));
    assertTrue(monitor.observe(WORKER, 5, 0, 1));
  }

  @Test
  void shouldJudgeAgainWhenThresholdsOrWorkersChange() {
    registry.register(WORKER, TestWorker.one().limits(100, 100), 16);
    monitor.observe(WORKER, 0, 50, 50);
    thresholds(0.4, null, null);
    assertTrue(monitor.isOverloaded(WORKER));
    registry.update(WORKER, TestWorker.one().limits(100, 1000));
    assertFalse(monitor.isOverloaded(WORKER));
    thresholds(null, 49L, null);
    assertTrue(monitor.isOverloaded(WORKER));
    registry.remove(WORKER);
    registry.register(WORKER, TestWorker.one().limits(100, 1000), 16);
    assertFalse(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldForgetLoads() {
    registry.register(WORKER, TestWorker.one(), 16);
    thresholds(null, 0L, null);
    monitor.observe(WORKER, 0, 0, 1);
    monitor.clear();
    assertFalse(monitor.isOverloaded(WORKER));
  }

  @Test
  void shouldRefuseThresholdsOutOfRange() {
    assertThrows(KvRouterConfigException.class, () -> thresholds(1.5, null, null));
    assertThrows(KvRouterConfigException.class, () -> thresholds(-0.1, null, null));
    assertThrows(KvRouterConfigException.class, () -> thresholds(null, null, -1.0));
    assertThrows(KvRouterConfigException.class, () -> thresholds(null, null, Double.NaN));
  }
}
