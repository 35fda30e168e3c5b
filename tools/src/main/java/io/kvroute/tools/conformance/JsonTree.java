package io.kvroute.tools.conformance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.kvroute.tools.io.InputFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A JSON value of a golden file, in memory. Numbers are kept as their digits. A value that is not
 * of the type asked for is an {@link IllegalArgumentException}, because then the file is not
 * golden.
 */
final class JsonTree {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Object value;

  private JsonTree(final Object value) {
    this.value = value;
  }

  /** Reads a file. */
  static JsonTree of(final Path file) throws IOException {
    try (JsonParser parser = FACTORY.createParser(InputFiles.open(file.toString()))) {
      parser.nextToken();
      final JsonTree tree = read(parser);
      if (parser.nextToken() != null) {
        throw new IOException(
            "text goes on behind its value: line=" + parser.currentTokenLocation().getLineNr());
      }
      return tree;
    }
  }

  /** The first value of a file; null if it is not JSON. */
  static JsonTree firstOf(final Path file) throws IOException {
    try (JsonParser parser = FACTORY.createParser(InputFiles.open(file.toString()))) {
      return parser.nextToken() == null ? null : read(parser);
    } catch (final JsonProcessingException e) {
      return null;
    }
  }

  /**
   * Hands out the values of a file one after the other, as JSON lines have them.
   *
   * @throws IOException if one cannot be read, or is not what {@code values} takes; the message
   *     says in which line
   */
  static void forEach(final Path file, final Consumer<JsonTree> values) throws IOException {
    try (JsonParser parser = FACTORY.createParser(InputFiles.open(file.toString()))) {
      while (parser.nextToken() != null) {
        final int line = parser.currentTokenLocation().getLineNr();
        final JsonTree tree = read(parser);
        try {
          values.accept(tree);
        } catch (final IllegalArgumentException e) {
          throw new IOException("not a golden line: line=" + line + " cause=" + e.getMessage(), e);
        }
      }
    }
  }

  /** Reads a text. */
  static JsonTree parse(final String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      return read(parser);
    } catch (final IOException e) {
      throw new IllegalArgumentException("text is not JSON: " + text, e);
    }
  }

  private static JsonTree read(final JsonParser parser) throws IOException {
    final JsonToken token = parser.currentToken();
    if (token == null) {
      throw new IOException("text is empty");
    }
    return switch (token) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readArray(parser);
      case VALUE_TRUE -> new JsonTree(true);
      case VALUE_FALSE -> new JsonTree(false);
      case VALUE_NULL -> new JsonTree(null);
      default -> new JsonTree(parser.getText());
    };
  }

  private static JsonTree readObject(final JsonParser parser) throws IOException {
    final Map<String, JsonTree> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      final String name = parser.currentName();
      parser.nextToken();
      fields.put(name, read(parser));
    }
    return new JsonTree(fields);
  }

  private static JsonTree readArray(final JsonParser parser) throws IOException {
    final List<JsonTree> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(read(parser));
    }
    return new JsonTree(elements);
  }

  /** The names of the fields of the object that a file begins with; none if it is not JSON. */
  static List<String> fieldNames(final Path file) throws IOException {
    final List<String> names = new ArrayList<>();
    try (JsonParser parser = FACTORY.createParser(InputFiles.open(file.toString()))) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          names.add(parser.currentName());
          parser.nextToken();
          parser.skipChildren();
        }
      }
    } catch (final JsonProcessingException e) {
      return List.of();
    }
    return names;
  }

  /** A field of the object. */
  JsonTree at(final String name) {
    final JsonTree field = fields().get(name);
    if (field == null) {
      throw new IllegalArgumentException("field is missing: name=" + name + " object=" + this);
    }
    return field;
  }

  /** True if the object has a field. */
  boolean has(final String name) {
    return fields().containsKey(name);
  }

  @SuppressWarnings("unchecked") // maps are made in one place only
  private Map<String, JsonTree> fields() {
    if (value instanceof Map) {
      return (Map<String, JsonTree>) value;
    }
    throw notA("object");
  }

  /** The elements of the array. */
  @SuppressWarnings("unchecked") // lists are made in one place only
  List<JsonTree> elements() {
    if (value instanceof List) {
      return (List<JsonTree>) value;
    }
    throw notA("array");
  }

  /** True if the value is null. */
  boolean isNull() {
    return value == null;
  }

  /** The text, or the digits of a number. */
  String text() {
    if (value instanceof String text) {
      return text;
    }
    throw notA("text");
  }

  /** The text, or null. */
  String textOrNull() {
    return isNull() ? null : text();
  }

  /** The truth value. */
  boolean truth() {
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw notA("truth value");
  }

  /** An unsigned 64-bit number, as digits with or without quotes. */
  long u64() {
    return Long.parseUnsignedLong(text());
  }

  /** An unsigned 32-bit number. */
  int u32() {
    return Integer.parseUnsignedInt(text());
  }

  /** A signed 64-bit number. */
  long i64() {
    return Long.parseLong(text());
  }

  /** A 64-bit float. */
  double f64() {
    return Double.parseDouble(text());
  }

  private IllegalArgumentException notA(final String expected) {
    return new IllegalArgumentException(
        "value is not of its type: expected=" + expected + " value=" + this);
  }

  /** True if the value is an array. */
  boolean isArray() {
    return value instanceof List;
  }

  /** True if the value is an object. */
  boolean isObject() {
    return value instanceof Map;
  }

  /** The names of the object's fields, in their order. */
  List<String> names() {
    return List.copyOf(fields().keySet());
  }

  /** The whole value in one line, for comparison: fields in the order of names, no quotes. */
  String line() {
    if (value instanceof List) {
      return elements().stream().map(JsonTree::line).toList().toString();
    }
    if (value instanceof Map) {
      final Map<String, String> lines = new TreeMap<>();
      fields().forEach((name, field) -> lines.put(name, field.line()));
      return lines.toString();
    }
    return String.valueOf(value);
  }

  @Override
  public String toString() {
    final String text = line();
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
  }
}
