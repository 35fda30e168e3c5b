package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GenerateCommandTest {
  @TempDir private Path directory;

  private static String figures(final String... args) {
    final Cli.Result result = Cli.run(args);
    assertEquals("", result.err());
    final String out = result.out();
    return out.substring(out.indexOf("\"workers\":"), out.indexOf(",\"timing\":{"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"t.jsonl", "t.jsonl.gz"})
  void shouldReplayAsTheBuiltInTraceWhenReadBack(final String name) throws IOException {
    final String file = directory.resolve(name).toString();
    final Cli.Result made =
        Cli.run("generate", "--seed", "7", "--requests", "300", "--output", file);
    assertEquals("", made.err() + made.out());
    assertEquals(0, made.code());
    assertEquals(name.endsWith(".gz"), Files.readAllBytes(Path.of(file))[0] == 0x1f);
    assertEquals(
        figures("replay", "--seed", "7", "--limit", "300", "--format", "json"),
        figures("replay", "--trace", file, "--seed", "7", "--format", "json"));
  }

  @Test
  void shouldWriteToStandardOutputAndDependOnEachParameter() {
    final String standard = Cli.run("generate", "--requests", "200").out();
    assertEquals(200, standard.lines().count());
    assertEquals(standard, Cli.run("generate", "--requests", "200", "--seed", "42").out());
    for (final String option : "--seed --turns --shared-prompts --session-gap".split(" ", -1)) {
      assertNotEquals(standard, Cli.run("generate", "--requests", "200", option, "3").out());
    }
  }

  @Test
  void shouldEndWithTheLastSession() {
    final Cli.Result result = Cli.run("generate", "--sessions", "5", "--turns", "0");
    assertEquals(0, result.code());
    final long lines = result.out().lines().count();
    assertTrue(lines >= 5 && lines < 260, "lines=" + lines);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--requests 0 | --requests must be at least 1: 0",
        "--sessions 0 | --sessions must be from 1 to",
        "--turns 31 | --turns must be from 0 to 30: 31",
        "--shared-prompts -1 | --shared-prompts must be from 0 to 4096: -1",
        "--session-gap 0 | --session-gap must be from 1 to 3600000: 0",
        "--trace-block-size 0 | the built-in trace needs",
        "--output /no/such/directory/t | cannot write /no/such/directory/t: no such directory",
      })
  void shouldEndWith2WhenAnOptionCannotBeUsed(final String optionsAndSentence) {
    final String[] parts = optionsAndSentence.split("\\|", 2);
    final Cli.Result result = Cli.run(("generate " + parts[0].trim()).split(" "));
    assertEquals(2, result.code());
    assertTrue(result.err().contains(parts[1].trim()), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
  }
}
