package io.kvroute.protocol;

import java.util.List;

/**
 * Cache events of a worker, and whether its cache is about to go.
 *
 * @param events in their order
 * @param shutdown whether the cache is shutting down
 */
public record KvCacheEvents(List<KvCacheEvent> events, boolean shutdown) {
  /** Copies the list. */
  public KvCacheEvents {
    events = List.copyOf(events);
  }
}
