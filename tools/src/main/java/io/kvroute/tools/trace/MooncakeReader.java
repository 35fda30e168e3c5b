package io.kvroute.tools.trace;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.InputFiles;
import io.kvroute.tools.io.JsonInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads traces in the forms that {@link TraceFormat} names. A Mooncake trace has one JSON object a
 * line with {@code timestamp} (whole milliseconds, never backwards), {@code input_length} and
 * {@code output_length} (tokens), and {@code hash_ids} (64 bits without sign, exactly {@code
 * ceil(input_length / blockSize)} of them). Without an input length, all ids stand for whole
 * blocks. The names {@code created_time}, {@code input_tokens}, {@code output_tokens} and {@code
 * delay_ms} are understood too. Other fields are ignored, blank lines too. Plain or gzip, either
 * line end, with or without one after the last line.
 *
 * <p>The other forms have the same lists of ids; their rows may come in any order of time.
 *
 * <p>Memory is that of the longest line. Every error names the line; no row is skipped.
 */
public final class MooncakeReader implements TraceSource {

  /** Tokens per hash id in the published traces. */
  public static final long DEFAULT_BLOCK_SIZE = 512;

  private static final int MAX_LINE_BYTES = 1 << 26;
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int MISSING = -1;
  private static final int MILLIS_PER_SECOND = 1_000;

  private final String name;
  private final InputStream in;
  private TraceFormat format;
  private long blockSize;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int chunkPosition;
  private int chunkLength;
  private byte[] line = new byte[CHUNK_BYTES];
  private int lineLength;
  private long lineNumber;
  private long previousTimestamp;
  private boolean lineIsAhead;
  private boolean anyOrder;

  private MooncakeReader(
      final String name, final InputStream in, final long blockSize, final TraceFormat format) {
    this.name = name;
    this.in = in;
    this.blockSize = format == TraceFormat.BAILIAN ? TraceFormat.BAILIAN_BLOCK_SIZE : blockSize;
    this.format = format;
  }

  /**
   * Opens a trace.
   *
   * @param blockSize tokens that one hash id stands for, at least 1
   * @throws InputException if the file cannot be read
   */
  public static MooncakeReader open(final String file, final long blockSize) {
    return of(file, InputFiles.open(file), blockSize);
  }

  /**
   * Opens a trace of some form; the first line is read if the form is to be told from it.
   *
   * @param blockSize tokens per hash id, at least 1; of no effect on Bailian traces
   * @throws InputException if the file cannot be read
   */
  public static MooncakeReader open(
      final String file, final long blockSize, final TraceFormat format) {
    return of(file, InputFiles.open(file), blockSize, format);
  }

  /** Reads a Mooncake trace from a stream, which {@link #close()} closes. */
  public static MooncakeReader of(final String name, final InputStream in, final long blockSize) {
    return of(name, in, blockSize, TraceFormat.MOONCAKE);
  }

  /** Reads a trace of some form from a stream, which {@link #close()} closes. */
  public static MooncakeReader of(
      final String name, final InputStream in, final long blockSize, final TraceFormat format) {
    if (blockSize < 1) {
      throw new IllegalArgumentException(
          "trace block size must be positive: blockSize=" + blockSize);
    }
    final MooncakeReader reader = new MooncakeReader(name, in, blockSize, format);
    if (format == TraceFormat.AUTO) {
      try {
        reader.tellFormat();
      } catch (final InputException e) {
        reader.close();
        throw e;
      }
    }
    return reader;
  }

  /** Takes rows whose timestamps go backwards too, whatever the form; they come as they are. */
  public MooncakeReader inAnyOrder() {
    anyOrder = true;
    return this;
  }

  @Override
  public long blockSize() {
    return blockSize;
  }

  @Override
  public boolean next(final TraceRequest request) {
    if (lineIsAhead) {
      lineIsAhead = false;
    } else if (!readFilledLine()) {
      return false;
    }
    request.reset();
    try (JsonInput json = JsonInput.ofLine(name, line, lineLength, lineNumber)) {
      json.expectNext(JsonToken.START_OBJECT, "a JSON object");
      readFields(json, request);
      json.expectEnd();
    }
    previousTimestamp = request.timestampMillis();
    return true;
  }

  private boolean readFilledLine() {
    do {
      if (!readLine()) {
        return false;
      }
    } while (isBlank());
    return true;
  }

  private void tellFormat() {
    format = TraceFormat.MOONCAKE;
    lineIsAhead = readFilledLine();
    if (!lineIsAhead) {
      return;
    }
    try (JsonInput json = JsonInput.ofLine(name, line, lineLength, lineNumber)) {
      json.expectNext(JsonToken.START_OBJECT, "a JSON object");
      while (json.next() == JsonToken.FIELD_NAME) {
        final String field = json.fieldName();
        if (field.equals("chat_id")) {
          format = TraceFormat.BAILIAN;
          blockSize = TraceFormat.BAILIAN_BLOCK_SIZE;
        } else if (field.equals("session_id") && format == TraceFormat.MOONCAKE) {
          format = TraceFormat.AIPERF;
        }
        json.next();
        json.skipValue();
      }
    }
  }

