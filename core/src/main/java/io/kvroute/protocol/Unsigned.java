package io.kvroute.protocol;

import java.util.OptionalInt;
import java.util.OptionalLong;

/** Texts of optional unsigned numbers. */
final class Unsigned {
  private static final String NONE = "none";

  private Unsigned() {}

  static String text(final OptionalLong value) {
    return value.isPresent() ? Long.toUnsignedString(value.getAsLong()) : NONE;
  }

  static String text(final OptionalInt value) {
    return value.isPresent() ? Integer.toUnsignedString(value.getAsInt()) : NONE;
  }
}
