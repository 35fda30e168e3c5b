package io.kvroute.tools.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.InputException;
import io.kvroute.tools.io.SharedFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MooncakeReaderTest {
  private static final String ROW_1 =
      "{\"timestamp\":0,\"input_length\":1000,\"output_length\":1,\"hash_ids\":[0,1]}";
  private static final String ROW_2 =
      "{\"timestamp\":200,\"input_length\":1500,\"output_length\":2,\"hash_ids\":[0,1,2]}";

  @TempDir private Path directory;

  private static MemoryTrace read(final String text) {
    return read(text.getBytes(StandardCharsets.UTF_8), 512);
  }

  private static MemoryTrace read(final byte[] bytes, final long blockSize) {
    try (MooncakeReader reader =
        MooncakeReader.of("t.jsonl", new ByteArrayInputStream(bytes), blockSize)) {
      return MemoryTrace.readAll(reader);
    }
  }

  private static String failure(final String text) {
    return assertThrows(InputException.class, () -> read(text)).getMessage();
  }

  private static byte[] gzipped(final String text) {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Test
  void shouldShareTokensAsFarAsHashIdsAgree() {
    final MemoryTrace trace = read(ROW_1 + '\n' + ROW_2 + '\n');
    final int[] first = new int[1000];
    final int[] second = new int[1500];
    assertEquals(1000, trace.request(0).tokens(512, first));
    assertEquals(1500, trace.request(1).tokens(512, second));
    assertArrayEquals(first, Arrays.copyOf(second, 1000));
    assertEquals(62, 1000 / 16);
    assertEquals(200, trace.request(1).timestampMillis());
    assertEquals(2, trace.request(1).outputLength());
    for (int j = 0; j < 1500; j++) {
      assertEquals(j, second[j]);
    }
  }

  @Test
  void shouldKeep64BitIdsAndWrapTokensAt32Bits() {
    final TraceRequest request =
        read("{\"timestamp\":1,\"input_length\":1024,\"output_length\":0,"
                + "\"hash_ids\":[9007199254740993,18446744073709551615]}")
            .request(0);
    assertEquals(9007199254740993L, request.hashId(0));
    assertEquals(-1L, request.hashId(1));
    final int[] tokens = new int[1024];
    request.tokens(512, tokens);
    assertEquals((int) (9007199254740993L * 512), tokens[0]);
    assertEquals(-512, tokens[512]);
    assertEquals(-1, tokens[1023]);
  }

  @Test
  void shouldReadAnyLineEndAndBlankLines() {
    assertEquals(2, read(ROW_1 + "\r\n" + ROW_2 + "\r\n").size());
    assertEquals(2, read(ROW_1 + "\n\n  \r\n" + ROW_2).size());
    assertEquals(0, read("").size());
    assertEquals(0, read("\n").size());
  }

  @Test
  void shouldReadGzipWhateverTheName() throws IOException {
    final Path file = directory.resolve("trace.jsonl");
    Files.write(file, gzipped(ROW_1 + '\n' + ROW_2));
    try (MooncakeReader reader = MooncakeReader.open(file.toString(), 512)) {
      assertEquals(2, MemoryTrace.readAll(reader).size());
    }
  }

  @Test
  void shouldSayWhatIsWrongWhenGzipIsCutShort() throws IOException {
    final byte[] whole = gzipped(ROW_1 + '\n' + ROW_2);
    final Path file = directory.resolve("cut.gz");
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    final InputException e =
        assertThrows(
            InputException.class,
            () -> {
              try (MooncakeReader reader = MooncakeReader.open(file.toString(), 512)) {
                MemoryTrace.readAll(reader);
              }
            });
    assertEquals("the gzip data of " + file + " is cut short or damaged", e.getMessage());
  }

  @Test
  void shouldIgnoreUnknownFields() {
    final MemoryTrace trace =
        read(
            "{\"session_id\":\"x\",\"extra\":{\"a\":[1,{\"hash_ids\":[7]}]},\"priority\":null,"
                + ROW_1.substring(1));
    assertEquals(2, trace.request(0).idCount());
  }

  @Test
  void shouldRefuseRowsWhenTheBlockSizeIsAnother() {
    final byte[] bytes = ROW_1.getBytes(StandardCharsets.UTF_8);
    final InputException e = assertThrows(InputException.class, () -> read(bytes, 16));
    assertEquals(
        "t.jsonl: line 1: the ids do not fit the length: input_length=1000 hash_ids=2 expected=63"
            + " trace-block-size=16",
        e.getMessage());
  }

  @Test
  void shouldNameTheLineWhenIdsDoNotFitTheLength() {
    assertEquals(
        "t.jsonl: line 2: the ids do not fit the length: input_length=10 hash_ids=2 expected=1"
            + " trace-block-size=512",
        failure(
            ROW_1
                + "\n"
                + "{\"timestamp\":0,\"input_length\":10,\"output_length\":1,\"hash_ids\":[1,2]}"));
  }

  @Test
  void shouldNameTheLineWhenTimeGoesBackwards() {
    assertEquals(
        "t.jsonl: line 3: the timestamp goes backwards: timestamp=0 previous=200"
            + " (replay and compare take it with --any-order)",
        failure(ROW_2 + "\n\n" + ROW_1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"timestamp\":0,\"input_length\":1,\"output_length\":1} | line 2: hash_ids is missing",
        "{\"timestamp\":0,\"output_length\":1,\"hash_ids\":[]} | line 2: input_length is missing",
        "{\"input_length\":0,\"output_length\":1,\"hash_ids\":[]} | line 2: timestamp is missing",
        "{\"timestamp\":0,\"input_length\":0,\"hash_ids\":[]} | line 2: output_length is missing",
        "{\"timestamp\":0.5} | line 2: timestamp must be a whole number",
        "{\"timestamp\":\"0\"} | line 2: timestamp must be a whole number",
        "{\"timestamp\":-1} | line 2: timestamp must be a whole number from 0 to 2^64-1: -1",
        "{\"hash_ids\":[18446744073709551616]} | must be a whole number from 0 to 2^64-1:"
            + " 184467440",
        "{\"hash_ids\":7} | line 2: a list of hash_ids expected",
        "{\"input_length\":268435457} | input_length must be from 0 to 268435456: 268435457",
        "{\"timestamp\":0,\"timestamp\":0} | bad JSON at column 27: Duplicate field 'timestamp'",
        "{\"timestamp\": | line 2: bad JSON at column",
        "[] | line 2: a JSON object expected",
        "{ | line 2: bad JSON at column",
        "nonsense | line 2: bad JSON at column",
      })
  void shouldNameTheLineWhenARowIsBad(final String row, final String expected) {
    final String message = failure(ROW_1 + '\n' + row + '\n' + ROW_2);
    assertTrue(message.startsWith("t.jsonl: line 2: "), message);
    assertTrue(message.contains(expected), message);
    assertFalse(message.contains("\n"), message);
  }

  @Test
  void shouldRefuseASecondValueOnALine() {
    assertEquals(
        "t.jsonl: line 1: nothing more expected after the JSON value", failure(ROW_1 + ROW_2));
  }

  @Test
  void shouldReadRowsLongerThanItsBuffer() {
    final int ids = 100_000;
    final StringBuilder row =
        new StringBuilder("{\"timestamp\":0,\"output_length\":1,\"hash_ids\":[");
    for (int i = 0; i < ids; i++) {
      row.append(i == 0 ? "" : ",").append(i);
    }
    row.append("],\"input_length\":").append(ids).append('}');
    final MemoryTrace trace = read((row + "\n" + row).getBytes(StandardCharsets.UTF_8), 1);
    assertEquals(2, trace.size());
    assertEquals(ids - 1, trace.request(1).hashId(ids - 1));
  }

  @Test
  void shouldReadTheConversationTrace() {
    try (MooncakeReader reader = MooncakeReader.open(SharedFiles.conversationTrace(), 512)) {
      final MemoryTrace trace = MemoryTrace.readAll(reader);
      long tokens = 0;
      for (int i = 0; i < trace.size(); i++) {
        tokens += trace.request(i).inputLength();
      }
      assertEquals(12_031, trace.size());
      assertEquals(144_793_823, tokens);
    }
  }

  @Test
  void shouldEndEarlyWhenLimited() {
    try (MooncakeReader reader =
            MooncakeReader.of(
                "t",
                new ByteArrayInputStream((ROW_1 + '\n' + ROW_2).getBytes(StandardCharsets.UTF_8)),
                512);
        LimitedTrace limited = new LimitedTrace(reader, 1)) {
      assertEquals(1, MemoryTrace.readAll(limited).size());
      assertEquals(512, limited.blockSize());
    }
  }
}
