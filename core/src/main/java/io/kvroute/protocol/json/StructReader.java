package io.kvroute.protocol.json;

import com.fasterxml.jackson.core.JsonToken;
import io.kvroute.protocol.json.ProtocolJsonException.Kind;

/**
 * Walks over the fields of an object: skips those that the struct does not have, refuses those that
 * come twice, and at the end those that are missing.
 */
final class StructReader {
  private final JsonIn in;
  private final Shape shape;
  private long seen;
  private String name;

  StructReader(final JsonIn in, final Shape shape) {
    this.in = in;
    this.shape = shape;
  }

  /** Moves to the value of the next field that the struct has; false behind the last one. */
  boolean next() {
    while (in.next() == JsonToken.FIELD_NAME) {
      name = in.fieldName();
      final long bit = shape.bit(name);
      if ((seen & bit) != 0) {
        throw error(Kind.DUPLICATE_FIELD, "duplicate field");
      }
      if (bit == 0 && shape.isClosed()) {
        throw error(Kind.UNKNOWN_FIELD, "unknown field");
      }
      seen |= bit;
      in.next();
      if (bit != 0) {
        return true;
      }
      in.skip();
    }
    name = shape.firstMissing(seen);
    if (name != null) {
      throw error(Kind.MISSING_FIELD, "missing field");
    }
    return false;
  }

  /** The name of the field whose value comes. */
  String name() {
    return name;
  }

  private ProtocolJsonException error(final Kind kind, final String what) {
    return in.error(kind, what + ": field=" + JsonIn.abbreviated(name) + " type=" + shape.type());
  }
}
