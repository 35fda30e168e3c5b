package io.kvroute.index;

/** What became of an event. Anything but {@link #OK} is counted by kind. */
public enum ApplyResult {
  /** Applied, or there was nothing to do. */
  OK,
  /** A stored event names a parent that its source may not build on; nothing was applied. */
  PARENT_BLOCK_NOT_FOUND,
  /** A removed event names a block that is not held; the rest of it was applied. */
  BLOCK_NOT_FOUND,
  /**
   * A stored event names itself as parent, a hash twice, or a hash that its source holds for
   * another block; nothing was applied.
   */
  INVALID_BLOCK_SEQUENCE,
  /**
   * The index is full. Of a stored event nothing was applied; a removed event keeps the blocks that
   * could not be cut out, and the rest of it was applied.
   */
  CAPACITY_EXCEEDED,
  /** The bytes are no event; nothing was applied. */
  MALFORMED
}
