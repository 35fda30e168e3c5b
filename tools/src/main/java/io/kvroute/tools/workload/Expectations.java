package io.kvroute.tools.workload;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.tools.io.Fields;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.InputFiles;
import io.kvroute.tools.io.JsonInput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Expected results: lines of JSON whose keys are compared with those of the output. A line is about
 * an output if they agree on every key that says which run it is; a file may hold the lines of many
 * runs.
 */
final class Expectations {
  private static final List<String> IDENTITY =
      List.of("workload", "requests", "steps", "workers", "blocks", "fine", "policy");

  private final String source;
  private final List<Fields> lines;

  private Expectations(final String source, final List<Fields> lines) {
    this.source = source;
    this.lines = lines;
  }

  /**
   * Reads a file of expected lines.
   *
   * @throws InputException if it cannot be read or holds no line
   */
  static Expectations read(final String file) {
    final List<Fields> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(InputFiles.open(file), StandardCharsets.UTF_8))) {
      long number = 0;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        if (!line.isBlank()) {
          lines.add(parse(file, line, number));
        }
      }
    } catch (final IOException e) {
      throw InputFiles.unreadable(file, e);
    }
    if (lines.isEmpty()) {
      throw new InputException(file + " holds no expected line");
    }
    return new Expectations(file, lines);
  }

  private static Fields parse(final String file, final String line, final long number) {
    final byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    try (JsonInput json = JsonInput.ofLine(file, bytes, bytes.length, number)) {
      json.expectNext(JsonToken.START_OBJECT, "a JSON object");
      final Fields fields = Fields.read(json);
      json.expectEnd();
      return fields;
    }
  }

  /**
   * Compares one output with every line that is about it.
   *
   * @return null if they agree, else a sentence that names the first key that does not
   */
  String difference(final Fields output) {
    boolean found = false;
    String other = null;
    for (final Fields line : lines) {
      final String identity = identityDifference(line, output);
      if (identity != null) {
        other = other == null ? identity : other;
        continue;
      }
      found = true;
      final String difference = output.difference(line);
      if (difference != null) {
        return source + " expects something else: " + difference;
      }
    }
    return found ? null : source + " has no line about this run: " + other;
  }

  private static String identityDifference(final Fields line, final Fields output) {
    for (final String key : IDENTITY) {
      final String expected = line.scalar(key);
      final String actual = output.scalar(key);
      if (expected != null && actual != null && !expected.equals(actual)) {
        return "key=" + key + " expected=" + expected + " actual=" + actual;
      }
    }
    return null;
  }
}
