package io.kvroute.jmh;

import io.kvroute.hash.TokenView;

/**
 * Tokens of a request in the two forms that subjects read: an array from its start, and a view over
 * it. Wrapping allocates nothing.
 */
final class Prompt {
  final TokenView view = new TokenView();
  int[] tokens;
  int count;

  /** Consecutive tokens of W2's endless sequence, from number {@code first} on. */
  static Prompt numbered(final long first, final int count) {
    final int[] tokens = new int[count];
    for (int j = 0; j < count; j++) {
      tokens[j] = (int) (((first + j) * 0x9E3779B97F4A7C15L) >>> 40);
    }
    return new Prompt().wrap(tokens, count);
  }

  /** Prompts of {@code length} tokens each that have no page in common. */
  static Prompt[] distinct(final int prompts, final int length) {
    final Prompt[] made = new Prompt[prompts];
    for (int p = 0; p < prompts; p++) {
      made[p] = numbered((long) p * length, length);
    }
    return made;
  }

  /** Shows the first {@code newCount} tokens of an array. */
  Prompt wrap(final int[] newTokens, final int newCount) {
    tokens = newTokens;
    count = newCount;
    view.wrap(newTokens, 0, newCount);
    return this;
  }

  /** Shows more or fewer tokens of the same array. */
  Prompt length(final int newCount) {
    return wrap(tokens, newCount);
  }
}
