package io.kvroute.protocol;

import java.util.Comparator;

/**
 * Orders texts by their UTF-8 bytes. That is the order of their code points, and differs from the
 * order of {@link String#compareTo} where a surrogate pair meets a character above U+DFFF.
 */
final class CodePointOrder {
  static final Comparator<String> INSTANCE = CodePointOrder::compare;

  private static final int SURROGATE_FIX = 0x2000;

  private CodePointOrder() {}

  private static int compare(final String left, final String right) {
    final int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      final char a = left.charAt(i);
      final char b = right.charAt(i);
      if (a != b) {
        return rank(a) - rank(b);
      }
    }
    return left.length() - right.length();
  }

  /** Moves surrogates, which stand for the highest code points, above all other characters. */
  private static int rank(final char unit) {
    if (unit < Character.MIN_SURROGATE) {
      return unit;
    }
    return unit <= Character.MAX_SURROGATE
        ? unit + SURROGATE_FIX
        : unit - (Character.MAX_SURROGATE - Character.MIN_SURROGATE + 1);
  }
}
