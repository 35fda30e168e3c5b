package io.kvroute.twin;

import java.util.List;

/** An event of a manager as plain values, so that two managers' events can be compared. */
sealed interface TwinEvent {
  /** Number of the event, from 0 on. */
  long eventId();

  /** Blocks became available. A block without a predecessor has no parent. */
  record Stored(
      long eventId, boolean hasParent, long parent, List<Long> blockHashes, List<Long> tokensHashes)
      implements TwinEvent {
    public Stored {
      blockHashes = List.copyOf(blockHashes);
      tokensHashes = List.copyOf(tokensHashes);
    }
  }

  /** Blocks went away. */
  record Removed(long eventId, List<Long> blockHashes) implements TwinEvent {
    public Removed {
      blockHashes = List.copyOf(blockHashes);
    }
  }
}
