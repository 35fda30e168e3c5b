package io.kvroute.route;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class SoftmaxPickerTest {
  private static final double NAN = Double.NaN;
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  private final SoftmaxPicker picker = new SoftmaxPicker();

  private int[] wins(final double temperature, final int draws, final double... costs) {
    final int[] wins = new int[costs.length];
    final RandomSource random = RandomSource.seeded(42);
    for (int i = 0; i < draws; i++) {
      wins[picker.pick(costs, costs.length, temperature, random)]++;
    }
    return wins;
  }

  private static double[] probabilities(final double temperature, final double... costs) {
    final double[] probabilities = new double[costs.length];
    assertTrue(SoftmaxPicker.probabilities(costs, costs.length, temperature, probabilities));
    return probabilities;
  }

  @Test
  void shouldShareExactTiesUniformlyAtTemperatureZero() {
    for (final int wins : wins(0.0, 3000, 4.0, 4.0, 4.0)) {
      assertEquals(1000, wins, 120);
    }
    final int[] first = wins(0.0, 3000, 1.0, 1.0, 1.0000001);
    assertEquals(0, first[2]);
    assertEquals(1500, first[0], 150);
  }

  @Test
  void shouldTakeTheLowestWhereverItStands() {
    assertArrayEquals(new int[] {0, 9, 0}, wins(0.0, 9, 3.0, -1.0, 2.0));
    assertArrayEquals(new int[] {9, 0}, wins(0.0, 9, -INFINITE, 2.0));
  }

  @Test
  void shouldNeverPickWhatIsNotANumber() {
    assertArrayEquals(new int[] {0, 0, 9}, wins(0.0, 9, NAN, NAN, INFINITE));
    assertArrayEquals(new int[] {9, 0, 0}, wins(0.0, 9, 1.0, NAN, 2.0));
    final int[] drawn = wins(1.0, 1000, NAN, 1.0, NAN, 2.0, NAN);
    assertEquals(1000, drawn[1] + drawn[3]);
    assertTrue(drawn[1] > drawn[3] && drawn[3] > 0);
    final RandomSource random = RandomSource.seeded(1);
    assertEquals(-1, picker.pick(new double[] {NAN, NAN}, 2, 0.0, random));
    assertEquals(-1, picker.pick(new double[] {NAN, NAN}, 2, 0.5, random));
  }

  @Test
  void shouldScaleCostsSoThatTemperatureDoesNotDependOnTheirUnit() {
    final double[] small = probabilities(0.5, 0.0, 1.0, 4.0);
    assertArrayEquals(small, probabilities(0.5, 0.0, 1000.0, 4000.0), 1e-15);
    assertEquals(Math.exp(-0.5), small[1] / small[0], 1e-12);
    assertEquals(Math.exp(-2.0), small[2] / small[0], 1e-12);
  }

  @Test
  void shouldShareAmongEqualCosts() {
    assertArrayEquals(new double[] {0.25, 0.25, 0.25, 0.25}, probabilities(1e-300, 7, 7, 7, 7));
    assertArrayEquals(new double[] {1.0}, probabilities(1.0, 5.0));
  }

  @Test
  void shouldGiveAllToTheLowestWhereTheScaleOverflows() {
    assertArrayEquals(new double[] {0, 1, 0}, probabilities(Double.MIN_VALUE, 4, 2, 3));
    assertArrayEquals(new double[] {0, 1, 0}, probabilities(Double.MIN_VALUE, 4, 0, 3));
    assertArrayEquals(new double[] {0.5, 0.5, 0.0}, probabilities(1.0, 4.0, 4.0, INFINITE));
  }

  @Test
  void shouldDrawAsOftenAsProbable() {
    final double[] probabilities = probabilities(0.7, 1.0, 2.0, 5.0);
    final int[] wins = wins(0.7, 20_000, 1.0, 2.0, 5.0);
    for (int i = 0; i < wins.length; i++) {
      assertEquals(20_000 * probabilities[i], wins[i], 350);
    }
  }

  @Test
  void shouldRepeatItselfWithTheSameSeed() {
    assertArrayEquals(wins(0.7, 500, 1.0, 2.0, 5.0), wins(0.7, 500, 1.0, 2.0, 5.0));
  }
}
