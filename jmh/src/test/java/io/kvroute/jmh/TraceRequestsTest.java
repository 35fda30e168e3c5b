package io.kvroute.jmh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TraceRequestsTest {

  @Test
  void shouldReadLengthsAndTokensOfATrace(@TempDir final Path folder) throws IOException {
    final Path file =
        Files.writeString(
            folder.resolve("trace.jsonl"),
            """
            {"timestamp": 0, "input_length": 513, "output_length": 5, "hash_ids": [2, 9]}

            {"hash_ids": [7],"input_length":1}
            """);
    final TraceRequests trace = TraceRequests.read(file);
    assertEquals(2, trace.count());
    assertEquals(513, trace.longest());
    assertEquals(514, trace.inputTokens());
    final int[] tokens = new int[513];
    assertEquals(513, trace.fill(0, tokens));
    final int[] expected = IntStream.range(1024, 1024 + 513).toArray();
    expected[512] = 9 * 512;
    assertArrayEquals(expected, tokens);
    assertEquals(1, trace.fill(1, tokens));
    assertEquals(7 * 512, tokens[0]);
    assertNull(TraceOutputs.of(trace.inputTokens(), 2));
  }

  @Test
  void shouldNameTheLineWhenItIsNotARequest(@TempDir final Path folder) throws IOException {
    final Path file = Files.writeString(folder.resolve("trace.jsonl"), "{\"input_length\": 1}");
    final IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> TraceRequests.read(file));
    assertEquals("not a request of a trace: line={\"input_length\": 1}", failure.getMessage());
  }

  @Test
  void shouldGenerateTheSameConversationsEachTime() {
    final TraceRequests first = TraceRequests.generate();
    final TraceRequests second = TraceRequests.generate();
    final int[] one = new int[first.longest()];
    final int[] other = new int[second.longest()];
    for (int r = 0; r < first.count(); r++) {
      assertEquals(first.fill(r, one), second.fill(r, other));
      assertEquals(Arrays.hashCode(one), Arrays.hashCode(other), "request=" + r);
    }
    assertEquals(1_000, first.count());
  }
}
