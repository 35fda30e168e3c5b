package io.kvroute.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kvroute.tools.io.SharedFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashCommandTest {
  private static final String EIGHT =
      "{\"name\":\"eight\",\"tokens\":[1,2,3,4,5,6,7,8],\"block_size\":4}";
  private static final String EIGHT_HASHED =
      "{\"name\":\"eight\",\"block_hashes\":[\"14643705804678351452\",\"16777012769546811212\"],"
          + "\"sequence_hashes\":[\"14643705804678351452\",\"4945711292740353085\"]}\n";

  @TempDir private Path directory;

  private String file(final String text) throws IOException {
    final Path file = directory.resolve("cases.json");
    Files.writeString(file, text);
    return file.toString();
  }

  @Test
  void shouldHashOneCaseFromStandardInput() {
    final Cli.Result result = Cli.runWithInput(EIGHT, "hash", "-");
    assertEquals("", result.err());
    assertEquals(0, result.code());
    assertEquals(EIGHT_HASHED, result.out());
  }

  @Test
  void shouldHashAnArrayOfCasesInOrder() throws IOException {
    final String input =
        "["
            + EIGHT
            + ",{\"tokens\":[1,2,3,4],\"block_size\":4,\"lora_name\":\"adapter-a\"}"
            + ",{\"tokens\":[1,2,3,4],\"block_size\":4,\"mm_hashes\":[[\"42\"]]}"
            + ",{\"tokens\":[1,2,3,4,5,6,7,8,9],\"block_size\":4,\"is_eagle\":true}"
            + ",{\"tokens\":[1,2,3],\"block_size\":0,\"lora_name\":null}]";
    final Cli.Result result = Cli.run("hash", file(input));
    assertEquals(0, result.code());
    final String[] lines = result.lines();
    assertEquals(5, lines.length);
    assertEquals(EIGHT_HASHED, lines[0] + '\n');
    assertTrue(lines[1].startsWith("{\"name\":null,\"block_hashes\":[\"11381080598872079209\"]"));
    assertTrue(lines[2].contains("\"block_hashes\":[\"14000361058806882387\"]"), lines[2]);
    assertTrue(
        lines[3].contains("\"block_hashes\":[\"1914873892905420881\",\"1929047464662796003\"]"));
    assertEquals("{\"name\":null,\"block_hashes\":[],\"sequence_hashes\":[]}", lines[4]);
  }

  @Test
  void shouldReadGzip() throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(EIGHT.getBytes(StandardCharsets.UTF_8));
    }
    final Path file = directory.resolve("cases");
    Files.write(file, bytes.toByteArray());
    assertEquals(EIGHT_HASHED, Cli.run("hash", file.toString()).out());
  }

  @Test
  void shouldHashTheGoldenVectors() {
    final Cli.Result result =
        Cli.run("hash", SharedFiles.require("vectors/block-hash-vectors.json"));
    assertEquals(0, result.code());
    assertEquals(208, result.lines().length);
    assertTrue(
        result
            .out()
            .startsWith(
                "{\"name\":\"plain/1/0\",\"block_hashes\":[\"14882647478655769354\","
                    + "\"9021823211963425812\",\"10326775700503678803\"],\"sequence_hashes\":"
                    + "[\"14882647478655769354\",\"9800220454956350402\",\"7024234421787487072\"]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"tokens\":[1],\"block_size\":4 | bad JSON at column",
        "{\"tokens\":[1]} | block_size is missing",
        "{\"block_size\":4} | tokens is missing",
        "{\"tokens\":[4294967296],\"block_size\":4} | a token must be from 0 to 4294967295:"
            + " 4294967296",
        "{\"tokens\":[-1],\"block_size\":4} | a token must be a whole number from 0 to 2^64-1: -1",
        "{\"tokens\":[1.5],\"block_size\":4} | a token must be a whole number",
        "{\"tokens\":[1],\"block_size\":4294967296} | block_size must be from 0 to 4294967295",
        "{\"tokens\":[1],\"block_size\":4,\"lora\":\"x\"} | unknown field of a case: lora",
        "{\"tokens\":[1],\"block_size\":4,\"mm_hashes\":[1]} | an array of mm_hashes expected",
        "{\"tokens\":[1],\"sequences\":[]} | cannot be in one object",
        "[1] | a case expected",
        "7 | a case, an array of cases, or an object with 'sequences' expected",
        "{\"xxh3\":[{\"hex\":\"0\",\"seed\":0,\"xxh3_64\":0}]} | hex must be pairs of hexadecimal"
            + " digits",
        "{\"xxh3\":[{\"hex\":\"00\"}]} | an xxh3 case needs hex, seed and xxh3_64",
      })
  void shouldNameTheLineWhenTheInputIsBad(final String input, final String expected) {
    final Cli.Result result = Cli.runWithInput("\n" + input + "\n", "hash", "-");
    assertEquals(2, result.code());
    assertTrue(result.err().contains(expected), result.err());
    assertTrue(result.err().startsWith("kvroute hash: standard input: line "), result.err());
    assertEquals(1, result.err().lines().count());
  }

  @Test
  void shouldPrintNothingWhenALaterCaseIsBad() {
    final Cli.Result result = Cli.runWithInput("[" + EIGHT + ",\n{\"tokens\":[1]}]", "hash", "-");
    assertEquals(2, result.code());
    assertEquals("", result.out());
    assertEquals("kvroute hash: standard input: line 2: block_size is missing\n", result.err());
  }

  @Test
  void shouldNotSpeakOfTheParserWhenTheInputIsCutShort() {
    final Cli.Result result = Cli.runWithInput("{", "hash", "-");
    assertEquals(
        "kvroute hash: standard input: line 1: bad JSON at column 2: Unexpected end-of-input:"
            + " expected close marker for Object\n",
        result.err());
  }

  @Test
  void shouldEndWith2WhenTheFileCannotBeRead() {
    assertEquals("kvroute hash: the name of the file is empty\n", Cli.run("hash", "").err());
    final String missing = directory.resolve("none.json").toString();
    assertEquals("kvroute hash: no such file: " + missing + '\n', Cli.run("hash", missing).err());
    assertEquals(2, Cli.run("hash", missing).code());
    assertEquals(
        "kvroute hash: " + directory + " is a directory, not a file\n",
        Cli.run("hash", directory.toString()).err());
  }

  @Test
  void shouldEndWith2WhenThereIsNoFileOrAnUnknownOption() {
    assertEquals(
        "kvroute hash: Missing required parameter: 'FILE' (see kvroute hash --help)\n",
        Cli.run("hash").err());
    final Cli.Result result = Cli.run("hash", "--fast", "-");
    assertEquals(2, result.code());
    assertTrue(result.err().contains("Unknown option: '--fast'"), result.err());
    assertFalse(result.err().contains("\tat "), result.err());
  }
}
