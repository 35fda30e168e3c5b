package io.kvroute.cache;

import io.kvroute.hash.TokenView;
import io.kvroute.memory.SeededRun;
import java.util.ArrayList;
import java.util.List;

/** Makes prompts out of symbols: each symbol stands for one page of tokens. */
final class Prompts {
  private Prompts() {}

  /** A prompt of whole pages. */
  static TokenView of(final int pageSize, final int... symbols) {
    return withTail(pageSize, 0, symbols);
  }

  /** A prompt of whole pages and {@code tail} further tokens. */
  static TokenView withTail(final int pageSize, final int tail, final int... symbols) {
    final int[] tokens = new int[symbols.length * pageSize + tail];
    for (int i = 0; i < symbols.length * pageSize; i++) {
      tokens[i] = symbols[i / pageSize] * 1000 + i % pageSize;
    }
    return TokenView.of(tokens);
  }

  static TokenView of(final int pageSize, final List<Integer> symbols) {
    return of(pageSize, symbols.stream().mapToInt(Integer::intValue).toArray());
  }

  /** A random prompt, often one that shares a prefix with an earlier one. */
  static List<Integer> draw(
      final SeededRun run, final List<List<Integer>> earlier, final int most, final int symbols) {
    final List<Integer> prompt = new ArrayList<>();
    if (!earlier.isEmpty() && run.below(4) > 0) {
      final List<Integer> old = earlier.get(run.below(earlier.size()));
      prompt.addAll(old.subList(0, run.below(old.size() + 1)));
    }
    final int more = run.below(Math.max(1, most - prompt.size()) + 1);
    for (int i = 0; i < more && prompt.size() < most; i++) {
      prompt.add(run.below(symbols));
    }
    return prompt;
  }
}
