package io.kvroute.route;

/** Is told what became of requests that had to wait. Must not call the router. */
@FunctionalInterface
public interface RouteListener {
  /**
   * A request has left the queue: it is {@link RouteOutcome#ROUTED} or {@link RouteOutcome#FAILED},
   * and the caller's again. If this throws when it was routed, the booking is taken back; calling
   * the router throws.
   */
  void onAnswer(RouteRequest request);
}
