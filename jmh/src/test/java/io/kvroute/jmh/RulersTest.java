package io.kvroute.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class RulersTest {

  @Test
  void shouldComputeTheChainOfWideMultiplications() {
    final MultiplyHighRuler ruler = new MultiplyHighRuler();
    ruler.setUp();
    assertEquals(ruler.chain(), ruler.chain());
    assertNotEquals(0, ruler.chain());
  }

  @Test
  void shouldWalkOnFromWhereThePreviousInvocationEnded() {
    final DependentLoadRuler ruler = new DependentLoadRuler();
    ruler.setUp();
    final int first = ruler.walk();
    final int second = ruler.walk();
    assertNotEquals(first, second);
    ruler.setUp();
    assertEquals(first, ruler.walk());
    assertEquals(second, ruler.walk());
  }

  @Test
  void shouldFindTheLastByte() {
    final MismatchRuler ruler = new MismatchRuler();
    ruler.setUp();
    assertEquals(MismatchRuler.LENGTH - 1, ruler.mismatch());
  }

  @Test
  void shouldNameBothValuesWhenABenchmarkComputesTheWrongResult() {
    final IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> BenchmarkBase.require("sum", 3, 4));
    assertEquals(
        "benchmark computes the wrong result: what=sum expected=3 actual=4", failure.getMessage());
  }
}
