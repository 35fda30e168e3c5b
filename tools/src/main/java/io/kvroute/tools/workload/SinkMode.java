package io.kvroute.tools.workload;

/** What becomes of a manager's events. */
enum SinkMode {
  /** No sink: the manager makes no events. */
  NONE,
  /** Events are encoded, handed over and counted. */
  COUNT,
  /** As COUNT, and every event is decoded into the event fold. */
  CHECK
}
