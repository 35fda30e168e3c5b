package io.kvroute.protocol;

import java.util.Objects;

/**
 * Why a request was not parked: its class had reached a limit.
 *
 * @param policyClass name of the class
 * @param limitKind which limit
 * @param current what the class held, unsigned 64-bit
 * @param limit what it may hold, unsigned 64-bit
 */
public record QueueRejection(
    String policyClass, QueueLimitKind limitKind, long current, long limit) {
  /** The status with which an HTTP front end answers. */
  public static final int HTTP_STATUS = 529;

  /** Checks that class and kind are there. */
  public QueueRejection {
    Objects.requireNonNull(policyClass, "policyClass");
    Objects.requireNonNull(limitKind, "limitKind");
  }

  @Override
  public String toString() {
    return "QueueRejection[policyClass="
        + policyClass
        + ", limitKind="
        + limitKind
        + ", current="
        + Long.toUnsignedString(current)
        + ", limit="
        + Long.toUnsignedString(limit)
        + ']';
  }
}
