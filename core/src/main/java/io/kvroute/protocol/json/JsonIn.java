package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.UnsignedLongs;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads one JSON text. Each method reads the value at whose first token the reader is, and leaves
 * it at the value's last token. Not thread-safe.
 */
final class JsonIn implements AutoCloseable {
  /** How deep arrays and objects may be nested. */
  static final int MAX_NESTING = 128;

  /** How deep they may be in a value with an inner tag, which the original reads in two steps. */
  static final int MAX_NESTING_TAGGED = 127;

  /** A number of so many digits fits into 64 bits. */
  private static final int MAX_SAFE_DIGITS = 19;

  private static final int INITIAL_CAPACITY = 16;

  /** How much of a text from outside a message may repeat, in UTF-16 units. */
  private static final int MAX_QUOTED = 120;

  private final JsonParser parser;
  private final boolean tagged;
  private int depth;

  /** Reads a value of a type. */
  @FunctionalInterface
  interface Reader<T> {
    T read(JsonIn in);
  }

  /**
   * Opens a text at its first token.
   *
   * @param text to read
   * @param tagged whether the value has an inner tag
   */
  JsonIn(final char[] text, final boolean tagged) {
    this.tagged = tagged;
    try {
      parser = Jackson.FACTORY.createParser(text, 0, text.length);
    } catch (final IOException e) {
      throw new IllegalStateException("cannot read from memory: length=" + text.length, e);
    }
    next();
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (final IOException e) {
      throw new IllegalStateException("cannot close a text in memory", e);
    }
  }

  /** Moves to the next token. */
  JsonToken next() {
    final JsonToken token = advance();
    if (token == null) {
      throw error(Kind.SYNTAX, "text ends before its value");
    }
    if (token.isStructStart()) {
      depth++;
      if (depth > (tagged ? MAX_NESTING_TAGGED : MAX_NESTING)) {
        throw error(Kind.NESTING, "nesting is too deep: depth=" + depth);
      }
    } else if (token.isStructEnd()) {
      depth--;
    }
    return token;
  }

  /** Fails unless nothing but blanks follows. */
  void expectEnd() {
    if (advance() != null) {
      throw error(Kind.SYNTAX, "text goes on behind its value");
    }
  }

  private JsonToken advance() {
    try {
      return parser.nextToken();
    } catch (final JsonProcessingException e) {
      throw malformed(e);
    } catch (final IOException e) {
      throw new IllegalStateException("cannot read from memory", e);
    }
  }

  JsonToken token() {
    return parser.currentToken();
  }

  /** The name of the field at which the reader is. */
  String fieldName() {
    try {
      return checked(parser.currentName());
    } catch (final IOException e) {
      throw new IllegalStateException("cannot read from memory", e);
    }
  }

  private String text() {
    try {
      return parser.getText();
    } catch (final JsonProcessingException e) {
      throw malformed(e);
    } catch (final IOException e) {
      throw new IllegalStateException("cannot read from memory", e);
    }
  }

  private String checked(final String text) {
    final int lone = Surrogates.firstLone(text);
    if (lone >= 0) {
      throw error(Kind.SYNTAX, "text has a surrogate without its partner: index=" + lone);
    }
    return text;
  }

  String string() {
    expect(JsonToken.VALUE_STRING, "string");
    return checked(text());
  }

  String stringOrNull() {
    return isNull() ? null : string();
  }

  boolean bool() {
    if (token() != JsonToken.VALUE_TRUE && token() != JsonToken.VALUE_FALSE) {
      throw wrongType("boolean");
    }
    return token() == JsonToken.VALUE_TRUE;
  }

  /** An unsigned 64-bit number, without sign, point and exponent. */
  long u64() {
    expect(JsonToken.VALUE_NUMBER_INT, "unsigned integer");
    try {
      final char[] chars = parser.getTextCharacters();
      final int offset = parser.getTextOffset();
      final int length = parser.getTextLength();
      if (chars[offset] != '-' && length <= MAX_SAFE_DIGITS) {
        long value = 0;
        for (int i = offset; i < offset + length; i++) {
          value = 10 * value + chars[i] - '0';
        }
        return value;
      }
    } catch (final JsonProcessingException e) {
      throw malformed(e);
    } catch (final IOException e) {
      throw new IllegalStateException("cannot read from memory", e);
    }
    return longU64(text());
  }

