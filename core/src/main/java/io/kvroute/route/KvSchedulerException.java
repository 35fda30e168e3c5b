package io.kvroute.route;

/** A request could not be given to a worker. */
public final class KvSchedulerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final KvSchedulerError error;
  private final long workerId;

  /**
   * Makes one with the error's own message.
   *
   * @param error what happened
   * @param workerId the worker that the error is about, unsigned; 0 if it is about none
   */
  public KvSchedulerException(final KvSchedulerError error, final long workerId) {
    super(error.message(workerId));
    this.error = error;
    this.workerId = workerId;
  }

  /**
   * Makes one with a reason.
   *
   * @param error what happened
   * @param reason is added to the error's own message
   */
  public KvSchedulerException(final KvSchedulerError error, final String reason) {
    super(error.message(0) + ": " + reason);
    this.error = error;
    workerId = 0;
  }

  /** What happened. */
  public KvSchedulerError error() {
    return error;
  }

  /** The worker that the error is about, unsigned; 0 if it is about none. */
  public long workerId() {
    return workerId;
  }
}
