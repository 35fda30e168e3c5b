package io.kvroute.protocol;

import java.util.List;
import java.util.Objects;

/** What a router answers to a {@link RouterRequest}. */
public sealed interface RouterResponse
    permits RouterResponse.New,
        RouterResponse.QueueRejected,
        RouterResponse.PrefillMarked,
        RouterResponse.FreeMarked,
        RouterResponse.PotentialLoads {

  /**
   * Where the prompt goes.
   *
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param overlapBlocks leading blocks that the worker holds, unsigned 32-bit
   */
  record New(long workerId, int dpRank, int overlapBlocks) implements RouterResponse {
    @Override
    public String toString() {
      return "New[workerId="
          + Long.toUnsignedString(workerId)
          + ", dpRank="
          + Integer.toUnsignedString(dpRank)
          + ", overlapBlocks="
          + Integer.toUnsignedString(overlapBlocks)
          + ']';
    }
  }

  /**
   * The prompt was not taken, because its queue is full.
   *
   * @param rejection says which limit was reached
   */
  record QueueRejected(QueueRejection rejection) implements RouterResponse {
    /** Checks that there is a rejection. */
    public QueueRejected {
      Objects.requireNonNull(rejection, "rejection");
    }
  }

  /**
   * Answer to {@link RouterRequest.MarkPrefill}.
   *
   * @param success false if the request is not known
   */
  record PrefillMarked(boolean success) implements RouterResponse {}

  /**
   * Answer to {@link RouterRequest.MarkFree}.
   *
   * @param success false if the request is not known
   */
  record FreeMarked(boolean success) implements RouterResponse {}

  /**
   * Answer to {@link RouterRequest.PotentialLoads}.
   *
   * @param loads of every worker that the router tracks
   * @param pendingCount requests parked at this router, unsigned 64-bit
   * @param pendingIslTokens input tokens of those requests, unsigned 64-bit
   */
  record PotentialLoads(List<PotentialLoad> loads, long pendingCount, long pendingIslTokens)
      implements RouterResponse {
    /** Copies the list. */
    public PotentialLoads {
      loads = List.copyOf(loads);
    }

    @Override
    public String toString() {
      return "PotentialLoads[loads="
          + loads
          + ", pendingCount="
          + Long.toUnsignedString(pendingCount)
          + ", pendingIslTokens="
          + Long.toUnsignedString(pendingIslTokens)
          + ']';
    }
  }
}
