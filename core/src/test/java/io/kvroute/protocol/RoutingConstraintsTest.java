package io.kvroute.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoutingConstraintsTest {

  @Test
  void shouldAcceptEveryWorkerWhenNothingIsRequired() {
    assertTrue(RoutingConstraints.NONE.isEmpty());
    assertFalse(RoutingConstraints.NONE.hasHardConstraints());
    assertTrue(RoutingConstraints.NONE.isCompatibleWithWorkerTaints(Set.of()));
    assertEquals(0, RoutingConstraints.NONE.preferredTaintMatches(Set.of("a")));
    assertEquals(
        OptionalDouble.empty(), RoutingConstraints.NONE.preferredTaintMultiplier(Set.of("a")));
    assertEquals(7.5, RoutingConstraints.NONE.preferredTaintMultiplierOr(Set.of("a"), 7.5));
  }

  @Test
  void shouldNeedEveryRequiredTaint() {
    final RoutingConstraints constraints = new RoutingConstraints(Set.of("a", "b"), Map.of());
    assertFalse(constraints.isEmpty());
    assertTrue(constraints.hasHardConstraints());
    assertTrue(constraints.isCompatibleWithWorkerTaints(Set.of("c", "b", "a")));
    assertFalse(constraints.isCompatibleWithWorkerTaints(Set.of("a")));
  }

  @Test
  void shouldGiveReciprocalFactorsWhenWeightsAreOpposite() {
    final RoutingConstraints constraints =
        new RoutingConstraints(Set.of(), Map.of("near", 0.5f, "far", -0.5f, "huge", 1e30f));
    assertEquals(2, constraints.preferredTaintMatches(Set.of("near", "far", "x")));
    final double near = constraints.preferredTaintMultiplierOr(Set.of("near"), 1);
    final double far = constraints.preferredTaintMultiplierOr(Set.of("far"), 1);
    assertEquals(Math.exp(-Math.tanh(0.5)), near, 1e-15);
    assertEquals(1.0, near * far, 1e-15);
    assertEquals(1.0, constraints.preferredTaintMultiplierOr(Set.of(), 1));
    assertEquals(1.0, constraints.preferredTaintMultiplierOr(Set.of("near", "far"), 1));
    assertEquals(StrictMath.exp(-1.0), constraints.preferredTaintMultiplierOr(Set.of("huge"), 1));
    assertEquals(
        OptionalDouble.of(near), constraints.preferredTaintMultiplier(Set.of("near", "none")));
  }

  @Test
  void shouldSumInTheOrderOfKeysWhenTheMapIsInAnyOtherOrder() {
    final List<String> keys = new ArrayList<>(List.of("a", "b", "c", "d"));
    final Map<String, Float> weights = Map.of("a", 3.0e7f, "b", 0.1f, "c", -3.0e7f, "d", 0.3f);
    final double sum = (((double) 3.0e7f + (double) 0.1f) + -3.0e7f) + (double) 0.3f;
    final double expected = StrictMath.exp(-StrictMath.tanh(sum));
    final SplittableRandom random = new SplittableRandom(5);
    for (int trial = 0; trial < 50; trial++) {
      Collections.shuffle(keys, new Random(random.nextLong()));
      final Map<String, Float> map = new LinkedHashMap<>();
      keys.forEach(key -> map.put(key, weights.get(key)));
      assertEquals(
          expected,
          new RoutingConstraints(Set.of(), map).preferredTaintMultiplierOr(Set.copyOf(keys), 1));
    }
  }

  @Test
  void shouldIterateInTheOrderOfUtf8BytesWhenKeysAreRandom() {
    final long seed = 99;
    final SplittableRandom random = new SplittableRandom(seed);
    final int[] edges = {0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    final Map<String, Float> map = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      final StringBuilder key = new StringBuilder();
      for (int j = random.nextInt(4); j >= 0; j--) {
        key.appendCodePoint(edges[random.nextInt(edges.length)]);
      }
      map.put(key.toString(), (float) i);
    }
    final RoutingConstraints constraints = new RoutingConstraints(map.keySet(), map);
    final List<String> expected = new ArrayList<>(map.keySet());
    expected.sort(
        (a, b) ->
            Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    assertEquals(expected, new ArrayList<>(constraints.requiredTaints()), "seed=" + seed);
    assertEquals(expected, new ArrayList<>(constraints.preferredTaints().keySet()));
    assertEquals(map, constraints.preferredTaints());
  }

  @Test
  void shouldBeAnImmutableCopy() {
    final Map<String, Float> weights = new HashMap<>(Map.of("a", 1f));
    final RoutingConstraints constraints = new RoutingConstraints(Set.of("r"), weights);
    weights.put("b", 2f);
    assertEquals(Map.of("a", 1f), constraints.preferredTaints());
    assertThrows(UnsupportedOperationException.class, () -> constraints.requiredTaints().add("x"));
    assertEquals(new RoutingConstraints(Set.of("r"), Map.of("a", 1f)), constraints);
    assertEquals(
        new RoutingConstraints(Set.of("r"), Map.of("a", 1f)).hashCode(), constraints.hashCode());
  }

  @Test
  void shouldAllocateNothingWhenAWorkerIsJudged() {
    final RoutingConstraints constraints =
        new RoutingConstraints(Set.of("a", "b"), Map.of("a", 0.5f, "c", -0.25f));
    final Set<String> taints = Set.of("a", "b", "c");
    final double[] sum = new double[1];
    final Runnable body =
        () -> {
          for (int i = 0; i < 1_000; i++) {
            sum[0] += constraints.isCompatibleWithWorkerTaints(taints) ? 1 : 0;
            sum[0] += constraints.preferredTaintMatches(taints);
            sum[0] += constraints.preferredTaintMultiplierOr(taints, 1.0);
          }
        };
    for (int i = 0; i < 20; i++) {
      body.run();
    }
    assertEquals(0, Allocations.of(body), () -> "sum=" + sum[0]);
  }
}
