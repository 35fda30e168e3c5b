package io.kvroute.tools;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** Runs commands in this process, as a shell would. */
final class Cli {

  private Cli() {}

  /** What a shell would see. */
  record Result(int code, String out, String err) {
    String[] lines() {
      return out.isEmpty() ? new String[0] : out.split("\n");
    }
  }

  static Result run(final String... args) {
    return runWithInput("", args);
  }

  static Result runWithInput(final String input, final String... args) {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final int code =
        Main.run(
            new Main.Streams(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err)),
            args);
    return new Result(code, out.toString(), err.toString());
  }
}
