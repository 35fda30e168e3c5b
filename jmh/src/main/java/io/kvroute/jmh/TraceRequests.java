package io.kvroute.jmh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prompts of a trace in the form in which Mooncake published its traces: a length and an id for
 * each 512 tokens, where equal ids mean equal tokens and an equal prefix before them.
 */
final class TraceRequests {
  private static final int BLOCK = 512;
  private static final Pattern LENGTH = Pattern.compile("\"input_length\" *: *(\\d+)");
  private static final Pattern IDS = Pattern.compile("\"hash_ids\" *: *\\[([^\\]]*)\\]");
  private static final Pattern COMMA = Pattern.compile(" *, *");

  private static final int GENERATED = 1_000;
  private static final int CONVERSATIONS = 64;
  private static final int SYSTEM_PROMPTS = 8;
  private static final int SYSTEM_BLOCKS = 4;
  private static final int LONGEST = 24;

  private record Request(int length, long[] ids) {}

  private final List<Request> requests = new ArrayList<>();

  /** All lines of a trace. */
  static TraceRequests read(final Path file) {
    final TraceRequests trace = new TraceRequests();
    try (Stream<String> lines = Files.lines(file)) {
      lines.filter(line -> !line.isBlank()).map(TraceRequests::parse).forEach(trace.requests::add);
    } catch (final IOException e) {
      throw new UncheckedIOException("the trace cannot be read: file=" + file, e);
    }
    return trace;
  }

  private static Request parse(final String line) {
    final Matcher length = LENGTH.matcher(line);
    final Matcher ids = IDS.matcher(line);
    if (!length.find() || !ids.find()) {
      throw new IllegalArgumentException("not a request of a trace: line=" + line);
    }
    final long[] numbers =
        COMMA.splitAsStream(ids.group(1).trim()).mapToLong(Long::parseLong).toArray();
    return new Request(Integer.parseInt(length.group(1)), numbers);
  }

  /**
   * A made-up trace, the same in every run: 64 conversations over 8 system prompts of 2,048 tokens.
   * A request is the next turn of one of them and brings up to 2,048 new tokens; a conversation of
   * more than 12,288 makes way for a new one.
   */
  static TraceRequests generate() {
    final Random random = new Random(20260101);
    final List<List<Long>> conversations = new ArrayList<>();
    for (int c = 0; c < CONVERSATIONS; c++) {
      conversations.add(new ArrayList<>());
    }
    final TraceRequests trace = new TraceRequests();
    long nextId = SYSTEM_PROMPTS * SYSTEM_BLOCKS;
    while (trace.count() < GENERATED) {
      final List<Long> history = conversations.get(random.nextInt(CONVERSATIONS));
      if (history.isEmpty() || history.size() > LONGEST) {
        history.clear();
        final long first = (long) random.nextInt(SYSTEM_PROMPTS) * SYSTEM_BLOCKS;
        for (int b = 0; b < SYSTEM_BLOCKS; b++) {
          history.add(first + b);
        }
      }
      for (int turn = 1 + random.nextInt(4); turn > 0; turn--) {
        history.add(nextId++);
      }
      final int length = history.size() * BLOCK - random.nextInt(BLOCK);
      trace.requests.add(
          new Request(length, history.stream().mapToLong(Long::longValue).toArray()));
    }
    return trace;
  }

  int count() {
    return requests.size();
  }

  int longest() {
    return requests.stream().mapToInt(Request::length).max().orElse(0);
  }

  /** Tokens of all requests. */
  long inputTokens() {
    return requests.stream().mapToLong(Request::length).sum();
  }

  /** Writes the tokens of a request to the start of {@code target}; answers how many. */
  int fill(final int number, final int[] target) {
    final Request request = requests.get(number);
    for (int j = 0; j < request.length; j++) {
      target[j] = (int) (request.ids[j / BLOCK] * BLOCK + j % BLOCK);
    }
    return request.length;
  }
}
