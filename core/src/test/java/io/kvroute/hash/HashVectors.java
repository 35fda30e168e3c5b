package io.kvroute.hash;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Reads the golden block-hash vectors; a test that asks for them is skipped when they are absent.
 */
final class HashVectors {
  private HashVectors() {}

  /** The cases of one section, each a map of its fields. */
  static List<Map<String, Object>> section(final String name) throws IOException {
    final Path file = locate();
    Assumptions.assumeTrue(file != null, "shared/vectors/block-hash-vectors.json is not present");
    try (JsonParser parser = new JsonFactory().createParser(file.toFile())) {
      parser.nextToken();
      final Map<String, Object> all = object(read(parser));
      final List<Map<String, Object>> cases = new ArrayList<>();
      for (final Object value : list(all.get(name))) {
        cases.add(object(value));
      }
      return cases;
    }
  }

  private static Path locate() {
    Path directory = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    while (directory != null && !Files.isDirectory(directory.resolve(".mvn"))) {
      directory = directory.getParent();
    }
    if (directory == null) {
      return null;
    }
    final Path file =
        directory.resolve("../shared/vectors/block-hash-vectors.json").toAbsolutePath().normalize();
    return Files.isReadable(file) ? file : null;
  }

  private static Object read(final JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readList(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IOException("unexpected token: " + parser.currentToken());
    };
  }

  private static Map<String, Object> readObject(final JsonParser parser) throws IOException {
    final Map<String, Object> result = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      final String name = parser.currentName();
      parser.nextToken();
      result.put(name, read(parser));
    }
    return result;
  }

  private static List<Object> readList(final JsonParser parser) throws IOException {
    final List<Object> result = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      result.add(read(parser));
    }
    return result;
  }

  static Map<String, Object> object(final Object value) {
    final Map<String, Object> result = new LinkedHashMap<>();
    ((Map<?, ?>) value).forEach((key, entry) -> result.put((String) key, entry));
    return result;
  }

  static List<Object> list(final Object value) {
    return new ArrayList<>((List<?>) value);
  }

  static int[] tokens(final Object value) {
    return list(value).stream().mapToInt(token -> ((Long) token).intValue()).toArray();
  }

  static long[] hashes(final Object value) {
    return list(value).stream().mapToLong(hash -> Long.parseUnsignedLong((String) hash)).toArray();
  }

  /** The multimodal hashes of a case as block infos, or null if it has none. */
  static List<BlockExtraInfo> blockMmInfos(final Object value) {
    if (value == null) {
      return null;
    }
    final List<BlockExtraInfo> infos = new ArrayList<>();
    for (final Object block : list(value)) {
      infos.add(block == null ? null : info(hashes(block)));
    }
    return infos;
  }

  static BlockExtraInfo info(final long... mmHashes) {
    final List<BlockMmObjectInfo> objects = new ArrayList<>();
    for (final long mmHash : mmHashes) {
      objects.add(new BlockMmObjectInfo(mmHash, List.of(new MmRange(0, 1))));
    }
    return new BlockExtraInfo(objects);
  }
}
