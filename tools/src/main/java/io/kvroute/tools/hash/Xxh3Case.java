package io.kvroute.tools.hash;

/**
 * Bytes, a seed, and their XXH3-64. The bytes are shared with the caller, who leaves them alone.
 */
public final class Xxh3Case {
  private final byte[] input;
  private final long seed;
  private final long expected;

  Xxh3Case(final byte[] input, final long seed, final long expected) {
    this.input = input;
    this.seed = seed;
    this.expected = expected;
  }

  /** The bytes. */
  public byte[] input() {
    return input;
  }

  /** The seed, unsigned 64-bit. */
  public long seed() {
    return seed;
  }

  /** The hash that is right, unsigned 64-bit. */
  public long expected() {
    return expected;
  }
}
