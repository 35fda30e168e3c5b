package io.kvroute.tools.io;

/** How results are printed. */
public enum OutputFormat {
  /** For people. */
  TEXT,
  /** One JSON object a line. */
  JSON
}
