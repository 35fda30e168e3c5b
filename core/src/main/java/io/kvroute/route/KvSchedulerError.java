package io.kvroute.route;

/** Why a request could not be given to a worker. */
public enum KvSchedulerError {
  /** No worker may serve the request. */
  NO_ENDPOINTS("no endpoints available to route work", false),
  /** The queue is full. */
  QUEUE_REJECTED("request was rejected by the queue", true),
  /** Workers may serve the request, but all of them are overloaded. */
  ALL_ELIGIBLE_WORKERS_OVERLOADED("all eligible workers are overloaded", true),
  /** The worker that the request insists on is overloaded. */
  PINNED_WORKER_OVERLOADED("pinned worker %s is overloaded", true),
  /** The worker that the request insists on is not among those that it allows. */
  PINNED_WORKER_NOT_ALLOWED("pinned worker %s is not in allowed worker set", false),
  /** The router is shutting down. */
  SUBSCRIBER_SHUTDOWN("router is shutting down", false),
  /** A worker was selected, but the request could not be booked there. */
  BOOKING_FAILED("booking failed", false),
  /** The router could not start. */
  INIT_FAILED("router could not start", false),
  /** The request cannot be served by any worker: it is empty. */
  INVALID_REQUEST("request has no tokens", false);

  private final String text;
  private final boolean overload;

  KvSchedulerError(final String text, final boolean overload) {
    this.text = text;
    this.overload = overload;
  }

  /** True if the same request may succeed once there is less load. */
  public boolean isOverload() {
    return overload;
  }

  /** True if the error is about one worker, which the message then names. */
  public boolean namesWorker() {
    return this == PINNED_WORKER_OVERLOADED || this == PINNED_WORKER_NOT_ALLOWED;
  }

  /**
   * The message.
   *
   * @param workerId the worker that the error is about, unsigned; ignored if it is about none
   */
  public String message(final long workerId) {
    return namesWorker() ? text.replace("%s", Long.toUnsignedString(workerId)) : text;
  }
}