  /** The number of a text that is negative, or so long that it may not fit. */
  private long longU64(final String digits) {
    if (digits.charAt(0) == '-') {
      throw error(Kind.RANGE, "number is negative: value=" + abbreviated(digits));
    }
    try {
      return Long.parseUnsignedLong(digits);
    } catch (final NumberFormatException e) {
      throw outOfRange(digits, "64 bits");
    }
  }

  int u32() {
    final long value = u64();
    if (value >>> Integer.SIZE != 0) {
      throw outOfRange(Long.toUnsignedString(value), "32 bits");
    }
    return (int) value;
  }

  OptionalLong u64OrNull() {
    return isNull() ? OptionalLong.empty() : OptionalLong.of(u64());
  }

  OptionalInt u32OrNull() {
    return isNull() ? OptionalInt.empty() : OptionalInt.of(u32());
  }

  /** A 64-bit floating-point number, rounded to nearest. */
  double f64() {
    final double value = Double.parseDouble(number());
    if (Double.isInfinite(value)) {
      throw outOfRange(text(), "a 64-bit floating-point number");
    }
    return value;
  }

  /**
   * A 32-bit floating-point number, rounded to nearest. In a value with an inner tag the original
   * holds a decimal fraction as 64-bit number first, so that one beyond 32 bits becomes infinite.
   */
  float f32() {
    final String number = number();
    if (tagged && token() == JsonToken.VALUE_NUMBER_FLOAT) {
      return (float) f64();
    }
    final float value = Float.parseFloat(number);
    if (Float.isInfinite(value)) {
      throw outOfRange(number, "a 32-bit floating-point number");
    }
    return value;
  }

  private String number() {
    if (!token().isNumeric()) {
      throw wrongType("number");
    }
    return text();
  }

  boolean isNull() {
    return token() == JsonToken.VALUE_NULL;
  }

  UnsignedLongs u64List() {
    expect(JsonToken.START_ARRAY, "array");
    long[] values = new long[INITIAL_CAPACITY];
    int count = 0;
    while (next() != JsonToken.END_ARRAY) {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = u64();
    }
    return UnsignedLongs.copyOf(values, 0, count);
  }

  UnsignedInts u32List() {
    expect(JsonToken.START_ARRAY, "array");
    int[] values = new int[INITIAL_CAPACITY];
    int count = 0;
    while (next() != JsonToken.END_ARRAY) {
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = u32();
    }
    return UnsignedInts.copyOf(values, 0, count);
  }

  <T> List<T> list(final Reader<T> reader) {
    expect(JsonToken.START_ARRAY, "array");
    final List<T> values = new ArrayList<>();
    while (next() != JsonToken.END_ARRAY) {
      values.add(reader.read(this));
    }
    return values;
  }

  <T> T orNull(final Reader<T> reader) {
    return isNull() ? null : reader.read(this);
  }

  StructReader struct(final Shape shape) {
    if (token() == JsonToken.START_ARRAY) {
      throw error(Kind.DISGUISE, "struct is an array: type=" + shape.type());
    }
    expect(JsonToken.START_OBJECT, "object");
    return new StructReader(this, shape);
  }

  /** The name of a variant that has no content. */
  String unitVariant(final String type) {
    if (token() == JsonToken.START_OBJECT) {
      throw error(Kind.DISGUISE, "variant without content is an object: type=" + type);
    }
    expect(JsonToken.VALUE_STRING, "string");
    return checked(text());
  }