  private long readTime(final JsonInput json, final String field) {
    return switch (format) {
      case BAILIAN -> json.scaledNumber(field, MILLIS_PER_SECOND);
      case AIPERF -> json.scaledNumber(field, 1);
      default -> json.wholeNumber(field, Long.MAX_VALUE);
    };
  }

  private void readFields(final JsonInput json, final TraceRequest request) {
    long timestamp = MISSING;
    long inputLength = MISSING;
    long outputLength = MISSING;
    long delay = TraceRequest.NONE;
    String session = null;
    boolean ids = false;
    while (json.next() == JsonToken.FIELD_NAME) {
      final String field = json.fieldName();
      json.next();
      switch (field) {
        case "timestamp", "created_time" -> timestamp = readTime(json, field);
        case "input_length", "input_tokens" ->
            inputLength = json.wholeNumber(field, TraceRequest.MAX_INPUT_LENGTH);
        case "output_length", "output_tokens" ->
            outputLength = json.wholeNumber(field, Integer.MAX_VALUE);
        case "hash_ids" -> {
          readIds(json, request);
          ids = true;
        }
        case "delay", "delay_ms" -> {
          if (format == TraceFormat.AIPERF) {
            delay = readTime(json, field);
          } else {
            json.skipValue();
          }
        }
        case "session_id" -> session = readSession(json, field);
        default -> json.skipValue();
      }
    }
    require("timestamp", timestamp != MISSING || format == TraceFormat.AIPERF);
    require("output_length", outputLength != MISSING);
    require("hash_ids", ids);
    if (inputLength == MISSING && request.idCount() > 0) {
      inputLength = Math.multiplyExact((long) request.idCount(), blockSize);
      if (inputLength > TraceRequest.MAX_INPUT_LENGTH) {
        throw bad("the prompt is too long: hash_ids=" + request.idCount());
      }
    }
    require("input_length", inputLength != MISSING);
    check(timestamp, inputLength, request.idCount());
    request.set(Math.max(0, timestamp), (int) inputLength, (int) outputLength);
    request.setSession(session, delay, timestamp != MISSING);
  }

  private String readSession(final JsonInput json, final String field) {
    if (format != TraceFormat.AIPERF) {
      json.skipValue();
      return null;
    }
    return json.current() == JsonToken.VALUE_NUMBER_INT ? json.scalarText() : json.text(field);
  }

  private static void readIds(final JsonInput json, final TraceRequest request) {
    json.expect(JsonToken.START_ARRAY, "a list of hash_ids");
    while (json.next() != JsonToken.END_ARRAY) {
      request.addHashId(json.unsignedLong("hash_ids"));
    }
  }

  private void require(final String field, final boolean present) {
    if (!present) {
      throw bad(field + " is missing");
    }
  }

  private void check(final long timestamp, final long inputLength, final int idCount) {
    final long expected = TraceRequest.idsFor(inputLength, blockSize);
    if (expected != idCount) {
      throw bad(
          "the ids do not fit the length: input_length="
              + inputLength
              + " hash_ids="
              + idCount
              + " expected="
              + expected
              + " trace-block-size="
              + blockSize);
    }
    if (format == TraceFormat.MOONCAKE && !anyOrder && timestamp < previousTimestamp) {
      throw bad(
          "the timestamp goes backwards: timestamp="
              + timestamp
              + " previous="
              + previousTimestamp
              + " (replay and compare take it with --any-order)");
    }
  }

  private InputException bad(final String what) {
    return new InputException(name + ": line " + lineNumber + ": " + what);
  }

  private boolean readLine() {
    lineLength = 0;
    lineNumber++;
    while (true) {
      if (chunkPosition == chunkLength && !fillChunk()) {
        return lineLength > 0;
      }
      final int start = chunkPosition;
      while (chunkPosition < chunkLength && chunk[chunkPosition] != '\n') {
        chunkPosition++;
      }
      appendToLine(start, chunkPosition - start);
      if (chunkPosition < chunkLength) {
        chunkPosition++;
        return true;
      }
    }
  }

  private boolean fillChunk() {
    try {
      chunkPosition = 0;
      chunkLength = Math.max(0, in.read(chunk, 0, CHUNK_BYTES));
      return chunkLength > 0;
    } catch (final IOException e) {
      throw InputFiles.unreadable(name, e);
    }
  }

  private void appendToLine(final int from, final int length) {
    final int needed = lineLength + length;
    if (needed > MAX_LINE_BYTES) {
      throw bad("the line is longer than " + MAX_LINE_BYTES + " bytes");
    }
    if (needed > line.length) {
      line = Arrays.copyOf(line, Math.max(needed, line.length * 2));
    }
    System.arraycopy(chunk, from, line, lineLength, length);
    lineLength = needed;
  }

  private boolean isBlank() {
    for (int i = 0; i < lineLength; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (final IOException e) {
      throw InputFiles.unreadable(name, e);
    }
  }
}
