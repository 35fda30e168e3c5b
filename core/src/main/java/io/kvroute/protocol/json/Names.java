package io.kvroute.protocol.json;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The names that the constants of an enum have in JSON: their own in lower case. */
final class Names<E extends Enum<E>> {
  private final String type;
  private final Map<E, String> names;
  private final Map<String, E> constants = new HashMap<>();

  Names(final Class<E> type) {
    this.type = type.getSimpleName();
    names = new EnumMap<>(type);
    for (final E constant : type.getEnumConstants()) {
      final String name = constant.name().toLowerCase(Locale.ROOT);
      names.put(constant, name);
      constants.put(name, constant);
    }
  }

  void write(final JsonOut out, final E constant) {
    out.string(names.get(constant));
  }

  E read(final JsonIn in) {
    final String name = in.unitVariant(type);
    final E constant = constants.get(name);
    if (constant == null) {
      throw in.unknownVariant(type, name);
    }
    return constant;
  }
}
