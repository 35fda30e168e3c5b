package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sequential form; {@code SimulationCommandsTest} has the simulation. */
class ReplayCommandTest {
  private static final String TWO_ROWS =
      "{\"timestamp\":0,\"input_length\":1000,\"output_length\":1,\"hash_ids\":[0,1]}\n"
          + "{\"timestamp\":200,\"input_length\":1500,\"output_length\":1,\"hash_ids\":[0,1,2]}";

  @TempDir private Path directory;

  private String file(final String text) throws IOException {
    final Path file = directory.resolve("trace.jsonl");
    Files.writeString(file, text);
    return file.toString();
  }

  private static String withoutTiming(final Cli.Result result) {
    assertEquals("", result.err());
    assertEquals(0, result.code());
    final int timing = result.out().indexOf(",\"timing\":{");
    assertTrue(timing > 0, result.out());
    assertEquals(1, result.lines().length);
    return result.out().substring(0, timing);
  }

  private static String json(final String... options) {
    final String[] args = Arrays.copyOf(options, options.length + 4);
    System.arraycopy(options, 0, args, 2, options.length);
    args[0] = "replay";
    args[1] = "--sequential";
    args[options.length + 2] = "--format";
    args[options.length + 3] = "json";
    return withoutTiming(Cli.run(args));
  }

  @Test
  void shouldGiveTheSameFiguresWhenRunTwice() {
    final String first = json("--limit", "400");
    assertEquals(first, json("--limit", "400", "--seed", "42"));
    assertNotEquals(first, json("--limit", "400", "--seed", "43"));
    assertTrue(
        first.startsWith(
            "{\"trace\":\"built-in trace\",\"seed\":42,\"workers\":8,\"pool_tokens\":1048576,"
                + "\"page_size\":16,\"requests\":400,\"refused\":0,\"input_tokens\":"),
        first);
  }

  @Test
  void shouldRouteTheSecondRowToTheWorkerOfTheFirst() throws IOException {
    final String figures = json("--trace", file(TWO_ROWS), "--workers", "2");
    assertTrue(
        figures.contains(
            "\"requests\":2,\"refused\":0,\"input_tokens\":2500,\"hit_tokens\":992,"
                + "\"hit_ratio\":0.396800,\"best_possible_tokens\":992,"
                + "\"best_possible_ratio\":0.396800,\"mispredictions\":0,"
                + "\"stored_events\":2,\"stored_blocks\":93,\"removed_events\":0,"
                + "\"removed_blocks\":0,\"evictions\":0,\"evicted_tokens\":0,"
                + "\"index_blocks\":93,\"index_refusals\":0,"),
        figures);
    assertTrue(
        figures.endsWith(
            "\"per_worker\":[{\"worker\":0,\"requests\":2,\"refused\":0,"
                + "\"request_share\":1.000000,\"blocks\":155,\"input_tokens\":2500,"
                + "\"hit_tokens\":992,\"hit_ratio\":0.396800},"
                + "{\"worker\":1,\"requests\":0,\"refused\":0,\"request_share\":0.000000,"
                + "\"blocks\":0,\"input_tokens\":0,\"hit_tokens\":0,\"hit_ratio\":0.000000}]"),
        figures);
  }

  @Test
  void shouldCountWhatIsRefusedEvictedAndRemoved() throws IOException {
    final String rows =
        """
        {"timestamp":0,"input_length":512,"output_length":1,"hash_ids":[0]}
        {"timestamp":0,"input_length":513,"output_length":1,"hash_ids":[1,2]}
        {"timestamp":0,"input_length":512,"output_length":1,"hash_ids":[3]}
        """;
    final String figures = json("--trace", file(rows), "--workers", "1", "--pool-tokens", "512");
    assertTrue(figures.contains("\"requests\":3,\"refused\":1,\"input_tokens\":1537,"), figures);
    assertTrue(
        figures.contains(
            "\"stored_events\":2,\"stored_blocks\":64,\"removed_events\":1,"
                + "\"removed_blocks\":32,\"evictions\":1,\"evicted_tokens\":512,"
                + "\"index_blocks\":32,\"index_refusals\":0,"),
        figures);
  }

