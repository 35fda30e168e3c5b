package io.kvroute.jmh;

/**
 * A manager under measurement, with the leases that a benchmark needs, by number: ours, or the
 * control. A benchmark's steps are written once, against this class, and so are the same for both.
 * A fork makes one of them only, and the compiler sees straight through.
 */
abstract class Subject implements AutoCloseable {
  /** Tokens per page, in every benchmark of a manager. */
  static final int PAGE_SIZE = 16;

  /** Makes a subject. */
  interface Maker {
    /**
     * Makes a subject.
     *
     * @param sink {@code none}, or {@code count} for one that takes every event and counts
     * @param leases how many there are, from number 0 on
     */
    Subject make(long poolTokens, String sink, int leases);
  }

  /** What the parameter {@code sink} means. */
  static boolean counts(final String sink) {
    return switch (sink) {
      case "none" -> false;
      case "count" -> true;
      default -> throw new IllegalArgumentException("no such sink: sink=" + sink);
    };
  }

  abstract long allocate(Prompt prompt, int lease);

  abstract boolean extendAllocation(Prompt prompt, int lease);

  abstract void extendCachedPrefix(Prompt prompt, int lease);

  /**
   * One token, as the workloads decode it: reserve a page at a page boundary and none elsewhere, if
   * refused after the eviction of one; extend; release the reservation.
   */
  abstract void decode(int lease);

  abstract void finish(Prompt prompt, int lease);

  abstract boolean abort(int lease);

  abstract void evict(long tokens);

  abstract long match(Prompt prompt);

  abstract long prefixMatchLen(Prompt prompt);

  abstract long tokenCount(int lease);

  abstract long cachedTokens(int lease);

  abstract long availableTokens();

  abstract long evictableTokens();

  abstract long protectedTokens();

  abstract long nodes();

  abstract long storedBlocks();

  abstract long removedBlocks();

  abstract long hashedBlocks();

  @Override
  public abstract void close();
}
