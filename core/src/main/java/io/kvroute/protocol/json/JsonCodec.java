package io.kvroute.protocol.json;

import io.kvroute.protocol.json.ProtocolJsonException.Kind;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads and writes one type of the vocabulary. Thread-safe. Allocates in proportion to the text.
 *
 * @param <T> the type
 */
public final class JsonCodec<T> {
  private final String name;
  private final TextReader<T> reader;
  private final JsonOut.Writer<? super T> writer;

  /** Reads a whole text. */
  @FunctionalInterface
  private interface TextReader<T> {
    T read(char[] text);
  }

  /** Reads the fields of an object whose inner tag is known. */
  @FunctionalInterface
  interface TaggedReader<T> {
    T read(JsonIn in, String tag);
  }

  private JsonCodec(
      final String name, final TextReader<T> reader, final JsonOut.Writer<? super T> writer) {
    this.name = name;
    this.reader = reader;
    this.writer = writer;
  }

  static <T> JsonCodec<T> plain(
      final String name, final JsonIn.Reader<T> reader, final JsonOut.Writer<? super T> writer) {
    return new JsonCodec<>(name, text -> readPlain(text, reader), writer);
  }

  /**
   * A codec of objects in which one field names the variant. The field can be anywhere, so that the
   * text is read twice: for the tag, then for the fields.
   */
  static <T> JsonCodec<T> tagged(
      final String name,
      final String tagField,
      final TaggedReader<T> reader,
      final JsonOut.Writer<? super T> writer) {
    return new JsonCodec<>(name, text -> readTagged(text, name, tagField, reader), writer);
  }

  private static <T> T readPlain(final char[] text, final JsonIn.Reader<T> reader) {
    try (JsonIn in = new JsonIn(text, false)) {
      final T value = reader.read(in);
      in.expectEnd();
      return value;
    }
  }

  private static <T> T readTagged(
      final char[] text, final String name, final String tagField, final TaggedReader<T> reader) {
    final String tag;
    try (JsonIn in = new JsonIn(text, true)) {
      tag = in.tag(name, tagField);
      in.expectEnd();
    }
    try (JsonIn in = new JsonIn(text, true)) {
      return reader.read(in, tag);
    }
  }

  /** The name of the type. */
  public String name() {
    return name;
  }

  /**
   * Writes a value, without blanks.
   *
   * @throws IllegalArgumentException if the value has no JSON form: a text in it is not Unicode, or
   *     it is a map with keys that are not texts
   */
  public String write(final T value) {
    final JsonOut out = new JsonOut();
    writer.write(out, Objects.requireNonNull(value, "value"));
    return out.finish();
  }

  /**
   * Reads a value. There may be blanks around it, and nothing else.
   *
   * @throws ProtocolJsonException if the text is not the JSON of a value of the type
   */
  public T read(final String json) {
    return reader.read(json.toCharArray());
  }

  /**
   * Reads a value from UTF-8.
   *
   * @throws ProtocolJsonException if the bytes are not UTF-8, or not the JSON of a value of the
   *     type
   * @throws IndexOutOfBoundsException if the range is not inside the array
   */
  public T read(final byte[] utf8, final int offset, final int length) {
    Objects.checkFromIndexSize(offset, length, utf8.length);
    final CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    final ByteBuffer bytes = ByteBuffer.wrap(utf8, offset, length);
    final CharBuffer chars = CharBuffer.allocate(length);
    final CoderResult result = decoder.decode(bytes, chars, true);
    if (result.isError()) {
      throw notUtf8(chars.flip(), bytes.position() - offset);
    }
    return reader.read(Arrays.copyOf(chars.array(), chars.position()));
  }

  private static ProtocolJsonException notUtf8(final CharBuffer before, final int byteIndex) {
    int line = 1;
    int column = 1;
    while (before.hasRemaining()) {
      column++;
      if (before.get() == '\n') {
        line++;
        column = 1;
      }
    }
    final String message =
        "text is not utf-8: byte=" + byteIndex + " line=" + line + " column=" + column;
    return new ProtocolJsonException(Kind.SYNTAX, message, line, column, null);
  }
}
