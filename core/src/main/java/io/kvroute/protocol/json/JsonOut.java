package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.kvroute.protocol.UnsignedInts;
import io.kvroute.protocol.UnsignedLongs;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Writes one JSON text. Not thread-safe. */
final class JsonOut {
  private final StringWriter text = new StringWriter();
  private final JsonGenerator generator;

  /** Writes a value of a type. */
  @FunctionalInterface
  interface Writer<T> {
    void write(JsonOut out, T value);
  }

  JsonOut() {
    try {
      generator = Jackson.FACTORY.createGenerator(text);
    } catch (final IOException e) {
      throw unexpected(e);
    }
  }

  /** Ends the text and returns it. */
  String finish() {
    try {
      generator.close();
    } catch (final IOException e) {
      throw unexpected(e);
    }
    return text.toString();
  }

  JsonOut beginObject() {
    return raw(JsonGenerator::writeStartObject);
  }

  JsonOut endObject() {
    return raw(JsonGenerator::writeEndObject);
  }

  JsonOut field(final String name) {
    return raw(out -> out.writeFieldName(checked(name)));
  }

  JsonOut string(final String value) {
    return raw(out -> out.writeString(checked(value)));
  }

  JsonOut stringOrNull(final String value) {
    return value == null ? nothing() : string(value);
  }

  JsonOut bool(final boolean value) {
    return raw(out -> out.writeBoolean(value));
  }

  JsonOut nothing() {
    return raw(JsonGenerator::writeNull);
  }

  JsonOut u64(final long value) {
    return value >= 0
        ? raw(out -> out.writeNumber(value))
        : raw(out -> out.writeNumber(Long.toUnsignedString(value)));
  }

  JsonOut u64OrNull(final OptionalLong value) {
    return value.isPresent() ? u64(value.getAsLong()) : nothing();
  }

  JsonOut u32(final int value) {
    return u64(Integer.toUnsignedLong(value));
  }

  JsonOut u32OrNull(final OptionalInt value) {
    return value.isPresent() ? u32(value.getAsInt()) : nothing();
  }

  /** A number; null if it is not finite. */
  JsonOut f64(final double value) {
    return Double.isFinite(value) ? raw(out -> out.writeNumber(FloatText.of(value))) : nothing();
  }

  /** A number with the digits that a 32-bit float needs; null if it is not finite. */
  JsonOut f32(final float value) {
    return Float.isFinite(value) ? raw(out -> out.writeNumber(FloatText.of(value))) : nothing();
  }

  JsonOut u64List(final UnsignedLongs values) {
    raw(JsonGenerator::writeStartArray);
    for (int i = 0; i < values.size(); i++) {
      u64(values.get(i));
    }
    return raw(JsonGenerator::writeEndArray);
  }

  JsonOut u32List(final UnsignedInts values) {
    raw(JsonGenerator::writeStartArray);
    for (int i = 0; i < values.size(); i++) {
      u32(values.get(i));
    }
    return raw(JsonGenerator::writeEndArray);
  }

  /** An array; an element that is null is written as null. */
  <T> JsonOut list(final Iterable<T> values, final Writer<? super T> writer) {
    raw(JsonGenerator::writeStartArray);
    for (final T value : values) {
      orNull(value, writer);
    }
    return raw(JsonGenerator::writeEndArray);
  }

  <T> JsonOut orNull(final T value, final Writer<? super T> writer) {
    if (value == null) {
      return nothing();
    }
    writer.write(this, value);
    return this;
  }

  /** An object of one field, named after a variant. */
  <T> JsonOut variant(final String name, final T value, final Writer<? super T> writer) {
    beginObject().field(name);
    writer.write(this, value);
    return endObject();
  }

  /** A list of two numbers. */
  JsonOut pair(final long first, final long second) {
    raw(JsonGenerator::writeStartArray);
    u64(first).u64(second);
    return raw(JsonGenerator::writeEndArray);
  }

  /** A field that is left out if there is no list. */
  <T> JsonOut listUnlessNull(
      final String name, final List<T> values, final Writer<? super T> writer) {
    return values == null ? this : field(name).list(values, writer);
  }

  /** A field that is left out if there is no text. */
  JsonOut stringUnlessNull(final String name, final String value) {
    return value == null ? this : field(name).string(value);
  }

  /** A step of the generator. */
  @FunctionalInterface
  private interface Step {
    void apply(JsonGenerator generator) throws IOException;
  }

  private JsonOut raw(final Step step) {
    try {
      step.apply(generator);
    } catch (final IOException e) {
      throw unexpected(e);
    }
    return this;
  }

  private static String checked(final String value) {
    final int lone = Surrogates.firstLone(value);
    if (lone >= 0) {
      throw new IllegalArgumentException(
          "text has a surrogate without its partner: index=" + lone + " length=" + value.length());
    }
    return value;
  }

  private static UncheckedIOException unexpected(final IOException cause) {
    return new UncheckedIOException("cannot write to memory", cause);
  }
}
