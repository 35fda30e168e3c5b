package io.kvroute.tools.generate;

import io.kvroute.tools.io.InputException;

/**
 * What the built-in trace is made from.
 *
 * @param seed any number
 * @param requests how many requests there are at most, not negative
 * @param blockSize tokens per hash id, from 1 to 65536
 * @param sessions how many sessions begin at most, at least 1
 * @param turns mean number of turns of a conversation after its first, from 0 to 30; with 0 tool
 *     loops are one request too
 * @param sharedPrompts how many system prompts the sessions share, from 0 to 4096
 * @param sessionGapMillis mean time between the starts of two sessions in milliseconds, from 1 to
 *     3600000
 */
public record GeneratorSettings(
    long seed,
    long requests,
    long blockSize,
    long sessions,
    int turns,
    int sharedPrompts,
    long sessionGapMillis) {

  /** Largest mean number of further turns. */
  public static final int MAX_TURNS = 30;

  /** Largest number of shared prompts. */
  public static final int MAX_SHARED_PROMPTS = 4_096;

  /** Largest mean time between two sessions in milliseconds. */
  public static final long MAX_SESSION_GAP = 3_600_000;

  /**
   * Checks the ranges.
   *
   * @throws InputException if a value is out of range
   */
  public GeneratorSettings {
    if (requests < 0 || blockSize < 1 || blockSize > GeneratedTrace.MAX_BLOCK_SIZE) {
      throw outOfRange(requests, blockSize);
    }
    require("sessions", sessions, 1, Long.MAX_VALUE);
    require("turns", turns, 0, MAX_TURNS);
    require("shared-prompts", sharedPrompts, 0, MAX_SHARED_PROMPTS);
    require("session-gap", sessionGapMillis, 1, MAX_SESSION_GAP);
  }

  /** The settings of the trace that commands use when none is given. */
  public static GeneratorSettings standard(
      final long seed, final long requests, final long blockSize) {
    return new GeneratorSettings(
        seed,
        requests,
        blockSize,
        Long.MAX_VALUE,
        4,
        GeneratedTrace.SYSTEM_PROMPTS,
        GeneratedTrace.MEAN_SESSION_GAP);
  }

  private static void require(final String name, final long value, final long min, final long max) {
    if (value < min || value > max) {
      throw new InputException("--" + name + " must be from " + min + " to " + max + ": " + value);
    }
  }

  private static InputException outOfRange(final long requests, final long blockSize) {
    return new InputException(
        "the built-in trace needs requests >= 0 and blocks of 1 to "
            + GeneratedTrace.MAX_BLOCK_SIZE
            + " tokens: requests="
            + requests
            + " trace-block-size="
            + blockSize);
  }
}
