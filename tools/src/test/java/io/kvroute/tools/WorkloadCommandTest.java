package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadCommandTest {

  @TempDir private Path directory;

  private static void assertAsExpected(final Cli.Result result, final int lines) {
    assertEquals("", result.err());
    assertEquals(0, result.code());
    assertEquals(lines, result.lines().length);
  }

  @Test
  void shouldGiveTheReferenceOutputsOfW3() {
    assertAsExpected(
        Cli.run(
            "workload",
            "W3",
            "--requests",
            "100,1000,2000",
            "--format",
            "json",
            "--expect",
            Resources.expected("W3")),
        3);
  }

  @Test
  void shouldGiveTheReferenceOutputsOfAllOfW3() {
    final Cli.Result result =
        Cli.run(
            "workload",
            "W3",
            "--warm-up",
            "1",
            "--format",
            "json",
            "--expect",
            Resources.expected("W3"));
    assertAsExpected(result, 1);
    assertTrue(result.out().contains("\"timing\":{\"unit\":\"ns per operation\",\"rounds\":7,"));
  }

  @Test
  void shouldGiveTheReferenceOutputsOfW3c() {
    assertAsExpected(
        Cli.run(
            "workload",
            "w3c",
            "--steps",
            "100,1000",
            "--rounds",
            "2",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--expect",
            Resources.expected("W3c")),
        2);
  }

  @Test
  void shouldGiveTheReferenceOutputsOfW4() {
    assertAsExpected(
        Cli.run(
            "workload",
            "W4",
            "--trace",
            SharedFiles.conversationTrace(),
            "--requests",
            "100,1000",
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--expect",
            Resources.expected("W4")),
        2);
  }

  @Test
  void shouldGiveTheReferenceOutputsOfW4d() {
    assertAsExpected(
        Cli.run(
            "workload",
            "W4d",
            "--trace",
            SharedFiles.conversationTrace(),
            "--requests",
            "100,1000",
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--expect",
            Resources.expected("W4d")),
        2);
  }

  @Test
  void shouldGiveTheSameOutputsAfterAWarmUp() {
    assertAsExpected(
        Cli.run(
            "workload",
            "W3c",
            "--rounds",
            "1",
            "--warm-up",
            "1",
            "--format",
            "json",
            "--expect",
            Resources.expected("W3c")),
        1);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64})
  void shouldGiveTheReferenceOutputsOfW5(final int workers) {
    assertAsExpected(
        Cli.run(
            "workload",
            "W5",
            "--workers",
            Integer.toString(workers),
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--expect",
            Resources.expected("W5")),
        1);
  }

  @Test
  void shouldRunW5WhenMostWorkersHoldNothing() {
    final Cli.Result result =
        Cli.run(
            "workload",
            "W5",
            "--blocks",
            "1",
            "--workers",
            "600",
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--format",
            "json");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().contains("\"sequences\":1,"), result.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"overlap", "round-robin"})
  void shouldGiveTheReferenceOutputsOfCoarseW6(final String policy) {
    assertAsExpected(
        Cli.run(
            "workload",
            "W6",
            "--trace",
            SharedFiles.conversationTrace(),
            "--policy",
            policy,
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--expect",
            Resources.expected("W6")),
        1);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"overlap", "round-robin"})
  void shouldGiveTheReferenceOutputsOfFineW6(final String policy) {
    assertAsExpected(
        Cli.run(
            "workload",
            "W6",
            "--trace",
            SharedFiles.conversationTrace(),
            "--policy",
            policy,
            "--fine",
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--expect",
            Resources.expected("W6")),
        1);
  }

  @Test
  void shouldPrintARowOfW6PerPoint() throws IOException {
    final Path file = directory.resolve("trace.jsonl");
    Files.writeString(
        file,
        "{\"timestamp\":0,\"input_length\":1000,\"output_length\":1,\"hash_ids\":[0,1]}\n"
            + "{\"timestamp\":200,\"input_length\":1500,\"output_length\":1,\"hash_ids\":[0,1,2]}");
    final Cli.Result result =
        Cli.run(
            "workload",
            "W6",
            "--trace",
            file.toString(),
            "--fine",
            "--requests",
            "1,2",
            "--workers",
            "2",
            "--rounds",
            "2",
            "--warm-up",
            "0",
            "--format",
            "json");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.lines()[0].contains("\"hit_blocks\":0,\"prompt_blocks\":62,"), result.out());
    assertTrue(
        result.lines()[1].contains("\"hit_blocks\":62,\"prompt_blocks\":155,"), result.out());
    assertTrue(
        result.lines()[1].contains("\"store_events\":2,\"stored_blocks\":93,"), result.out());
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({"W4,'100,1000,5000,12031'", "W4d,'100,1000,4000,12031'"})
  void shouldGiveTheReferenceOutputsOfTheWholeTrace(final String name, final String points) {
    assertAsExpected(
        Cli.run(
            "workload",
            name,
            "--trace",
            SharedFiles.conversationTrace(),
            "--requests",
            points,
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--format",
            "json",
            "--expect",
            Resources.expected(name)),
        4);
  }

  @Test
  void shouldFindEveryPromptOfW2InTheCache() {
    final Cli.Result result =
        Cli.run("workload", "W2", "--rounds", "1", "--warm-up", "0", "--format", "json");
    assertEquals(0, result.code(), result.err());
    final long requests = 48 * 1_001L;
    assertTrue(result.out().contains("\"requests\":" + requests + ','), result.out());
    assertTrue(result.out().contains("\"input_tokens\":" + requests * 1024 + ','), result.out());
    assertTrue(result.out().contains("\"hit_tokens\":" + (requests - 48) * 1024 + ','));
    assertTrue(result.out().contains("\"stored_blocks\":3072,\"removed_events\":0,"));
  }

  @Test
  void shouldGiveTheSameOutputsWhateverTheSink() {
    final String counted =
        Cli.run("workload", "W3", "--requests", "500", "--sink", "count", "--format", "json").out();
    final String none =
        Cli.run("workload", "W3", "--requests", "500", "--sink", "none", "--format", "json").out();
    final String hitFold = "\"hit_fold\":\"";
    final int at = counted.indexOf(hitFold);
    assertTrue(at > 0);
    assertTrue(none.contains(counted.substring(at, at + hitFold.length() + 16)));
    assertTrue(counted.contains("\"stored_events\":1000,"), counted);
    assertFalse(counted.contains("event_fold"), counted);
    assertFalse(none.contains("stored_events"), none);
  }

  @Test
  void shouldPrintAlignedLinesWhenTextIsAskedFor() {
    final Cli.Result result =
        Cli.run("workload", "W3c", "--steps", "100", "--rounds", "1", "--warm-up", "0");
    assertEquals(0, result.code());
    assertTrue(result.out().startsWith("workload            W3c\nsteps               100\n"));
    assertTrue(result.out().contains("\ntiming.step.median  "), result.out());
  }

  @Test
  void shouldNameTheKeyAndEndWith1WhenAnOutputDiffers() throws IOException {
    final Path file = directory.resolve("expect.jsonl");
    Files.writeString(file, "\n{\"workload\":\"W3\",\"requests\":100,\"nodes\":130}\n");
    final Cli.Result result =
        Cli.run("workload", "W3", "--requests", "100", "--expect", file.toString());
    assertEquals(1, result.code());
    assertEquals(
        "kvroute workload: "
            + file
            + " expects something else: key=nodes expected=130 actual=131\n",
        result.err());
    final Cli.Result other =
        Cli.run("workload", "W3", "--requests", "200", "--expect", file.toString());
    assertEquals(1, other.code());
    assertEquals(
        "kvroute workload: "
            + file
            + " has no line about this run: key=requests expected=100 actual=200\n",
        other.err());
  }

  @Test
  void shouldEndWith2WhenTheExpectationsAreBad() throws IOException {
    final Path file = directory.resolve("expect.jsonl");
    Files.writeString(file, "{\"nodes\":130}\n[]\n");
    final Cli.Result bad = Cli.run("workload", "W2", "--expect", file.toString());
    assertEquals(2, bad.code());
    assertEquals("kvroute workload: " + file + ": line 2: a JSON object expected\n", bad.err());
    Files.writeString(file, "\n");
    assertEquals(
        "kvroute workload: " + file + " holds no expected line\n",
        Cli.run("workload", "W2", "--expect", file.toString()).err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "W9 | no such workload: W9 (there are W1, W2, W3,",
        "W4 | W4 needs --trace FILE",
        "W2 --trace x | W2 takes no --trace",
        "W1 --sink none | W1 takes no --sink",
        "W3 --rounds 0 | --rounds must be from 1 to 1000000: 0",
        "W2 --warm-up -1 | --warm-up must be from 0 to 3600: -1",
        "W2 --warm-up 3601 | --warm-up must be from 0 to 3600: 3601",
        "W3 --rounds 25000 | --rounds must be from 1 to 24999: 25000",
        "W3 --requests 10 --rounds 2 | W3 takes --requests or --rounds, not both",
        "W3 --requests 10,10 | --requests must ascend: 10 follows 10",
        "W3 --requests 0 | --requests must be from 1 to 100000000: 0",
        "W6 --trace x --policy random | --policy must be overlap or round-robin: random",
        "W4 --trace x --fine | W4 takes no --fine",
        "W5 --blocks 0 | --blocks must be from 1 to 2147483647",
        "W5 --workers 0 | --workers must be from 1 to 65536: 0",
        "W3 --requests ten | Invalid value for option '--requests'",
        "W3 --sink all | --sink must be none, count or check: all",
        "W3 --format xml | Invalid value for option '--format'",
        "W4 --trace /no/such/file | no such file: /no/such/file",
        "| Missing required parameter: 'NAME'",
      })
  void shouldEndWith2WhenAnOptionCannotBeUsed(final String commandAndSentence) {
    final String[] parts = commandAndSentence.split("\\|", 2);
    final String[] options = parts[0].isBlank() ? new String[0] : parts[0].trim().split(" ");
    final String[] args = new String[options.length + 1];
    args[0] = "workload";
    System.arraycopy(options, 0, args, 1, options.length);
    final Cli.Result result = Cli.run(args);
    assertEquals(2, result.code());
    assertEquals("", result.out());
    assertTrue(result.err().contains(parts[1].trim()), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
  }

  @Test
  void shouldEndWith2WhenThePoolCannotHoldAnAnswer() throws IOException {
    final Path file = directory.resolve("trace.jsonl");
    final String row =
        "{\"timestamp\":0,\"input_length\":5,\"output_length\":%d,\"hash_ids\":[1]}\n";
    for (final int tooLong : new int[] {4_194_300, Integer.MAX_VALUE}) {
      Files.writeString(file, String.format(Locale.ROOT, row + row, 7, tooLong));
      final Cli.Result result = Cli.run("workload", "W4d", "--trace", file.toString());
      assertEquals(2, result.code());
      assertEquals("", result.out());
      assertEquals(
          "kvroute workload: the pool cannot hold a request with its answer: request=1"
              + " input_length=5 output_length="
              + tooLong
              + " pool-tokens=4194304\n",
          result.err());
    }
  }

  @Test
  void shouldDecodeUntilThePoolIsFull() throws IOException {
    final Path file = directory.resolve("trace.jsonl");
    Files.writeString(
        file, "{\"timestamp\":0,\"input_length\":5,\"output_length\":4194299,\"hash_ids\":[1]}");
    final Cli.Result result =
        Cli.run(
            "workload",
            "W4d",
            "--trace",
            file.toString(),
            "--rounds",
            "1",
            "--warm-up",
            "0",
            "--sink",
            "count",
            "--format",
            "json");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().contains("\"available\":0,\"evictable\":4194304,"), result.out());
  }

  @Test
  void shouldEndWith2WhenTheTraceIsTooShort() throws IOException {
    final Path file = directory.resolve("trace.jsonl");
    Files.writeString(
        file, "{\"timestamp\":0,\"input_length\":5,\"output_length\":1,\"hash_ids\":[1]}");
    final Cli.Result result =
        Cli.run("workload", "W4", "--trace", file.toString(), "--requests", "2");
    assertEquals(2, result.code());
    assertEquals("kvroute workload: the trace is too short: requests=2 in-trace=1\n", result.err());
    Files.writeString(file, "");
    assertEquals(2, Cli.run("workload", "W4", "--trace", file.toString()).code());
  }
}
