package io.kvroute.twin;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** The conversation trace, if it lies beside the project; tests without it are skipped. */
final class ConversationTrace {
  private static final Pattern LINE =
      Pattern.compile(
          "\"input_length\": *(\\d+), *\"output_length\": *(\\d+), *\"hash_ids\":"
              + " *\\[([^\\]]*)\\]");
  private static final int BLOCK = 512;

  /** One request of the trace. */
  record Request(int inputLength, int outputLength, long[] hashIds) {
    /** Writes the prompt's tokens; {@code target} is long enough. */
    void tokens(final int[] target) {
      for (int i = 0; i < inputLength; i++) {
        target[i] = (int) (hashIds[i / BLOCK] * BLOCK + i % BLOCK);
      }
    }
  }

  private ConversationTrace() {}

  /** The first {@code limit} requests. Skips the test that asks if the file is not there. */
  static List<Request> load(final int limit) {
    final Path file = locate();
    Assumptions.assumeTrue(
        file != null && Files.isRegularFile(file), "the conversation trace is not here");
    final List<Request> requests = new ArrayList<>();
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      while (line != null && requests.size() < limit) {
        requests.add(parse(line));
        line = reader.readLine();
      }
    } catch (final IOException e) {
      throw new IllegalStateException("the trace cannot be read: file=" + file, e);
    }
    return requests;
  }

  private static Path locate() {
    Path folder = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    while (folder != null && !Files.isDirectory(folder.resolve(".mvn"))) {
      folder = folder.getParent();
    }
    return folder == null
        ? null
        : folder.resolveSibling("shared").resolve("traces/conversation_trace.jsonl");
  }

  private static Request parse(final String line) {
    final Matcher matcher = LINE.matcher(line);
    if (!matcher.find()) {
      throw new IllegalStateException("not a request: line=" + line);
    }
    final String[] ids = matcher.group(3).split(",", -1);
    final long[] hashIds = new long[ids.length];
    for (int i = 0; i < ids.length; i++) {
      hashIds[i] = Long.parseLong(ids[i].trim());
    }
    return new Request(
        Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), hashIds);
  }
}
