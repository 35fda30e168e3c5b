package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  @Test
  void shouldListTheCommandsWhenAskedForHelp() {
    final Cli.Result result = Cli.run("--help");
    assertEquals(0, result.code());
    assertEquals("", result.err());
    for (final String command :
        new String[] {
          "replay", "compare", "generate", "hash", "conformance", "workload", "inspect"
        }) {
      assertTrue(result.out().contains("\n  " + command + " "), result.out());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"replay", "compare", "generate", "hash", "conformance", "workload", "inspect"})
  void shouldExplainACommandWhenAskedForHelp(final String command) {
    final Cli.Result result = Cli.run(command, "--help");
    assertEquals(0, result.code());
    assertEquals("", result.err());
    assertTrue(result.out().startsWith("Usage: kvroute " + command), result.out());
    for (final String line : result.lines()) {
      assertTrue(line.length() <= 100, line);
    }
  }

  @Test
  void shouldPrintAVersion() {
    assertTrue(Cli.run("--version").out().startsWith("kvroute "));
    for (final String command :
        new String[] {
          "replay", "compare", "generate", "hash", "conformance", "workload", "inspect"
        }) {
      assertEquals(Cli.run("--version").out(), Cli.run(command, "--version").out());
    }
  }

  @Test
  void shouldEndWith2WhenACommandIsMissingOrUnknown() {
    assertEquals("kvroute: Missing command (see kvroute --help)\n", Cli.run().err());
    final Cli.Result result = Cli.run("fly");
    assertEquals(2, result.code());
    assertEquals("", result.out());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().contains("no such command: 'fly'; there are replay"), result.err());
    final Cli.Result option = Cli.run("--fly");
    assertEquals(2, option.code());
    assertTrue(option.err().contains("Unknown option: '--fly'"), option.err());
  }

  @Test
  void shouldEndWith2WhenOutputCannotBeWritten() {
    final StringWriter err = new StringWriter();
    final Writer full =
        new Writer() {
          @Override
          public void write(final char[] text, final int offset, final int length)
              throws java.io.IOException {
            throw new java.io.IOException("no space left");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    final int code =
        Main.run(
            new Main.Streams(
                new ByteArrayInputStream(new byte[0]), new PrintWriter(full), new PrintWriter(err)),
            "--help");
    assertEquals(2, code);
    assertEquals("kvroute: standard output cannot be written\n", err.toString());
  }
}
