package io.kvroute.protocol;

import java.util.concurrent.CompletionStage;

/**
 * Where cache events go that routers are to see. An implementation is safe for use by several
 * threads.
 */
public interface RouterEventSink {
  /** The subject under which workers publish cache events. */
  String KV_EVENT_SUBJECT = "kv-events";

  /**
   * Publishes one event.
   *
   * @param event to publish
   * @return completes when the event has been published, or with what went wrong
   */
  CompletionStage<Void> publishEvent(RouterEvent event);
}
