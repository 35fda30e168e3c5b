package io.kvroute.tools.sim;

/** What the router has given each worker and not got back: requests, and tokens to prefill. */
final class RouterLoads {
  private final long[] requests;
  private final long[] prefillTokens;

  RouterLoads(final int workers) {
    requests = new long[workers];
    prefillTokens = new long[workers];
  }

  int workers() {
    return requests.length;
  }

  long requests(final int worker) {
    return requests[worker];
  }

  /** Tokens of prompts without a first token, but for those that were taken to be cached. */
  long prefillTokens(final int worker) {
    return prefillTokens[worker];
  }

  void book(final SimRequest request) {
    requests[request.worker]++;
    prefillTokens[request.worker] += request.inputLength() - request.cachedTokens;
  }

  void prefilled(final SimRequest request) {
    prefillTokens[request.worker] -= request.inputLength() - request.cachedTokens;
  }

  void free(final SimRequest request) {
    requests[request.worker]--;
  }
}
