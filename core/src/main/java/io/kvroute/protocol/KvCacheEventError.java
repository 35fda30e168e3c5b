package io.kvroute.protocol;

/** Why a cache event could not be applied. */
public enum KvCacheEventError {
  /** Blocks were stored behind a block that is not held. */
  PARENT_BLOCK_NOT_FOUND("failed to find parent block"),
  /** A block was removed that is not held. */
  BLOCK_NOT_FOUND("failed to find block"),
  /** The blocks of the event contradict each other or what is held. */
  INVALID_BLOCK_SEQUENCE("invalid block sequence");

  private final String message;

  KvCacheEventError(final String message) {
    this.message = message;
  }

  /** The reason in words. */
  public String message() {
    return message;
  }
}
