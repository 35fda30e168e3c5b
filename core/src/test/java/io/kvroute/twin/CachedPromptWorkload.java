package io.kvroute.twin;

import java.util.function.Function;

/** W2: 48 prompts, each of which is found whole from the second round on. */
final class CachedPromptWorkload extends Workload {
  private static final int PROMPTS = 48;
  private static final int LENGTH = 1_024;

  private final int[] tokens = new int[LENGTH];
  private int request;

  CachedPromptWorkload(final Function<KvSubject.Config, KvSubject> maker) {
    super(maker, 65_536, 16);
  }

  @Override
  void step() {
    final long prompt = request++ % PROMPTS;
    for (int j = 0; j < LENGTH; j++) {
      tokens[j] = token(prompt * 1_024 + j);
    }
    if (!allocate(0, tokens, LENGTH)) {
      throw new IllegalStateException("a prompt was refused: request=" + request);
    }
    subject.finish(0, tokens, LENGTH);
  }

  private static int token(final long number) {
    return (int) ((number * 0x9E3779B97F4A7C15L) >>> 40);
  }
}
