package io.kvroute.tools.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AxisTest {

  private static List<String> labels(final Axis axis) {
    return axis.marks().stream().map(Axis.Mark::label).toList();
  }

  @Test
  void shouldMarkRoundNumbersUpToTheFirstBeyondTheMaximum() {
    assertEquals(
        List.of("0 %", "5 %", "10 %", "15 %", "20 %", "25 %", "30 %"),
        labels(Axis.linear("", 26.4, " %")));
    assertEquals(List.of("0", "0.2", "0.4", "0.6", "0.8", "1"), labels(Axis.linear("", 1, "")));
    assertEquals(List.of("0", "1,000", "2,000", "3,000"), labels(Axis.exact("", 3_557.2)));
  }

  @Test
  void shouldMarkDurationsInTheirLargestUnits() {
    assertEquals(
        List.of("200 ms", "500 ms", "1 s", "2 s", "5 s", "10 s", "20 s"),
        labels(Axis.durations("", 242e6, 12e9)));
    assertEquals(
        List.of("10 ns", "100 ns", "1 \u00b5s", "10 \u00b5s", "100 \u00b5s", "1 ms"),
        labels(Axis.durations("", 23, 700e3)));
  }

  @Test
  void shouldPutPercentilesByTheirNines() {
    final Axis axis = Axis.percentiles("");
    assertEquals(List.of("lowest", "p50", "p90", "p99", "p99.9"), labels(axis));
    assertEquals(1.0 / 3, axis.marks().get(2).share(), 1e-12);
    assertEquals(1, axis.share(7), "values beyond stay on the axis");
    assertEquals(0, axis.share(-1));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 0.7, 1, 2, 5, 6, 6.1, 7, 99, 100, 101, 12_345, 9e8})
  void shouldReachTheMaximumWithFewMarks(final double max) {
    for (final Axis axis :
        List.of(Axis.linear("", max, ""), Axis.durations("", Math.max(1, max / 50), max * 3))) {
      final int marks = axis.marks().size();
      assertTrue(marks >= 2 && marks <= 12, "max=" + max + " marks=" + marks);
      assertEquals(0, axis.marks().get(0).share());
      assertEquals(1, axis.marks().get(marks - 1).share(), 1e-9);
    }
  }

  @Test
  void shouldWriteCoordinatesInTenths() {
    assertEquals("12.3", Svg.number(12.34));
    assertEquals("12", Svg.number(12.04));
    assertEquals("-0.5", Svg.number(-0.46));
    assertEquals("0", Svg.number(-0.04));
    assertEquals("&lt;a &amp; &quot;b&quot;&gt;", Svg.escape("<a & \"b\">"));
  }
}
