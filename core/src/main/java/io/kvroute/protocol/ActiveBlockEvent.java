package io.kvroute.protocol;

import java.util.Objects;

/**
 * A change of a request's blocks.
 *
 * @param requestId of the request
 * @param data the change
 */
public record ActiveBlockEvent(String requestId, ActiveBlockEventData data) {
  /** Checks that id and data are there. */
  public ActiveBlockEvent {
    Objects.requireNonNull(requestId, "requestId");
    Objects.requireNonNull(data, "data");
  }
}
