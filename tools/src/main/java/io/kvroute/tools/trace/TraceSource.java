package io.kvroute.tools.trace;

import java.io.Closeable;

/** Requests in the order of their arrival, one at a time. Not thread-safe. */
public interface TraceSource extends Closeable {

  /**
   * Fills {@code request} with the next one.
   *
   * @return false if there is none; {@code request} is then unspecified
   * @throws io.kvroute.tools.io.InputException if the source is damaged; the message names the line
   */
  boolean next(TraceRequest request);

  /** Tokens that one hash id stands for. */
  long blockSize();

  @Override
  void close();
}
