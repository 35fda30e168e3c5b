package io.kvroute.protocol;

/**
 * An engine's name of a block in its sequence. It is a {@code long} whose bits are an unsigned
 * 64-bit number; how the engine computes it is not known to the router.
 */
public final class ExternalSequenceBlockHash {
  private ExternalSequenceBlockHash() {}

  /**
   * The name that an engine publishes as a signed number: the same bits, so that -1 is 2^64-1.
   *
   * @param hash signed 64-bit
   * @return unsigned 64-bit
   */
  public static long fromSigned(final long hash) {
    return hash;
  }
}
