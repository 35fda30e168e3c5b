package io.kvroute.tools;

import io.kvroute.tools.io.InputException;

/** Checks that options have in common. */
final class Options {

  private Options() {}

  static void require(
      final String option, final String range, final boolean isInRange, final Object value) {
    if (!isInRange) {
      throw new InputException(option + " must be " + range + ": " + value);
    }
  }
}
