package io.kvroute.twin;

import java.util.List;
import java.util.function.Function;

/** W4, prompts of a real trace, and W4d, the same with their decode tokens. */
final class TraceWorkload extends Workload {
  private final List<ConversationTrace.Request> requests;
  private final boolean withDecode;
  private int[] tokens = new int[1 << 18];
  private int request;

  TraceWorkload(
      final Function<KvSubject.Config, KvSubject> maker,
      final List<ConversationTrace.Request> requests,
      final boolean withDecode) {
    super(maker, 4_194_304, 16);
    this.requests = requests;
    this.withDecode = withDecode;
  }

  @Override
  void step() {
    final ConversationTrace.Request next = requests.get(request);
    final int prompt = next.inputLength();
    final int all = prompt + (withDecode ? next.outputLength() : 0);
    if (all > tokens.length) {
      tokens = new int[all * 2];
    }
    next.tokens(tokens);
    if (allocate(0, tokens, prompt)) {
      subject.extendCachedPrefix(0, tokens, prompt);
      for (int count = prompt; count < all; count++) {
        decodeToken(count, count - prompt);
      }
      subject.finish(0, tokens, all);
    }
    request++;
  }

  private void decodeToken(final int count, final int number) {
    if (!decode(0, count)) {
      throw new IllegalStateException("no room for a decode token: request=" + request);
    }
    tokens[count] = 0x80000000 | ((request * 2048 + number) & 0x7fffffff);
    if ((count + 1) % pageSize == 0) {
      subject.extendCachedPrefix(0, tokens, count + 1);
    }
  }
}
