package io.kvroute.tools.io;

/**
 * What the user gave cannot be used: a file that is missing or damaged, a value out of range. The
 * message is one sentence that the command line prints as it is; the exit code is 2.
 */
public final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes the error from its sentence. */
  public InputException(final String message) {
    super(message);
  }

  /** Makes the error from its sentence and what led to it. */
  public InputException(final String message, final Throwable cause) {
    super(message, cause);
  }
}
