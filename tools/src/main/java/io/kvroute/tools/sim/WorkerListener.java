package io.kvroute.tools.sim;

/** Is told what happens on a worker. */
interface WorkerListener {
  /** The worker may have something to do. */
  void ready(int worker);

  /** A request was taken from the worker's queue for the first time. */
  void admitted(SimRequest request, long nowNs);

  /** The first token of a request is there. */
  void prefilled(SimRequest request, long nowNs);

  /** A request is over. */
  void ended(SimRequest request, long nowNs);
}
