package io.kvroute.index;

/** Whose blocks a cleared event empties. */
public enum ClearScope {
  /** Those of the event's worker and data-parallel rank. */
  RANK,
  /** Those of every rank of the event's worker. */
  WORKER
}
