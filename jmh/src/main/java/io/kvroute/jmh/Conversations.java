package io.kvroute.jmh;

/**
 * Prompts of 8,192 tokens that continue conversations: each begins with one of 16 system prompts of
 * 128 blocks that every worker has, goes on with 320 blocks that one worker has, and ends with 64
 * blocks that are new.
 */
final class Conversations {
  static final int TOKENS = 8192;
  static final int WORKERS = 64;
  private static final int SYSTEM_PROMPTS = 16;
  private static final int SYSTEM_TOKENS = 128 * RoutingSubject.BLOCK_SIZE;
  private static final int NEW_TOKENS = 64 * RoutingSubject.BLOCK_SIZE;
  private static final int OWN_BLOCKS = 320;

  private final Prompt[] prompts;

  /** Makes so many that an index of them has at least {@code indexBlocks} blocks. */
  Conversations(final long indexBlocks) {
    prompts = new Prompt[(int) ((indexBlocks + OWN_BLOCKS - 1) / OWN_BLOCKS)];
    final Prompt[] systems = Prompt.distinct(SYSTEM_PROMPTS, SYSTEM_TOKENS);
    long next = (long) SYSTEM_PROMPTS * SYSTEM_TOKENS;
    for (int i = 0; i < prompts.length; i++) {
      prompts[i] = Prompt.numbered(next, TOKENS);
      next += TOKENS;
      final Prompt system = systems[i / WORKERS % SYSTEM_PROMPTS];
      System.arraycopy(system.tokens, 0, prompts[i].tokens, 0, SYSTEM_TOKENS);
    }
  }

  /** The prompt of a turn; turns go through the conversations over and over. */
  Prompt prompt(final long turn) {
    return prompts[(int) (turn % prompts.length)];
  }

  /**
   * The worker that has the conversation of a turn; turns go through the workers in their order.
   */
  int holder(final long turn) {
    return (int) (turn % prompts.length) % WORKERS;
  }

  /** Distinct blocks of an index of all of them. */
  long blocks() {
    final int systemPrompts = Math.min(SYSTEM_PROMPTS, (prompts.length + WORKERS - 1) / WORKERS);
    return (long) systemPrompts * SYSTEM_TOKENS / RoutingSubject.BLOCK_SIZE
        + (long) prompts.length * OWN_BLOCKS;
  }

  /** Lets the workers have their conversations. */
  void store(final RoutingSubject subject) {
    for (int i = 0; i < prompts.length; i++) {
      subject.store(i % WORKERS, new Prompt().wrap(prompts[i].tokens, TOKENS - NEW_TOKENS));
    }
  }
}
