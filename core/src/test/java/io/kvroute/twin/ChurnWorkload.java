package io.kvroute.twin;

import java.util.function.Function;

/**
 * W3: 64 shared prefixes, a fresh suffix and 32 decode tokens a request, in a pool that is too
 * small.
 */
final class ChurnWorkload extends Workload {
  private static final int SHARED = 512;
  private static final int FRESH = 256;
  private static final int DECODED = 32;

  private final Lcg random = new Lcg(42);
  private final int[] tokens = new int[SHARED + FRESH + DECODED];
  private int request;

  ChurnWorkload(final Function<KvSubject.Config, KvSubject> maker) {
    super(maker, 65_536, 16);
  }

  @Override
  void step() {
    final int prefix = (int) (random.next() % 64);
    for (int j = 0; j < SHARED; j++) {
      tokens[j] = prefix * 512 + j;
    }
    for (int j = 0; j < FRESH; j++) {
      tokens[SHARED + j] = 1_000_000 + request * 256 + j;
    }
    for (int j = 0; j < DECODED; j++) {
      tokens[SHARED + FRESH + j] = 0x40000000 + request * 32 + j;
    }
    request++;
    final int prompt = SHARED + FRESH;
    if (!allocate(0, tokens, prompt)) {
      return;
    }
    subject.extendCachedPrefix(0, tokens, prompt);
    for (int j = 0; j < DECODED; j++) {
      if (!decode(0, prompt + j)) {
        throw new IllegalStateException("no room for a decode token: request=" + request);
      }
    }
    subject.finish(0, tokens, tokens.length);
  }
}
