package io.kvroute.tools.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.InputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFormatTest {
  private static final String BAILIAN =
      """
      {"chat_id":159,"parent_chat_id":-1,"timestamp":61.114,"input_length":20,"output_length":9,\
      "type":"text","turn":1,"hash_ids":[18446744073709551615,2]}
      {"chat_id":160,"parent_chat_id":159,"timestamp":5,"input_length":16,"output_length":3,\
      "type":"text","turn":2,"hash_ids":[7]}
      """;
  private static final String AIPERF =
      """
      {"session_id":"a","timestamp":10.5,"input_length":512,"output_length":4,"hash_ids":[1]}
      {"session_id":"a","delay":250,"input_length":513,"output_length":4,"hash_ids":[1,2]}
      """;

  @TempDir private Path directory;

  private static MemoryTrace read(final String text, final TraceFormat format) {
    final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (MooncakeReader reader =
        MooncakeReader.of("t", new ByteArrayInputStream(bytes), 512, format)) {
      return MemoryTrace.readAll(reader);
    }
  }

  private static String failure(final String text, final TraceFormat format) {
    return assertThrows(InputException.class, () -> read(text, format)).getMessage();
  }

  @Test
  void shouldReadSecondsIn16TokenBlocksWhenTheTraceIsBailian() {
    final MemoryTrace trace = read(BAILIAN, TraceFormat.AUTO);
    assertEquals(2, trace.size());
    assertEquals(16, trace.blockSize());
    assertEquals(61_114, trace.request(0).timestampMillis());
    assertEquals(-1L, trace.request(0).hashId(0));
    assertEquals(9, trace.request(0).outputLength());
    assertNull(trace.request(0).session(), "a row of Bailian is a whole request, not a session");
    assertEquals(5_000, trace.request(1).timestampMillis());
    assertEquals(16, read(BAILIAN, TraceFormat.BAILIAN).blockSize());
  }

  @Test
  void shouldReadDelaysWhenTheTraceHasSessions() {
    final MemoryTrace trace = read(AIPERF, TraceFormat.AUTO);
    assertEquals(512, trace.blockSize());
    assertEquals(10, trace.request(0).timestampMillis());
    assertEquals(TraceRequest.NONE, trace.request(0).delayMillis());
    assertTrue(trace.request(0).hasTimestamp());
    assertEquals("a", trace.request(1).session());
    assertEquals(250, trace.request(1).delayMillis());
    assertFalse(trace.request(1).hasTimestamp());
  }

  @Test
  void shouldTakeARowWithoutSessionForMooncake() {
    final String row =
        "\n{\"timestamp\":3,\"input_length\":1,\"output_length\":1,\"hash_ids\":[1]}";
    final MemoryTrace trace = read(row, TraceFormat.AUTO);
    assertEquals(3, trace.request(0).timestampMillis());
    assertNull(trace.request(0).session());
    assertEquals(0, read("", TraceFormat.AUTO).size());
  }

  @Test
  void shouldUnderstandTheOtherNamesOfTheFields() {
    final MemoryTrace trace =
        read(
            """
            {"session_id":7,"created_time":5,"input_tokens":512,"output_tokens":4,"hash_ids":[1]}
            {"session_id":7,"delay_ms":250,"output_tokens":4,"hash_ids":[1,2]}
            """,
            TraceFormat.AUTO);
    assertEquals(5, trace.request(0).timestampMillis());
    assertEquals(512, trace.request(0).inputLength());
    assertEquals("7", trace.request(1).session());
    assertEquals(250, trace.request(1).delayMillis());
    assertEquals(4, trace.request(1).outputLength());
    assertEquals(1024, trace.request(1).inputLength(), "without a length all ids are whole blocks");
  }

  @Test
  void shouldTakeRowsInAnyOrderWhenAskedTo() {
    final String rows =
        """
        {"timestamp":9,"input_length":1,"output_length":1,"hash_ids":[1]}
        {"timestamp":3,"input_length":1,"output_length":1,"hash_ids":[1]}
        """;
    assertEquals(
        "t: line 2: the timestamp goes backwards: timestamp=3 previous=9"
            + " (replay and compare take it with --any-order)",
        failure(rows, TraceFormat.MOONCAKE));
    final byte[] bytes = rows.getBytes(StandardCharsets.UTF_8);
    try (MooncakeReader reader =
        MooncakeReader.of("t", new ByteArrayInputStream(bytes), 512, TraceFormat.MOONCAKE)
            .inAnyOrder()) {
      final MemoryTrace trace = MemoryTrace.readAll(reader);
      assertEquals(9, trace.request(0).timestampMillis());
      assertEquals(3, trace.request(1).timestampMillis());
    }
  }

  @Test
  void shouldNameTheLineWhenARowIsBad() {
    final String bad = BAILIAN + "{\"chat_id\":1,\"timestamp\":-1}";
    assertEquals(
        "t: line 3: timestamp must be from 0 to 10^14: -1", failure(bad, TraceFormat.AUTO));
    assertEquals(
        "t: line 1: timestamp must be a whole number", failure(BAILIAN, TraceFormat.MOONCAKE));
    assertEquals(
        "t: line 2: timestamp must be from 0 to 10^14: 1e999999999",
        failure(AIPERF.replace("\"delay\":250", "\"timestamp\":1e999999999"), TraceFormat.AUTO));
  }

  @Test
  void shouldReadGzipOfEachForm() throws IOException {
    for (final String text : new String[] {BAILIAN, AIPERF}) {
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
        gzip.write(text.getBytes(StandardCharsets.UTF_8));
      }
      final Path file = directory.resolve("t.gz");
      Files.write(file, bytes.toByteArray());
      try (MooncakeReader reader = MooncakeReader.open(file.toString(), 512, TraceFormat.AUTO)) {
        assertEquals(2, MemoryTrace.readAll(reader).size());
      }
    }
  }
}
