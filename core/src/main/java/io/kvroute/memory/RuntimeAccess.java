package io.kvroute.memory;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Checks, before the first buffer is made, that the JVM was started with the one flag that Agrona 2
 * needs. Without it the first access would fail with an {@code IllegalAccessError} in the middle of
 * a request.
 */
public final class RuntimeAccess {

  /** The JVM argument without which no off-heap structure can be made. */
  public static final String REQUIRED_FLAG = "--add-opens java.base/jdk.internal.misc=ALL-UNNAMED";

  // Settled once, so that a check costs nothing once it is compiled, and so that the offsets below
  // are right whenever a check passes.
  private static final boolean OPEN =
      Object.class.getModule().isOpen("jdk.internal.misc", DirectBuffer.class.getModule());

  private RuntimeAccess() {}

  /**
   * Fails unless {@code jdk.internal.misc} is open to Agrona. Costs nothing on a hot path; touches
   * no class of Agrona that would itself fail.
   *
   * @throws IllegalStateException if the flag is missing; the message names it
   */
  public static void check() {
    if (!OPEN) {
      throw missingFlag();
    }
  }

  /**
   * Where the elements of an array begin. For constants of classes whose methods {@link #check()}:
   * it does not fail without the flag, because an exception while a class is being initialised
   * would reach the caller in a wrapping that hides what is missing.
   *
   * @param arrayType for example {@code byte[].class}
   * @return the offset in bytes, 0 without the flag
   */
  public static long arrayBaseOffset(final Class<?> arrayType) {
    return OPEN ? UnsafeApi.arrayBaseOffset(arrayType) : 0;
  }

  private static IllegalStateException missingFlag() {
    return new IllegalStateException(
        "kvroute needs access to jdk.internal.misc: start the JVM with " + REQUIRED_FLAG);
  }
}
