package io.kvroute.protocol;

/** What a cache event announces. */
public enum KvEventType {
  /** Blocks were added to a worker's cache. */
  STORED(KvEventLayout.TYPE_STORED),
  /** Blocks were taken out of a worker's cache. */
  REMOVED(KvEventLayout.TYPE_REMOVED),
  /** A worker's cache was emptied. */
  CLEARED(KvEventLayout.TYPE_CLEARED);

  private static final KvEventType[] BY_CODE = {null, STORED, REMOVED, CLEARED};

  private final byte code;

  KvEventType(final byte code) {
    this.code = code;
  }

  /** The number that stands for this type in the binary layout. */
  byte code() {
    return code;
  }

  /** The type that a number of the binary layout stands for, or null if there is none. */
  static KvEventType ofCode(final int code) {
    return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
  }
}
