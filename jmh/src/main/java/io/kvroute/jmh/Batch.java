package io.kvroute.jmh;

/**
 * Many requests of one length, so that an operation that cannot be repeated on one request is
 * measured on all of them in a row, and undone for all of them outside the clock.
 */
final class Batch implements AutoCloseable {
  /** Requests of a batch: the operations of one invocation. */
  static final int REQUESTS = 1024;

  final Subject subject;
  private final Prompt[] prompts = new Prompt[REQUESTS];
  private final Prompt[] longer = new Prompt[REQUESTS];

  /**
   * Makes a batch and its subject, whose pool holds all distinct prompts at their longer length.
   *
   * @param distinct how many prompts have no page in common; requests share them in turn
   * @param pages of a prompt
   * @param morePages that a longer prompt has in addition
   */
  Batch(
      final Subject.Maker maker,
      final String sink,
      final int distinct,
      final int pages,
      final int morePages) {
    final int length = (pages + morePages) * Subject.PAGE_SIZE;
    final Prompt[] made = Prompt.distinct(distinct, length);
    for (int i = 0; i < REQUESTS; i++) {
      longer[i] = made[i % distinct];
      prompts[i] = new Prompt().wrap(longer[i].tokens, pages * Subject.PAGE_SIZE);
    }
    subject = maker.make((long) distinct * length, sink, REQUESTS);
  }

  /** Serves one request from allocation to finish, so that its prompt is cached. */
  void cache(final int request) {
    subject.allocate(prompts[request], request);
    subject.finish(prompts[request], request);
  }

  /** Allocates for all requests; answers the sum of the prefixes found. */
  long allocate() {
    long sum = 0;
    for (int i = 0; i < REQUESTS; i++) {
      sum += subject.allocate(prompts[i], i);
    }
    return sum;
  }

  /** Extends all allocations to the longer prompts; answers how many were. */
  long extendAllocation() {
    long extended = 0;
    for (int i = 0; i < REQUESTS; i++) {
      extended += subject.extendAllocation(longer[i], i) ? 1 : 0;
    }
    return extended;
  }

  /** Extends all cached prefixes. */
  void extendCachedPrefix() {
    for (int i = 0; i < REQUESTS; i++) {
      subject.extendCachedPrefix(prompts[i], i);
    }
  }

  /** Finishes all requests. */
  void finish() {
    for (int i = 0; i < REQUESTS; i++) {
      subject.finish(prompts[i], i);
    }
  }

  /** Ends all requests that run, without caching more of them; answers how many made room. */
  long abort() {
    long released = 0;
    for (int i = 0; i < REQUESTS; i++) {
      if (subject.tokenCount(i) > 0) {
        released += subject.abort(i) ? 1 : 0;
      }
    }
    return released;
  }

  @Override
  public void close() {
    subject.close();
  }
}
