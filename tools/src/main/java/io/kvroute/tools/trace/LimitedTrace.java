package io.kvroute.tools.trace;

/** The first requests of another trace. */
public final class LimitedTrace implements TraceSource {
  private final TraceSource source;
  private long left;

  /** Ends after {@code limit} requests, or earlier if {@code source} does. */
  public LimitedTrace(final TraceSource source, final long limit) {
    this.source = source;
    this.left = limit;
  }

  @Override
  public boolean next(final TraceRequest request) {
    return left-- > 0 && source.next(request);
  }

  @Override
  public long blockSize() {
    return source.blockSize();
  }

  @Override
  public void close() {
    source.close();
  }
}
