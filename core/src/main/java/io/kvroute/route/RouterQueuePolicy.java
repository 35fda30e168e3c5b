package io.kvroute.route;

/** The order in which requests of one class leave the queue. */
public enum RouterQueuePolicy {
  /** First come, first served; a priority is a head start in seconds. */
  FCFS,
  /** Last come, first served. */
  LCFS,
  /** Short uncached prompts first, weighted by priority. */
  WSPT
}
