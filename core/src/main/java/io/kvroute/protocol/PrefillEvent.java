package io.kvroute.protocol;

import java.util.Objects;

/**
 * A step of a request's prefill, as one router tells the others.
 *
 * @param requestId of the request
 * @param workerId that prefills, unsigned 64-bit
 * @param data the step
 * @param routerId of the router that tells, unsigned 64-bit
 */
public record PrefillEvent(String requestId, long workerId, PrefillEventData data, long routerId) {
  /** Checks that id and data are there. */
  public PrefillEvent {
    Objects.requireNonNull(requestId, "requestId");
    Objects.requireNonNull(data, "data");
  }
}
