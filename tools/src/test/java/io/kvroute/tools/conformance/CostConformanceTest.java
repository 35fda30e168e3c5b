package io.kvroute.tools.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CostConformanceTest {
  private final CostConformance checker = new CostConformance();

  @Test
  void shouldAgreeWithTheGoldenCostsButForDecidedDifferences() throws IOException {
    final Path file = Path.of(SharedFiles.require("vectors/golden-cost.jsonl"));
    assertTrue(checker.recognises(file));
    final GoldenResult result = checker.check(file);
    assertNull(result.firstDisagreement());
    assertEquals(0, result.disagree());
    assertEquals(540 + 92 + 10 + 12, result.total());
    assertEquals(
        Map.of(
            "cached tokens capped at the prompt's length", 173L,
            "what is not a number never wins", 3L),
        result.byDecision());
  }
}
