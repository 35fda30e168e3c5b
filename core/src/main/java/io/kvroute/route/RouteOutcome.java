package io.kvroute.route;

/** What has become of a {@link RouteRequest}. */
public enum RouteOutcome {
  /** Nothing yet, or it was taken back while it waited. */
  UNROUTED,
  /** A rank was selected; unless it was a query, the request is booked there. */
  ROUTED,
  /** It waits in the router's queue. */
  PARKED,
  /** It was not let into the queue; {@link RouteRequest#rejection} says why. */
  REJECTED,
  /** It can go nowhere; {@link RouteRequest#error} says why. */
  FAILED
}
