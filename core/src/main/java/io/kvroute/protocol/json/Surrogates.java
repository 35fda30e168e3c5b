package io.kvroute.protocol.json;

/** Tells whether a text is one that UTF-8 can carry. */
final class Surrogates {
  private Surrogates() {}

  /** The index of the first surrogate without its partner; negative if there is none. */
  static int firstLone(final CharSequence text) {
    final int length = text.length();
    for (int i = 0; i < length; i++) {
      final char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        if (Character.isLowSurrogate(unit)
            || i + 1 == length
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
