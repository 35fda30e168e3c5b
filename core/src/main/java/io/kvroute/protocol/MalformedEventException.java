package io.kvroute.protocol;

/**
 * Bytes that claim to be a cache event are none: a length, count, version, type, tier or flag is
 * wrong. Whoever read them is unchanged.
 */
public final class MalformedEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param message what is wrong, with the numbers found
   */
  public MalformedEventException(final String message) {
    super(message);
  }
}
