package io.kvroute.load;

/** What is done to {@link ActiveSequences}, for their counters. */
public enum SequenceOperation {
  /** A request is added. */
  ADD,
  /** A request's prefill is done. */
  MARK_PREFILL_COMPLETED,
  /** A request is over. */
  FREE,
  /** A request has a further block of output. */
  ADD_OUTPUT_BLOCK
}
