package io.kvroute.tools.hash;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.tools.io.JsonInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Reads hash cases: a single one, an array of them, or an object whose {@code sequences} holds the
 * array and whose {@code xxh3} holds plain hash cases. One case is in memory at a time.
 */
public final class HashCaseReader {
  private static final long MAX_U32 = 0xFFFF_FFFFL;
  private static final int INITIAL_LENGTH = 64;

  private final JsonInput json;
  private final HashCaseHandler handler;

  private HashCaseReader(final JsonInput json, final HashCaseHandler handler) {
    this.json = json;
    this.handler = handler;
  }

  /**
   * Reads a source to its end.
   *
   * @throws io.kvroute.tools.io.InputException if it holds something else; the message names the
   *     line
   */
  public static void readAll(final JsonInput json, final HashCaseHandler handler) {
    new HashCaseReader(json, handler).readDocument();
  }

  private void readDocument() {
    final JsonToken first = json.next();
    if (first == JsonToken.START_ARRAY) {
      readCases();
    } else if (first == JsonToken.START_OBJECT) {
      readObject();
    } else {
      throw json.error("a case, an array of cases, or an object with 'sequences' expected");
    }
    json.expectEnd();
  }

  private void readCases() {
    json.expect(JsonToken.START_ARRAY, "an array of cases");
    while (json.next() != JsonToken.END_ARRAY) {
      json.expect(JsonToken.START_OBJECT, "a case");
      final HashCase read = new HashCase();
      while (json.next() == JsonToken.FIELD_NAME) {
        readField(read, json.fieldName());
      }
      handler.onCase(requireComplete(read));
    }
  }

  private void readObject() {
    final HashCase single = new HashCase();
    boolean anyField = false;
    boolean collection = false;
    while (json.next() == JsonToken.FIELD_NAME) {
      final String field = json.fieldName();
      if (field.equals("sequences")) {
        collection = true;
        json.next();
        readCases();
      } else if (field.equals("xxh3")) {
        collection = true;
        json.next();
        readXxh3Cases();
      } else {
        anyField = true;
        readField(single, field);
      }
    }
    if (!collection) {
      handler.onCase(requireComplete(single));
    } else if (anyField) {
      throw json.error("a case and 'sequences' or 'xxh3' cannot be in one object");
    }
  }

  private void readXxh3Cases() {
    json.expect(JsonToken.START_ARRAY, "an array of xxh3 cases");
    while (json.next() != JsonToken.END_ARRAY) {
      json.expect(JsonToken.START_OBJECT, "an xxh3 case");
      handler.onXxh3(readXxh3());
    }
  }

  private Xxh3Case readXxh3() {
    byte[] input = null;
    Long seed = null;
    Long expected = null;
    while (json.next() == JsonToken.FIELD_NAME) {
      final String field = json.fieldName();
      json.next();
      switch (field) {
        case "hex" -> input = bytes(json.text(field));
        case "seed" -> seed = json.unsignedLongOrText(field);
        case "xxh3_64" -> expected = json.unsignedLongOrText(field);
        default -> throw json.error("unknown field of an xxh3 case: " + field);
      }
    }
    if (input == null || seed == null || expected == null) {
      throw json.error("an xxh3 case needs hex, seed and xxh3_64");
    }
    return new Xxh3Case(input, seed, expected);
  }

  private byte[] bytes(final String hex) {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (final IllegalArgumentException e) {
      throw json.error("hex must be pairs of hexadecimal digits");
    }
  }

  private HashCase requireComplete(final HashCase read) {
    if (read.tokens == null) {
      throw json.error("tokens is missing");
    }
    if (read.blockSize == HashCase.NO_BLOCK_SIZE) {
      throw json.error("block_size is missing");
    }
    return read;
  }

  private void readField(final HashCase read, final String field) {
    final boolean absent = json.next() == JsonToken.VALUE_NULL;
    switch (field) {
      case "name" -> read.name = absent ? null : json.text(field);
      case "tokens" -> read.tokens = readTokens();
      case "block_size" -> read.blockSize = json.wholeNumber(field, MAX_U32);
      case "lora_name" -> read.loraName = absent ? null : json.text(field);
      case "is_eagle" -> read.eagle = !absent && json.flag(field);
      case "mm_hashes" -> read.mmHashes = absent ? null : readMmHashes();
      case "block_hashes" -> read.blockHashes = absent ? null : readHashes(field);
      case "sequence_hashes" -> read.sequenceHashes = absent ? null : readHashes(field);
      default -> throw json.error("unknown field of a case: " + field);
    }
  }

  private int[] readTokens() {
    json.expect(JsonToken.START_ARRAY, "an array of tokens");
    int[] read = new int[INITIAL_LENGTH];
    int count = 0;
    while (json.next() != JsonToken.END_ARRAY) {
      if (count == read.length) {
        read = Arrays.copyOf(read, count * 2);
      }
      read[count++] = (int) json.wholeNumber("a token", MAX_U32);
    }
    return Arrays.copyOf(read, count);
  }

  private List<long[]> readMmHashes() {
    json.expect(JsonToken.START_ARRAY, "an array of mm_hashes");
    final List<long[]> read = new ArrayList<>();
    while (json.next() != JsonToken.END_ARRAY) {
      read.add(json.current() == JsonToken.VALUE_NULL ? null : readHashes("mm_hashes"));
    }
    return read;
  }

  private long[] readHashes(final String field) {
    json.expect(JsonToken.START_ARRAY, "an array of " + field);
    long[] read = new long[INITIAL_LENGTH];
    int count = 0;
    while (json.next() != JsonToken.END_ARRAY) {
      if (count == read.length) {
        read = Arrays.copyOf(read, count * 2);
      }
      read[count++] = json.unsignedLongOrText(field);
    }
    return Arrays.copyOf(read, count);
  }
}
