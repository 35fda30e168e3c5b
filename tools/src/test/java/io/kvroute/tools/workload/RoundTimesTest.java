package io.kvroute.tools.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RoundTimesTest {

  @Test
  void shouldGiveLeastMiddleAndMostPerOperation() {
    final RoundTimes times = new RoundTimes(10);
    for (final long nanos : new long[] {50, 10, 90, 30}) {
      times.add(nanos);
    }
    assertEquals("{\"min\":1.0,\"median\":4.0,\"max\":9.0}", times.toFields().toJson());
    times.add(55);
    assertEquals("{\"min\":1.0,\"median\":5.0,\"max\":9.0}", times.toFields().toJson());
  }

  @Test
  void shouldSayNothingWhenNothingWasMeasured() {
    assertEquals("{}", new RoundTimes(1).toFields().toJson());
    assertThrows(IllegalArgumentException.class, () -> new RoundTimes(0));
  }
}
