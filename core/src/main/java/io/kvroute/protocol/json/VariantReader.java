package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;

/** A variant whose name has been read: a text, or the only field of an object. */
final class VariantReader {
  private final JsonIn in;
  private final String type;
  private final String name;
  private final boolean isObject;

  VariantReader(final JsonIn in, final String type, final String name, final boolean isObject) {
    this.in = in;
    this.type = type;
    this.name = name;
    this.isObject = isObject;
  }

  String name() {
    return name;
  }

  /** Reads the content of the variant and the end of its object. */
  <T> T content(final JsonIn.Reader<T> reader) {
    if (!isObject) {
      throw error(Kind.TYPE, "variant is without its content");
    }
    final T content = reader.read(in);
    if (in.next() != JsonToken.END_OBJECT) {
      throw error(Kind.TYPE, "object goes on behind its variant");
    }
    return content;
  }

  /** Fails if the variant has content. */
  <T> T unit(final T value) {
    if (isObject) {
      throw error(Kind.DISGUISE, "variant without content is an object");
    }
    return value;
  }

  ProtocolJsonException unknown() {
    return in.unknownVariant(type, name);
  }

  private ProtocolJsonException error(final Kind kind, final String what) {
    return in.error(kind, what + ": variant=" + name + " type=" + type);
  }
}
