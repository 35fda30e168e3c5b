package io.kvroute.route;

/** Ranges of configuration fields. A value that is not a number is in no range. */
final class Checks {
  private Checks() {}

  static void notNegative(final String field, final double value) {
    if (!(value >= 0.0) || value == Double.POSITIVE_INFINITY) {
      throw outOfRange(field, "a finite number from 0 on", Double.toString(value));
    }
  }

  static void fraction(final String field, final double value) {
    if (!(value >= 0.0 && value <= 1.0)) {
      throw outOfRange(field, "0 to 1", Double.toString(value));
    }
  }

  /** For an unsigned number. */
  static void positive(final String field, final long value) {
    if (value == 0) {
      throw outOfRange(field, "from 1 on", "0");
    }
  }

  static void needs(
      final boolean isSet, final String field, final boolean holds, final String condition) {
    if (isSet && !holds) {
      throw new KvRouterConfigException(
          field, "configuration contradicts itself: field=" + field + " needs=" + condition);
    }
  }

  private static KvRouterConfigException outOfRange(
      final String field, final String range, final String value) {
    return new KvRouterConfigException(
        field,
        "configuration out of range: field=" + field + " value=" + value + " range=" + range);
  }
}
