package io.kvroute.memory;

import org.agrona.DirectBuffer;

/**
 * Checks, before the first buffer is made, that the JVM was started with the one flag that Agrona 2
 * needs. Without it the first access would fail with an {@code IllegalAccessError} in the middle of
 * a request.
 */
public final class RuntimeAccess {

  /** The JVM argument without which no off-heap structure can be made. */
  public static final String REQUIRED_FLAG = "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED";

  private RuntimeAccess() {}

  /**
   * Fails unless {@code jdk.internal.misc} is open to Agrona. Costs a few nanoseconds; touches no
   * class of Agrona that would itself fail.
   *
   * @throws IllegalStateException if the flag is missing; the message names it
   */
  public static void check() {
    if (!Object.class.getModule().isOpen("jdk.internal.misc", DirectBuffer.class.getModule())) {
      throw missingFlag();
    }
  }

  private static IllegalStateException missingFlag() {
    return new IllegalStateException(
        "kvroute needs access to jdk.internal.misc: start the JVM with " + REQUIRED_FLAG);
  }
}
