package io.kvroute.jmh;

/** A router as the benchmarks call it: ours or the control. One thread. */
interface RoutingSubject extends AutoCloseable {
  /** Tokens of a block. */
  int BLOCK_SIZE = 16;

  /** Makes a router with workers 0 to {@code workers - 1}; requests have up to 512 blocks. */
  interface Maker {
    RoutingSubject make(int workers, long indexBlocks, int requests);
  }

  /** A worker has all whole blocks of a prompt. */
  void store(int worker, Prompt prompt);

  /** Routes and books a request; answers the worker. */
  long route(long key, Prompt prompt);

  /** The prefill of a request is done. */
  boolean mark(long key);

  /** A request is over. */
  boolean free(long key);

  /** Active requests. */
  int requests();

  /** Distinct blocks of the index. */
  long indexBlocks();

  @Override
  void close();
}
