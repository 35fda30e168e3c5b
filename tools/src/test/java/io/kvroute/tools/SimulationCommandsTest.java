package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.JsonInput;
import io.kvroute.tools.io.SharedFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationCommandsTest {
  private static final List<String> ALL =
      List.of("kv", "round-robin", "random", "least-loaded", "approximate");

  @TempDir private Path directory;

  private static Cli.Result ok(final String line) {
    final Cli.Result result = Cli.run(line.split(" "));
    assertEquals("", result.err());
    assertEquals(0, result.code());
    return result;
  }

  private static String withoutTiming(final String line) {
    final Cli.Result result = ok(line + " --format json");
    assertEquals(1, result.lines().length);
    final int timing = result.out().indexOf(",\"timing\":{");
    assertTrue(timing > 0, result.out());
    return result.out().substring(0, timing) + '}';
  }

  private static Fields fields(final String json) {
    final byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    try (JsonInput in = JsonInput.of("output", new ByteArrayInputStream(bytes))) {
      in.next();
      return Fields.read(in);
    }
  }

  @Test
  void shouldReadTheClassesOfTheQueueFromAFile() throws IOException {
    final Path file = directory.resolve("policy.yaml");
    Files.writeString(
        file,
        """
        default_policy_family: any
        uncached_isl_buckets: [{min_tokens: 0, bucket: all}]
        policy_classes:
          - name: all
            policy_family: any
            cache_bucket: all
            quantum: 1
            prefill_busy_threshold: 1
            request_queue_limit_per_worker: 1
        """);
    final String line = "replay --limit 300 --workers 1 --speed 50 --router-policy-config " + file;
    assertTrue(Integer.parseInt(fields(withoutTiming(line)).scalar("refused")) > 0);
    Files.writeString(file, "default_policy_family: any\n");
    final Cli.Result bad = Cli.run(line.split(" "));
    assertEquals(2, bad.code());
    assertTrue(bad.err().contains("policy.yaml"), bad.err());
  }

  @Test
  void shouldGiveTheSameBytesWhenRunTwice() {
    final String first = withoutTiming("replay --limit 300");
    assertEquals(first, withoutTiming("replay --limit 300 --seed 42 --policy KV --speed 1"));
    assertNotEquals(first, withoutTiming("replay --limit 300 --seed 43"));
    assertNotEquals(first, withoutTiming("replay --limit 300 --speed 2"));
    assertTrue(
        first.startsWith(
            "{\"trace\":\"built-in trace\",\"seed\":42,\"workers\":8,\"pool_tokens\":1048576,"
                + "\"page_size\":16,\"speed\":1,\"prefill_rate\":10000,\"decode_step_us\":15000,"
                + "\"decode_request_us\":200,\"max_batch\":256,\"chunk_tokens\":8192,"
                + "\"event_delay_us\":5000,\"offered_load\":0."),
        first);
    for (final String key :
        new String[] {
          "\"policy\":\"kv\",\"requests\":300,\"refused\":0,\"input_tokens\":",
          "\"hit_ratio\":0.",
          "\"time_to_first_token_ms\":{\"p50\":",
          "\"end_to_end_ms\":{\"p50\":",
          "\"router_wait_ms\":{\"p50\":0.000,",
          "\"imbalance\":1.",
          "\"retractions\":0,",
          "\"index_refusals\":0,",
          "\"per_worker\":[{\"worker\":0,",
        }) {
      assertTrue(first.contains(key), first);
    }
  }

  @Test
  void shouldCompareEachPolicyAsReplayAloneFindsIt() {
    final String together =
        withoutTiming("compare --limit 200 --policies " + String.join(",", ALL));
    assertEquals(together, withoutTiming("compare --limit 200"));
    for (final String policy : ALL) {
      final String alone = withoutTiming("replay --limit 200 --policy " + policy);
      final String figures = alone.substring(alone.indexOf("\"policy\":"), alone.length() - 1);
      assertTrue(together.contains('{' + figures + '}'), policy);
    }
  }

  @Test
  void shouldKeepRealTimeInABlockOfItsOwn() {
    final Fields all = fields(ok("compare --limit 50 --policies kv,random --format json").out());
    final String timing = all.toJson().substring(all.toJson().indexOf("\"timing\":"));
    assertTrue(timing.startsWith("\"timing\":{\"kv\":{\"decisions_per_s\":"), timing);
    assertTrue(timing.contains("\"random\":{\"decisions_per_s\":"), timing);
  }

  @Test
  void shouldPrintTextForPeople() {
    final Cli.Result replay = ok("replay --limit 200 --workers 3");
    assertTrue(replay.out().startsWith("Simulated built-in trace, policy kv\non 3 workers of "));
    assertTrue(replay.out().contains("\ntime to first token "), replay.out());
    final Cli.Result compare = ok("compare --limit 200 --workers 3");
    for (final String policy : ALL) {
      assertTrue(compare.out().contains('\n' + policy + ' '), compare.out());
    }
    for (final Cli.Result result : new Cli.Result[] {replay, compare}) {
      for (final String line : result.lines()) {
        assertTrue(line.length() <= 100, line);
      }
    }
  }

  @Test
  void shouldWriteAPageThatLoadsNothing() throws IOException {
    final Path page = directory.resolve("out.html");
    ok("compare --limit 300 --report " + page);
    final String html = Files.readString(page);
    assertTrue(html.startsWith("<!DOCTYPE html>\n"), html);
    assertTrue(html.endsWith("</html>\n"), html);
    for (final String outside : new String[] {"http:", "https:", "<script", "<link", "url("}) {
      assertFalse(html.contains(outside), outside);
    }
    for (final String title :
        new String[] {
          "<h2>Time to first token by percentile</h2>",
          "<h2>Hit ratio over time</h2>",
          "<h2>Load per worker over time</h2>",
          "<h2>Decision latency</h2>",
          "<title>worker 7</title>",
        }) {
      assertTrue(html.contains(title), title);
    }
    for (final String policy : ALL) {
      assertTrue(html.contains("class=\"series " + policy + '"'), policy);
    }
    assertFalse(html.contains("NaN"), "a coordinate is not a number");
    assertFalse(html.contains("Infinity"), "a coordinate is not finite");
  }

  @Test
  void shouldWriteAPageOfARunWithOneRequest() throws IOException {
    final Path page = directory.resolve("one.html");
    ok("compare --limit 1 --workers 20 --policies random --report " + page);
    final String html = Files.readString(page);
    assertFalse(html.contains("NaN"), html);
    assertTrue(html.contains("Thin: the least and the most loaded worker"), html);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replay --speed 0 | --speed must be from 0.000001 to 1000000: 0",
        "replay --speed fast | Invalid value for option '--speed': 'fast' is not a number (see kvroute",
        "replay --prefill-rate 0 | --prefill-rate must be from 1 to 1000000000: 0",
        "replay --decode-step -1 | --decode-step must be from 0 to 3600000: -1",
        "replay --decode-request 9e9 | --decode-request must be from 0 to 3600000: 9E+9",
        "replay --event-delay -0.1 | --event-delay must be from 0 to 3600000: -0.1",
        "replay --max-batch 0 | --max-batch must be from 1 to 65536: 0",
        "replay --chunk-tokens 0 | --chunk-tokens must be from 1 to 268435456: 0",
        "replay --queue-threshold x | --queue-threshold must be a number or none: x",
        "replay --queue-threshold -1 | --queue-threshold must be a finite number of at least 0",
        "replay --router-temperature NaN | --router-temperature must be a finite number",
        "replay --router-ttl -1 | --router-ttl must be from 0 to 86400: -1",
        "replay --policy best | '--policy': no such policy: 'best'; there are kv, round-robin, random,"
            + " least-loaded, approximate (see",
        "replay --workers 0 | --workers must be from 1 to 65536: 0",
        "replay --trace /no/such/trace | no such file: /no/such/trace",
        "compare --policies kv,kv | --policies names a policy twice: kv",
        "compare --policies kv,best | no such policy: 'best'; there are kv, round-robin,",
        "compare --policies kv,,random | no such policy: ''; there are kv, round-robin,",
        "compare --sequential | Unknown option",
        "compare --report /no/such/folder/x.html | cannot write /no/such/folder/x.html: no such dir",
        "compare --report / | cannot write /: Is a directory",
      })
  void shouldEndWith2WhenAnOptionCannotBeUsed(final String lineAndSentence) {
    final String[] parts = lineAndSentence.split("\\|", 2);
    final Cli.Result result = Cli.run(parts[0].trim().split(" "));
    assertEquals(2, result.code());
    assertEquals("", result.out());
    assertTrue(result.err().contains(parts[1].trim()), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
  }

  @Test
  void shouldLeaveTheReportAsItWasWhenTheSimulationFails() throws IOException {
    final Path late = directory.resolve("late.jsonl");
    Files.writeString(
        late,
        """
        {"timestamp":0,"input_length":1,"output_length":1,"hash_ids":[1]}
        {"timestamp":99999999999999,"input_length":1,"output_length":1,"hash_ids":[1]}
        """);
    final Path page = directory.resolve("page.html");
    final String line = "compare --trace " + late + " --report " + page;
    assertEquals(2, Cli.run(line.split(" ")).code());
    assertFalse(Files.exists(page));
    Files.writeString(page, "earlier");
    assertEquals(2, Cli.run(line.split(" ")).code());
    assertEquals("earlier", Files.readString(page));
  }

  @Test
  void shouldNotLoseToLeastLoadedWhenThereIsNothingToShare() {
    final Path file = directory.resolve("apart.jsonl");
    ok("generate --shared-prompts 0 --turns 0 --requests 1500 --output " + file);
    final String json = withoutTiming("compare --policies kv,least-loaded --trace " + file);
    assertEquals(0, figure(json, "kv", "hit_tokens"));
    final long kv = figure(json, "kv", "time_to_first_token_ms", "p90");
    final long least = figure(json, "least-loaded", "time_to_first_token_ms", "p90");
    assertTrue(kv <= least + least / 50, () -> "kv=" + kv + " least-loaded=" + least);
  }

  @Test
  void shouldEndWith2WhenARequestArrivesAfterACentury() throws IOException {
    final Path file = directory.resolve("late.jsonl");
    Files.writeString(
        file,
        """
        {"timestamp":0,"input_length":1,"output_length":1,"hash_ids":[1]}
        {"timestamp":99999999999999,"input_length":1,"output_length":1,"hash_ids":[1]}
        """);
    assertEquals(
        "kvroute replay: a request would arrive after more than a century:"
            + " milliseconds=99999999999999 speed=1\n",
        Cli.run("replay", "--trace", file.toString()).err());
  }

  /** A figure of a policy, as a whole number of its last digits; {@code path} leads to it. */
  private static long figure(final String json, final String policy, final String... path) {
    int at = json.indexOf("\"policy\":\"" + policy + '"');
    for (final String key : path) {
      at = json.indexOf('"' + key + "\":", at) + key.length() + 3;
    }
    int end = at;
    while (Character.isDigit(json.charAt(end)) || json.charAt(end) == '.') {
      end++;
    }
    return Long.parseLong(json.substring(at, end).replace(".", ""));
  }

  private static void checkThatKvWins(final String options) {
    final String json =
        withoutTiming(
            "compare --policies kv,round-robin,random --trace "
                + SharedFiles.conversationTrace()
                + options);
    for (final String other : new String[] {"round-robin", "random"}) {
      assertTrue(figure(json, "kv", "hit_ratio") > figure(json, other, "hit_ratio"), json);
      assertTrue(
          figure(json, "kv", "time_to_first_token_ms", "p90")
              < figure(json, other, "time_to_first_token_ms", "p90"),
          json);
    }
    assertEquals(0, figure(json, "kv", "index_refusals"));
  }

  @Test
  void shouldBeatRoundRobinAndRandomOnTheStartOfTheConversationTrace() {
    checkThatKvWins(" --limit 2000");
  }

  @Tag("long")
  @Test
  void shouldBeatRoundRobinAndRandomOnTheConversationTrace() {
    checkThatKvWins("");
    checkThatKvWins(" --speed 2");
  }
}
