package io.kvroute.tools;

/** What the exit code of a command means. */
final class ExitCode {
  /** All went well. */
  static final int OK = 0;

  /** A check found a difference. */
  static final int DIFFERENCE = 1;

  /** A file, an option or the JVM's flags cannot be used. */
  static final int UNUSABLE_INPUT = 2;

  /** kvroute itself failed. */
  static final int DEFECT = 3;

  private ExitCode() {}
}
