package io.kvroute.twin;

import java.util.Arrays;
import java.util.function.Function;

/** W3c: eight leases at once over shared prefixes, with decode, abort and a small pool. */
final class LeasesWorkload extends Workload {
  private static final int LEASES = 8;
  private final Lcg random = new Lcg(7);
  private final int[][] tokens = new int[LEASES][];

  LeasesWorkload(final Function<KvSubject.Config, KvSubject> maker) {
    super(maker, 1_024, 4);
  }

  @Override
  void step() {
    final int slot = (int) (random.next() % LEASES);
    if (tokens[slot] == null) {
      start(slot);
      return;
    }
    final int operation = (int) (random.next() % 8);
    if (operation <= 2) {
      subject.extendCachedPrefix(slot, tokens[slot], tokens[slot].length);
    } else if (operation <= 5) {
      decodeFive(slot);
    } else {
      end(slot, operation == 6);
    }
  }

  private void start(final int slot) {
    final int family = (int) (random.next() % 8);
    final int length = (int) (random.next() % 161);
    final int shared = (int) (random.next() % 161);
    final int branch = (int) (random.next() % 4);
    final int[] prompt = new int[length];
    for (int j = 0; j < length; j++) {
      prompt[j] = j < shared ? family * 1000 + j : 100_000 + family * 1000 + branch * 200 + j;
    }
    if (allocate(slot, prompt, length)) {
      tokens[slot] = prompt;
    }
  }

  private void decodeFive(final int slot) {
    for (int j = 0; j < 5; j++) {
      final int count = tokens[slot].length;
      if (!decode(slot, count)) {
        return;
      }
      tokens[slot] = Arrays.copyOf(tokens[slot], count + 1);
      tokens[slot][count] = 0x40000000 + count;
    }
  }

  private void end(final int slot, final boolean finished) {
    if (finished) {
      subject.finish(slot, tokens[slot], tokens[slot].length);
    } else {
      subject.abort(slot);
    }
    tokens[slot] = null;
  }
}
