package io.kvroute.tools.trace;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.InputFiles;
import io.kvroute.tools.io.JsonInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads Mooncake traces: one JSON object a line with {@code timestamp} (whole milliseconds, never
 * backwards), {@code input_length} and {@code output_length} (tokens), and {@code hash_ids} (64
 * bits without sign, exactly {@code ceil(input_length / blockSize)} of them). Other fields are
 * ignored, blank lines too. Plain or gzip, either line end, with or without one after the last
 * line.
 *
 * <p>Memory is that of the longest line. Every error names the line; no row is skipped.
 */
public final class MooncakeReader implements TraceSource {

  /** Tokens per hash id in the published traces. */
  public static final long DEFAULT_BLOCK_SIZE = 512;

  private static final int MAX_LINE_BYTES = 1 << 26;
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int MISSING = -1;

  private final String name;
  private final InputStream in;
  private final long blockSize;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private int chunkPosition;
  private int chunkLength;
  private byte[] line = new byte[CHUNK_BYTES];
  private int lineLength;
  private long lineNumber;
  private long previousTimestamp;

  private MooncakeReader(final String name, final InputStream in, final long blockSize) {
    this.name = name;
    this.in = in;
    this.blockSize = blockSize;
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

  /** Reads a trace from a stream, which {@link #close()} closes. */
  public static MooncakeReader of(final String name, final InputStream in, final long blockSize) {
    if (blockSize < 1) {
      throw new IllegalArgumentException(
          "trace block size must be positive: blockSize=" + blockSize);
    }
    return new MooncakeReader(name, in, blockSize);
  }

  @Override
  public long blockSize() {
    return blockSize;
  }

  @Override
  public boolean next(final TraceRequest request) {
    do {
      if (!readLine()) {
        return false;
      }
    } while (isBlank());
    request.reset();
    try (JsonInput json = JsonInput.ofLine(name, line, lineLength, lineNumber)) {
      json.expectNext(JsonToken.START_OBJECT, "a JSON object");
      readFields(json, request);
      json.expectEnd();
    }
    previousTimestamp = request.timestampMillis();
    return true;
  }

  private void readFields(final JsonInput json, final TraceRequest request) {
    long timestamp = MISSING;
    long inputLength = MISSING;
    long outputLength = MISSING;
    boolean ids = false;
    while (json.next() == JsonToken.FIELD_NAME) {
      final String field = json.fieldName();
      json.next();
      switch (field) {
        case "timestamp" -> timestamp = json.wholeNumber(field, Long.MAX_VALUE);
        case "input_length" -> inputLength = json.wholeNumber(field, TraceRequest.MAX_INPUT_LENGTH);
        case "output_length" -> outputLength = json.wholeNumber(field, Integer.MAX_VALUE);
        case "hash_ids" -> {
          readIds(json, request);
          ids = true;
        }
        default -> json.skipValue();
      }
    }
    require("timestamp", timestamp != MISSING);
    require("input_length", inputLength != MISSING);
    require("output_length", outputLength != MISSING);
    require("hash_ids", ids);
    check(timestamp, inputLength, request.idCount());
    request.set(timestamp, (int) inputLength, (int) outputLength);
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
    if (timestamp < previousTimestamp) {
      throw bad(
          "the timestamp goes backwards: timestamp="
              + timestamp
              + " previous="
              + previousTimestamp);
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
