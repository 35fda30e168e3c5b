package io.kvroute.protocol.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fields of a struct: their names, which of them have a default, and whether others may be. */
final class Shape {
  private static final int MAX_FIELDS = Long.SIZE;

  private final String type;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private boolean closed;
  private long required;

  private Shape(final String type) {
    this.type = type;
  }

  /** A struct with fields that must be there. */
  static Shape of(final String type, final String... required) {
    final Shape shape = new Shape(type).add(required);
    shape.required = (1L << required.length) - 1;
    return shape;
  }

  /** Adds fields that have a default. */
  Shape optional(final String... fields) {
    return add(fields);
  }

  /** Refuses fields that are not named. */
  Shape closed() {
    closed = true;
    return this;
  }

  private Shape add(final String... fields) {
    for (final String field : fields) {
      indexes.put(field, names.size());
      names.add(field);
    }
    if (names.size() >= MAX_FIELDS) {
      throw new IllegalStateException("too many fields: type=" + type + " fields=" + names);
    }
    return this;
  }

  String type() {
    return type;
  }

  boolean isClosed() {
    return closed;
  }

  /** The bit of a field, 0 if there is none of that name. */
  long bit(final String field) {
    final Integer index = indexes.get(field);
    return index == null ? 0 : 1L << index;
  }

  /** The first required field whose bit is not set, or null. */
  String firstMissing(final long seen) {
    final long missing = required & ~seen;
    return missing == 0 ? null : names.get(Long.numberOfTrailingZeros(missing));
  }
}
