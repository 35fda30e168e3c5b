package io.kvroute.protocol;

import java.util.Objects;

/**
 * A step in the life of a request, as one router tells the others.
 *
 * @param requestId of the request
 * @param worker that it was routed to
 * @param data the step
 * @param routerId of the router that tells, unsigned 64-bit
 * @param loraName name of the adapter, or null
 */
public record ActiveSequenceEvent(
    String requestId,
    WorkerWithDpRank worker,
    ActiveSequenceEventData data,
    long routerId,
    String loraName) {
  /** Checks that id, worker and data are there. */
  public ActiveSequenceEvent {
    Objects.requireNonNull(requestId, "requestId");
    Objects.requireNonNull(worker, "worker");
    Objects.requireNonNull(data, "data");
  }
}
