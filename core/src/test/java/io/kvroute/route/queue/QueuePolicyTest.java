package io.kvroute.route.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.memory.AllocationMeter;
import io.kvroute.route.queue.QueuePolicyException.Fault;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class QueuePolicyTest {
  private static QueueClass.Builder named(final String name) {
    return QueueClass.builder(name);
  }

  private static QueueClass placed(final String name, final String family, final String bucket) {
    return named(name).family(family).bucket(bucket).build();
  }

  private static QueuePolicy.Builder policy() {
    return QueuePolicy.builder().defaultFamily("std").bucket(0, "short").bucket(1000, "long");
  }

  private static QueuePolicy.Builder complete() {
    return policy().add(placed("s0", "std", "short")).add(placed("s1", "std", "long"));
  }

  private static void assertFault(final Fault fault, final Executable body) {
    final QueuePolicyException thrown = assertThrows(QueuePolicyException.class, body);
    assertEquals(fault, thrown.fault(), thrown.getMessage());
  }

  @Test
  void shouldFindTheClassByNameOrFamilyOrElseInTheDefaultFamily() {
    final QueuePolicy policy =
        complete()
            .add(placed("v0", "vip", "short"))
            .add(placed("v1", "vip", "long"))
            .add(named("batch").build())
            .build();
    assertEquals(0, policy.classOf(null, 0));
    assertEquals(0, policy.classOf(null, 999));
    assertEquals(1, policy.classOf(null, 1000));
    assertEquals(1, policy.classOf(null, -1));
    assertEquals(3, policy.classOf("vip", 5000));
    assertEquals(4, policy.classOf("batch", 5000));
    assertEquals(0, policy.classOf("s1", 5));
    assertEquals(0, policy.classOf("nope", 5));
    assertFalse(policy.dependsOnCachedTokens("batch"));
    assertTrue(policy.dependsOnCachedTokens("vip"));
    assertTrue(policy.dependsOnCachedTokens(null));
    assertEquals("batch", policy.classAt(4).name());
    final Runnable body =
        () -> {
          for (int i = 0; i < 1000; i++) {
            policy.classOf((i & 1) == 0 ? "vip" : "batch", i);
          }
        };
    assertEquals(0, AllocationMeter.bytes(30, body));
  }

  @Test
  void shouldHaveOneClassForAllWhenThereIsNoPolicy() {
    final QueuePolicy policy = QueuePolicy.single(QueueDiscipline.LCFS, 16.0);
    assertEquals(1, policy.classCount());
    assertEquals(0, policy.classOf("vip", 77));
    assertFalse(policy.dependsOnCachedTokens(null));
    final QueueClass only = policy.classAt(0);
    assertEquals("default", only.name());
    assertEquals(1, only.quantum());
    assertEquals(OptionalDouble.of(16.0), only.busyThresholdFrac());
    assertTrue(only.isQueueing());
    assertFalse(QueuePolicy.single(QueueDiscipline.FCFS, Double.NaN).classAt(0).isQueueing());
    assertFault(
        Fault.BAD_THRESHOLD,
        () -> QueuePolicy.single(QueueDiscipline.FCFS, Double.NEGATIVE_INFINITY));
  }

  @Test
  void shouldTakeSixteenBatchesOnlyWhenThereIsNoThresholdAtAll() {
    assertEquals(OptionalDouble.of(16.0), named("a").build().busyThresholdFrac());
    assertEquals(OptionalDouble.empty(), named("a").busyThreshold(7).build().busyThresholdFrac());
    final QueueClass both = named("a").busyThreshold(7).busyThresholdFrac(0).build();
    assertEquals(OptionalDouble.of(0), both.busyThresholdFrac());
    assertEquals(OptionalLong.of(7), both.busyThreshold());
    assertFalse(named("a").withoutThreshold().build().isQueueing());
  }

  @Test
  void shouldCallARankBusyOnlyBeyondAThreshold() {
    final QueueClass absolute = named("a").busyThreshold(100).build();
    assertFalse(absolute.isBusy(100, 0));
    assertTrue(absolute.isBusy(101, 0));
    assertTrue(absolute.isBusy(-1, -1));
    final QueueClass fractional = named("a").busyThresholdFrac(0.5).build();
    assertFalse(fractional.isBusy(50, 100));
    assertTrue(fractional.isBusy(51, 100));
    assertTrue(fractional.isBusy(1, 0));
    assertFalse(fractional.isBusy(1L << 62, -1));
    assertTrue(fractional.isBusy((1L << 63) + (1L << 20), -1));
    final QueueClass either = named("a").busyThreshold(60).busyThresholdFrac(0.5).build();
    assertTrue(either.isBusy(55, 100));
    assertTrue(either.isBusy(61, 10_000));
    assertFalse(either.isBusy(60, 10_000));
  }

  @Test
  void shouldSayWhatIsWrongWithAClass() {
    assertFault(Fault.BAD_NAME, () -> named("a b").build());
    assertFault(Fault.BAD_NAME, () -> named("").build());
    assertFault(Fault.BAD_NAME, () -> placed("a", "f\u00e9", "b"));
    assertFault(Fault.BAD_NAME, () -> placed("a", "f", "b/"));
    assertFault(Fault.QUANTUM_NOT_POSITIVE, () -> named("a").quantum(0).build());
    assertFault(Fault.BAD_THRESHOLD, () -> named("a").busyThresholdFrac(-0.5).build());
    assertFault(Fault.BAD_THRESHOLD, () -> named("a").busyThresholdFrac(Double.NaN).build());
    assertFault(
        Fault.BAD_THRESHOLD, () -> named("a").busyThresholdFrac(Double.POSITIVE_INFINITY).build());
    assertFault(Fault.HALF_A_PLACE, () -> named("a").family("f").build());
    assertFault(Fault.HALF_A_PLACE, () -> named("a").bucket("b").build());
  }

  @Test
  void shouldSayWhatIsWrongWithAPolicy() {
    assertFault(Fault.NO_BUCKETS, () -> QueuePolicy.builder().add(named("a").build()).build());
    assertFault(Fault.NO_CLASSES, () -> policy().build());
    assertFault(Fault.FIRST_BUCKET_NOT_ZERO, () -> QueuePolicy.builder().bucket(5, "b").build());
    assertFault(Fault.BUCKETS_NOT_INCREASING, () -> policy().bucket(1000, "c").build());
    assertFault(Fault.DUPLICATE_BUCKET, () -> policy().bucket(-1, "short").build());
    assertFault(Fault.DUPLICATE_CLASS, () -> complete().add(named("s0").build()).build());
    assertFault(
        Fault.DISCIPLINE_NOT_ALLOWED,
        () -> complete().add(named("a").discipline(QueueDiscipline.LCFS).build()).build());
    assertFault(Fault.UNKNOWN_BUCKET, () -> complete().add(placed("a", "std", "x")).build());
    assertFault(Fault.DUPLICATE_PLACE, () -> complete().add(placed("a", "std", "long")).build());
    assertFault(Fault.UNKNOWN_DEFAULT_FAMILY, () -> complete().defaultFamily("x").build());
    assertFault(Fault.CLASS_NAMED_LIKE_FAMILY, () -> complete().add(named("std").build()).build());
    assertFault(Fault.MISSING_CLASS, () -> complete().add(placed("a", "x", "long")).build());
  }

  @Test
  void shouldGiveAModelItsOwnPolicyOrTheSharedOne() {
    final QueuePolicy own = complete().build();
    final QueuePolicy shared = QueuePolicy.single(QueueDiscipline.FCFS, 1);
    final QueuePolicy otherwise = QueuePolicy.single(QueueDiscipline.FCFS, 2);
    final QueuePolicies both = new QueuePolicies(shared, Map.of("m", own));
    assertSame(own, both.of("m", otherwise));
    assertSame(shared, both.of("n", otherwise));
    assertSame(shared, both.of(null, otherwise));
    assertSame(otherwise, new QueuePolicies(null, Map.of("m", own)).of("n", otherwise));
    assertFault(Fault.NO_PROFILE, () -> new QueuePolicies(null, Map.of()));
    assertFault(Fault.EMPTY_MODEL_NAME, () -> new QueuePolicies(null, Map.of("", own)));
  }
}
