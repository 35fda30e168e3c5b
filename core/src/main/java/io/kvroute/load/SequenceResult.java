package io.kvroute.load;

/**
 * What became of a change of the {@link ActiveSequences}. Anything but {@link #OK} has changed no
 * load and is counted.
 */
public enum SequenceResult {
  /** Done. */
  OK,
  /** A request of this id is active already; see {@link ActiveSequences#find}. */
  DUPLICATE_REQUEST,
  /** No request of this id is active. */
  REQUEST_NOT_FOUND,
  /** The rank is not known, and was not to be made known. */
  WORKER_NOT_FOUND,
  /** There are as many active requests as there is room for. */
  REQUESTS_FULL,
  /** There are as many ranks as there is room for. */
  RANKS_FULL,
  /** There is too little room for the prompt's blocks. */
  BLOCKS_FULL,
  /** There is no room for another run of blocks. */
  EDGES_FULL,
  /** There is too little room to note which rank has which run of blocks. */
  HOLDS_FULL;

  /** True if something is full; {@link ActiveSequences#refusal} says it in numbers. */
  public boolean isRefusal() {
    return ordinal() >= REQUESTS_FULL.ordinal();
  }
}