  @Test
  void shouldReadGzipAndStopAtTheLimit() throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(TWO_ROWS.getBytes(StandardCharsets.UTF_8));
    }
    final Path file = directory.resolve("trace.gz");
    Files.write(file, bytes.toByteArray());
    assertTrue(json("--trace", file.toString()).contains("\"requests\":2,"));
    assertTrue(json("--trace", file.toString(), "--limit", "1").contains("\"requests\":1,"));
  }

  @Test
  void shouldPrintAReadableSummary() throws IOException {
    final Cli.Result result =
        Cli.run("replay", "--sequential", "--trace", file(TWO_ROWS), "--workers", "2");
    assertEquals("", result.err());
    assertEquals(0, result.code());
    final String text = result.out();
    assertTrue(text.contains("\nrequests                      2   none refused\n"), text);
    assertTrue(text.contains("\nhit tokens                  992   39.68 % of the input\n"), text);
    assertTrue(text.contains("\nbest possible               992   39.68 % (one infinite"), text);
    assertTrue(text.contains("\n     0          2   100.00 %            155 "), text);
    assertTrue(text.contains("\ndecision (hash, look up, choose)   p50 "), text);
    for (final String line : result.lines()) {
      assertTrue(line.length() <= 100, line);
    }
  }

  @Test
  void shouldKeepThePredictionsRightWhenPoolsOverflow() {
    final String figures =
        json("--limit", "1500", "--pool-tokens", "262144", "--workers", "3", "--page-size", "32");
    assertTrue(figures.contains("\"mispredictions\":0,"), figures);
    assertTrue(figures.contains("\"index_refusals\":0,"), figures);
    assertTrue(!figures.contains("\"evictions\":0,"), figures);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--page-size 0 | --page-size must be from 1 to 4294967295: 0",
        "--page-size 4294967296 | --page-size must be from 1 to 4294967295: 4294967296",
        "--pool-tokens 15 | --pool-tokens must hold at least one page: pool-tokens=15 page-size=16",
        "--pool-tokens 0 | --pool-tokens must hold at least one page",
        "--pool-tokens 9223372036854775807 | must not hold more than 2^31-1 pages",
        "--pool-tokens 99999999999999999999 | Invalid value for option '--pool-tokens'",
        "--workers 0 | --workers must be from 1 to 65536: 0",
        "--workers -1 | --workers must be from 1 to 65536: -1",
        "--workers many | Invalid value for option '--workers': 'many' is not a whole number of 32 bits",
        "--limit many | Invalid value for option '--limit': 'many' is not a whole number of 64 bits",
        "--limit 0 | --limit must be at least 1: 0",
        "--trace-block-size 0 | --trace-block-size must be from 1 to 4294967295: 0",
        "--trace-block-size 100000 | the built-in trace needs",
        "--format yaml | Invalid value for option '--format'",
        "--pace 2 | Unknown option",
        "--speed 2 | --speed is an option of the simulation, not of --sequential",
        "--event-delay 5 | --event-delay is an option of the simulation, not of --sequential",
        "--policy kv | --policy is an option of the simulation, not of --sequential",
        "--trace /no/such/trace | no such file: /no/such/trace",
        "--trace x --seed 1 | --seed is the seed of the built-in trace and cannot be used with --trace",
        "--trace | Missing required parameter for option '--trace'",
        "extra | Unmatched argument",
      })
  void shouldEndWith2WhenAnOptionCannotBeUsed(final String optionsAndSentence) {
    final String[] parts = optionsAndSentence.split("\\|", 2);
    final Cli.Result result = Cli.run(("replay --sequential " + parts[0].trim()).split(" "));
    assertEquals(2, result.code());
    assertEquals("", result.out());
    assertTrue(result.err().contains(parts[1].trim()), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
  }

  @Test
  void shouldEndWith2WhenTheTraceIsBad() throws IOException {
    final String empty = file("");
    assertEquals(
        "kvroute replay: " + empty + " holds no request\n",
        Cli.run("replay", "--sequential", "--trace", empty).err());
    final String bad = file(TWO_ROWS + "\n{\"timestamp\":300,");
    final Cli.Result result = Cli.run("replay", "--sequential", "--trace", bad);
    assertEquals(2, result.code());
    assertTrue(
        result.err().startsWith("kvroute replay: " + bad + ": line 3: bad JSON at column "),
        result.err());
    final String other = file(TWO_ROWS);
    assertEquals(
        "kvroute replay: "
            + other
            + ": line 1: the ids do not fit the length: input_length=1000 hash_ids=2 expected=63"
            + " trace-block-size=16\n",
        Cli.run("replay", "--sequential", "--trace", other, "--trace-block-size", "16").err());
  }

  @Test
  void shouldGiveTheHitTokensOfW4WhenThereIsOneWorkerOfItsPool() {
    final String figures =
        json(
            "--trace",
            SharedFiles.conversationTrace(),
            "--workers",
            "1",
            "--pool-tokens",
            "4194304",
            "--limit",
            "1000");
    assertTrue(figures.contains("\"requests\":1000,\"refused\":0,"), figures);
    assertTrue(figures.contains("\"hit_tokens\":2217728,"), figures);
    assertTrue(figures.contains("\"stored_events\":988,\"stored_blocks\":719242,"), figures);
    assertTrue(figures.contains("\"removed_events\":665,\"removed_blocks\":457099,"), figures);
    assertTrue(figures.contains("\"mispredictions\":0,"), figures);
  }

  @Tag("long")
  @Test
  void shouldRouteTheWholeConversationTrace() {
    final String one =
        json(
            "--trace",
            SharedFiles.conversationTrace(),
            "--workers",
            "1",
            "--pool-tokens",
            "4194304");
    assertTrue(one.contains("\"requests\":12031,\"refused\":0,\"input_tokens\":144793823,"), one);
    assertTrue(one.contains("\"hit_tokens\":27366672,"), one);
    assertTrue(one.contains("\"best_possible_tokens\":54097552,"), one);
    final String eight = json("--trace", SharedFiles.conversationTrace());
    assertEquals(eight, json("--trace", SharedFiles.conversationTrace()));
    assertTrue(eight.contains("\"mispredictions\":0,"), eight);
    assertTrue(eight.contains("\"index_refusals\":0,"), eight);
  }
}
