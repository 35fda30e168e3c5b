package io.kvroute.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The off-heap manager gives the reference's outputs on the reference's workloads. */
class RealWorkloadTest {
  @Test
  void shouldFindEveryCachedPromptWhole() {
    try (CachedPromptWorkload workload = new CachedPromptWorkload(RealSubject::new)) {
      workload.run(48);
      assertEquals(0, workload.hitTokens);
      workload.run(480);
      assertEquals(480 * 1_024, workload.hitTokens);
      final Workload.Outputs outputs = workload.outputs();
      assertEquals(48, outputs.storedEvents());
      assertEquals(48 * 64, outputs.storedBlocks());
      assertEquals(0, outputs.removedEvents());
      assertEquals(65_536 - 48 * 1_024, outputs.available());
      assertEquals(48 * 1_024, outputs.evictable());
    }
  }

  @Test
  void shouldGiveTheReferenceOutputsOnChurn() {
    try (ChurnWorkload workload = new ChurnWorkload(RealSubject::new)) {
      WorkloadTables.compare(workload, WorkloadTables.CHURN, 30_000);
      assertEquals(23_040_000, workload.inputTokens);
    }
  }

  @Test
  void shouldGiveTheReferenceOutputsWithEightLeasesAtOnce() {
    try (LeasesWorkload workload = new LeasesWorkload(RealSubject::new)) {
      WorkloadTables.compare(workload, WorkloadTables.LEASES, 100);
      assertEquals(WorkloadTables.LEASES_INPUT.get(100), workload.inputTokens);
    }
    try (LeasesWorkload workload = new LeasesWorkload(RealSubject::new)) {
      WorkloadTables.compare(workload, WorkloadTables.LEASES, 1_000);
      assertEquals(WorkloadTables.LEASES_INPUT.get(1_000), workload.inputTokens);
    }
  }

  @Test
  void shouldGiveTheReferenceOutputsOnTheStartOfTheTrace() {
    compareTrace(1_000, false);
  }

  @Test
  void shouldGiveTheReferenceOutputsOnTheStartOfTheTraceWithDecode() {
    compareTrace(1_000, true);
  }

  @Test
  @Tag("long")
  void shouldGiveTheReferenceOutputsOnTheWholeTrace() {
    compareTrace(12_031, false);
  }

  @Test
  @Tag("long")
  void shouldGiveTheReferenceOutputsOnTheWholeTraceWithDecode() {
    compareTrace(12_031, true);
  }

  private static void compareTrace(final int limit, final boolean withDecode) {
    final List<ConversationTrace.Request> requests = ConversationTrace.load(limit);
    try (TraceWorkload workload = new TraceWorkload(RealSubject::new, requests, withDecode)) {
      WorkloadTables.compare(
          workload, withDecode ? WorkloadTables.TRACE_DECODE : WorkloadTables.TRACE, limit);
      assertEquals(0, workload.refused);
      assertEquals(
          requests.stream().mapToLong(ConversationTrace.Request::inputLength).sum(),
          workload.inputTokens);
    }
  }
}
