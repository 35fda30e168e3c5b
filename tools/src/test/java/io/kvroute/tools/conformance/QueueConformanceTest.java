package io.kvroute.tools.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueConformanceTest {
  private static final long OPERATIONS = 8494;
  private static final long BUSY_ROWS = 216;
  private static final long POLICIES = 25;

  @TempDir private Path directory;

  private final QueueConformance checker = new QueueConformance();

  private static Path golden() {
    return Path.of(SharedFiles.require("vectors/golden-queue.jsonl"));
  }

  @Test
  void shouldAgreeWithEveryGoldenCaseExceptWhereItWasDecidedOtherwise() throws IOException {
    assertTrue(checker.recognises(golden()));
    final GoldenResult result = checker.check(golden());
    assertNull(result.firstDisagreement());
    assertEquals(Map.of(QueueConformance.CAPPED, 36L), result.byDecision());
    assertEquals(OPERATIONS + BUSY_ROWS + POLICIES, result.total());
  }

  /** Changes one golden line of each kind, and gives the result for it alone. */
  private GoldenResult changed(final String kind, final String note, final String[]... changes)
      throws IOException {
    final List<String> lines = Files.readAllLines(golden());
    String line =
        lines.stream()
            .filter(each -> each.contains("\"kind\":\"" + kind + '"') && each.contains(note))
            .findFirst()
            .orElseThrow();
    for (final String[] change : changes) {
      assertTrue(line.contains(change[0]), line);
      line = line.replaceFirst(change[0], change[1]);
    }
    final Path file = directory.resolve("changed.jsonl");
    Files.write(file, List.of(lines.get(0), line));
    return checker.check(file);
  }

  @Test
  void shouldNameWhatDisagreesWhenGoldenLinesAreChanged() throws IOException {
    final String[][] changes = {
      {"busy", "", "0,0,false,false", "0,0,true,false"},
      {"policy_config", "quantum 0", "quantum: 0", "quantum: 1"},
      {"policy_queue", "weights 3:1", "\"cursor\":1", "\"cursor\":0"},
      {"scheduler", "threshold 0", "\"pending_count\":1", "\"pending_count\":2"},
      {"scheduler", "overloaded workers", "SubscriberShutdown", "NoEndpoints"},
    };
    for (final String[] change : changes) {
      final GoldenResult result =
          changed(change[0], change[1], new String[] {change[2], change[3]});
      assertEquals(1, result.disagree(), change[1]);
      assertTrue(result.firstDisagreement().startsWith(change[0]), result.firstDisagreement());
    }
  }

  @Test
  void shouldSayWhichLineIsNotGolden() {
    final IOException failure =
        assertThrows(
            IOException.class,
            () -> changed("policy_queue", "empty pop", new String[] {"policy_queue", "poll"}));
    assertTrue(failure.getMessage().contains("line=2"), failure.getMessage());
  }
}
