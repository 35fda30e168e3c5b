package io.kvroute.index;

/**
 * A file is no snapshot that can be restored: it is cut short or too long, some of its bytes were
 * changed, it is of another kind or version, or what it says contradicts itself. The message says
 * what was found and what was expected.
 */
public final class SnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SnapshotException(final String message) {
    super(message);
  }
}
