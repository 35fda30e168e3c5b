package io.kvroute.load;

import io.kvroute.protocol.ActiveSequenceEvent;

/**
 * Is told what other routers should know of this one's requests. A listener that throws does no
 * harm; that is counted.
 */
public interface ReplicaListener {
  /** A request was added or freed here, or its prefill is done. */
  void onEvent(ActiveSequenceEvent event);
}
