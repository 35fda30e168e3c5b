package io.kvroute.memory;

/** A structure or an arena was asked for more than it was given; nothing was changed. */
public final class CapacityExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param message what was asked for and what the limit is, with numbers
   */
  public CapacityExceededException(final String message) {
    super(message);
  }
}
