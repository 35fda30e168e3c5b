package io.kvroute.tools.sim;

import io.kvroute.hash.TokenView;
import java.util.Arrays;

/**
 * The tokens of one request at a time: its prompt, then its answer. They are made when asked for,
 * so that thousands of waiting requests hold none. Decoded tokens are new to every other request.
 * One view, used again by every call; not thread-safe.
 */
final class PromptTokens {
  private static final int DECODED = 0x8000_0000;
  private static final int PER_REQUEST = 2_048;

  private final long blockSize;
  private final TokenView view = new TokenView();
  private int[] tokens = new int[0];
  private int owner = -1;
  private int filled;

  /** For a trace whose hash ids stand for {@code blockSize} tokens. */
  PromptTokens(final long blockSize) {
    this.blockSize = blockSize;
  }

  /** The first {@code count} tokens of a request. */
  TokenView of(final SimRequest request, final int count) {
    if (owner != request.number) {
      tokens = request.trace.roomFor(tokens);
      filled = request.trace.tokens(blockSize, tokens);
      owner = request.number;
    }
    if (count > tokens.length) {
      tokens = Arrays.copyOf(tokens, count + PER_REQUEST);
    }
    while (filled < count) {
      final int place = filled - request.inputLength();
      tokens[filled++] = DECODED | (request.number * PER_REQUEST + place);
    }
    view.wrap(tokens, 0, count);
    return view;
  }

  /** Shows the prompt of a request in a view of the caller's, until the next call. */
  void show(final SimRequest request, final TokenView out) {
    of(request, request.inputLength());
    out.wrap(tokens, 0, request.inputLength());
  }

  /** The prompt of a request. */
  TokenView prompt(final SimRequest request) {
    return of(request, request.inputLength());
  }
}
