package io.kvroute.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The naive manager gives the reference's outputs, so that it can judge the real one. */
class NaiveWorkloadTest {
  @Test
  void shouldGiveTheReferenceOutputsOnChurn() {
    WorkloadTables.compare(new ChurnWorkload(NaiveSubject::new), WorkloadTables.CHURN, 2_000);
  }

  @Test
  void shouldGiveTheReferenceOutputsWithEightLeasesAtOnce() {
    final LeasesWorkload workload = new LeasesWorkload(NaiveSubject::new);
    WorkloadTables.compare(workload, WorkloadTables.LEASES, 100);
    assertEquals(WorkloadTables.LEASES_INPUT.get(100), workload.inputTokens);
    final LeasesWorkload whole = new LeasesWorkload(NaiveSubject::new);
    WorkloadTables.compare(whole, WorkloadTables.LEASES, 1_000);
    assertEquals(WorkloadTables.LEASES_INPUT.get(1_000), whole.inputTokens);
  }

  @Test
  void shouldGiveTheReferenceOutputsOnTheStartOfTheTrace() {
    WorkloadTables.compare(trace(100, false), WorkloadTables.TRACE, 100);
  }

  @Test
  void shouldGiveTheReferenceOutputsOnTheStartOfTheTraceWithDecode() {
    WorkloadTables.compare(trace(100, true), WorkloadTables.TRACE_DECODE, 100);
  }

  @Test
  @Tag("long")
  void shouldGiveTheReferenceOutputsOnLongChurn() {
    WorkloadTables.compare(new ChurnWorkload(NaiveSubject::new), WorkloadTables.CHURN, 30_000);
  }

  @Test
  @Tag("long")
  void shouldGiveTheReferenceOutputsOnTheWholeTrace() {
    final TraceWorkload workload = trace(12_031, false);
    WorkloadTables.compare(workload, WorkloadTables.TRACE, 12_031);
    assertEquals(144_793_823, workload.inputTokens);
    assertEquals(0, workload.refused);
  }

  @Test
  @Tag("long")
  void shouldGiveTheReferenceOutputsOnTheWholeTraceWithDecode() {
    WorkloadTables.compare(trace(12_031, true), WorkloadTables.TRACE_DECODE, 12_031);
  }

  private static TraceWorkload trace(final int limit, final boolean withDecode) {
    final List<ConversationTrace.Request> requests = ConversationTrace.load(limit);
    return new TraceWorkload(NaiveSubject::new, requests, withDecode);
  }
}
