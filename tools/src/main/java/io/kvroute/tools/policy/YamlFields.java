package io.kvroute.tools.policy;

import io.kvroute.tools.io.InputException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;

/**
 * A mapping of a YAML text, whose every error says where it is. Null stands for a field that is not
 * there.
 */
final class YamlFields {
  private static final int MAX_BITS = 64;

  private final String path;
  private final Map<?, ?> fields;

  private YamlFields(final String path, final Map<?, ?> fields) {
    this.path = path;
    this.fields = fields;
  }

  /** A value that must be a mapping with no fields but these. */
  static YamlFields of(final String path, final Object value, final Set<String> known) {
    final YamlFields fields = ofAny(path, value);
    for (final Object name : fields.fields.keySet()) {
      if (!(name instanceof String) || !known.contains(name)) {
        throw new InputException(path + ": field is not known: " + name);
      }
    }
    return fields;
  }

  /** A value that must be a mapping, whatever its fields. */
  static YamlFields ofAny(final String path, final Object value) {
    if (value instanceof Map<?, ?> map) {
      return new YamlFields(path, map);
    }
    throw new InputException(path + " must be a mapping");
  }

  String path() {
    return path;
  }

  /** The names of the fields, which must be texts. */
  List<String> names() {
    return fields.keySet().stream()
        .map(
            name -> {
              if (name instanceof String text) {
                return text;
              }
              throw new InputException(path + ": name must be a text: " + name);
            })
        .toList();
  }

  Object get(final String name) {
    return fields.get(name);
  }

  boolean has(final String name) {
    return fields.get(name) != null;
  }

  private InputException error(final String name, final String what) {
    return new InputException(path + ": " + name + " must be " + what);
  }

  /** A text, or null. */
  String textOrNull(final String name) {
    final Object value = fields.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw error(name, "a text");
  }

  String text(final String name) {
    final String value = textOrNull(name);
    if (value == null) {
      throw error(name, "given");
    }
    return value;
  }

  /** A list, empty if it is not there. */
  List<?> list(final String name) {
    final Object value = fields.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw error(name, "a list");
  }

  /** An unsigned 64-bit number. */
  long u64(final String name) {
    if (!has(name)) {
      throw error(name, "given");
    }
    final Object value = fields.get(name);
    if (value instanceof Integer || value instanceof Long) {
      final long number = ((Number) value).longValue();
      if (number >= 0) {
        return number;
      }
    }
    if (value instanceof BigInteger big && big.signum() >= 0 && big.bitLength() <= MAX_BITS) {
      return big.longValue();
    }
    throw error(name, "a whole number from 0 to 2^64-1");
  }

  /** Hands an unsigned 64-bit number on, if it is there. */
  void u64(final String name, final LongConsumer taker) {
    if (has(name)) {
      taker.accept(u64(name));
    }
  }

  /** Hands a number on, if it is there. */
  void f64(final String name, final DoubleConsumer taker) {
    final Object value = fields.get(name);
    if (value instanceof Number number) {
      taker.accept(number.doubleValue());
    } else if (value != null) {
      throw error(name, "a number");
    }
  }
}