  /** A variant: a name, or an object of one field that has its name. */
  VariantReader variant(final String type) {
    if (token() == JsonToken.VALUE_STRING) {
      return new VariantReader(this, type, checked(text()), false);
    }
    expect(JsonToken.START_OBJECT, "string or object");
    if (next() != JsonToken.FIELD_NAME) {
      throw error(Kind.TYPE, "object names no variant: type=" + type);
    }
    final String name = fieldName();
    next();
    return new VariantReader(this, type, name, true);
  }

  /**
   * Reads an object to its end, checks everything in it and returns the text of one field.
   *
   * @param type of the object, for messages
   * @param field that must be there once
   */
  String tag(final String type, final String field) {
    if (token() == JsonToken.START_ARRAY) {
      throw error(Kind.DISGUISE, "struct is an array: type=" + type);
    }
    expect(JsonToken.START_OBJECT, "object");
    String tag = null;
    while (next() == JsonToken.FIELD_NAME) {
      final boolean isTag = fieldName().equals(field);
      if (isTag && tag != null) {
        throw error(Kind.DUPLICATE_FIELD, "duplicate field: field=" + field + " type=" + type);
      }
      next();
      if (isTag) {
        tag = string();
      } else {
        check();
      }
    }
    if (tag == null) {
      throw error(Kind.MISSING_FIELD, "missing field: field=" + field + " type=" + type);
    }
    return tag;
  }

  /** Reads a value of any type, so that what is wrong with it is found. */
  private void check() {
    final int outside = token().isStructStart() ? depth - 1 : depth;
    checkToken();
    while (depth > outside) {
      next();
      checkToken();
    }
  }

  private void checkToken() {
    if (token() == JsonToken.VALUE_STRING) {
      string();
    } else if (token() == JsonToken.FIELD_NAME) {
      fieldName();
    } else if (token().isNumeric()) {
      f64();
    }
  }

  /** Skips a value. Numbers that are too large and lone surrogates in it do not matter. */
  void skip() {
    final int outside = token().isStructStart() ? depth - 1 : depth;
    while (depth > outside) {
      next();
    }
  }

  void expect(final JsonToken expected, final String description) {
    if (token() != expected) {
      throw wrongType(description);
    }
  }

  private ProtocolJsonException wrongType(final String expected) {
    return error(Kind.TYPE, "wrong type: expected=" + expected + " found=" + found());
  }

  private String found() {
    return switch (token()) {
      case START_OBJECT -> "object";
      case START_ARRAY -> "array";
      case VALUE_STRING -> "string";
      case VALUE_NUMBER_INT -> "integer";
      case VALUE_NUMBER_FLOAT -> "fraction";
      case VALUE_TRUE, VALUE_FALSE -> "boolean";
      case VALUE_NULL -> "null";
      default -> "end";
    };
  }

  private ProtocolJsonException outOfRange(final String digits, final String range) {
    return error(
        Kind.RANGE, "number does not fit into " + range + ": value=" + abbreviated(digits));
  }

  ProtocolJsonException unknownVariant(final String type, final String name) {
    return error(
        Kind.UNKNOWN_VARIANT, "unknown variant: name=" + abbreviated(name) + " type=" + type);
  }

  static String abbreviated(final String text) {
    return text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "...";
  }

  /** An error at the token at which the reader is. */
  ProtocolJsonException error(final Kind kind, final String what) {
    final JsonLocation at =
        token() == null ? parser.currentLocation() : parser.currentTokenLocation();
    return located(kind, what, at, null);
  }

  private ProtocolJsonException malformed(final JsonProcessingException cause) {
    final JsonLocation at =
        cause.getLocation() == null ? parser.currentLocation() : cause.getLocation();
    return located(Kind.SYNTAX, "malformed json: " + cause.getOriginalMessage(), at, cause);
  }

  private ProtocolJsonException located(
      final Kind kind, final String what, final JsonLocation at, final Throwable cause) {
    final String message =
        what
            + " line="
            + at.getLineNr()
            + " column="
            + at.getColumnNr()
            + " path="
            + abbreviated(parser.getParsingContext().pathAsPointer().toString());
    return new ProtocolJsonException(kind, message, at.getLineNr(), at.getColumnNr(), cause);
  }
}
