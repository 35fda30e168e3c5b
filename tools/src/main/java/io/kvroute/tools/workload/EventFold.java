package io.kvroute.tools.workload;

import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventListener;
import org.agrona.DirectBuffer;

/** Counts events and, if asked to, folds all their hashes in the order of emission. */
final class EventFold implements KvEventListener {
  private final KvEventDecoder decoder = new KvEventDecoder();
  private final boolean folding;
  private long events;
  private long fold;

  EventFold(final boolean folding) {
    this.folding = folding;
  }

  @Override
  public void onEvent(final DirectBuffer buffer, final int offset, final int length) {
    events++;
    if (folding) {
      take(decoder.wrap(buffer, offset, length));
    }
  }

  private void take(final KvEventDecoder event) {
    long c = fold;
    final int count = event.blockCount();
    switch (event.type()) {
      case STORED -> {
        c = Numbers.fold(c, event.hasParent() ? event.parentHash() : 0);
        for (int i = 0; i < count; i++) {
          c = Numbers.fold(Numbers.fold(c, event.blockHash(i)), event.tokensHash(i));
        }
      }
      case REMOVED -> {
        for (int i = 0; i < count; i++) {
          c = Numbers.fold(c, ~event.blockHash(i));
        }
      }
      case CLEARED -> {}
    }
    fold = c;
  }

  long events() {
    return events;
  }

  long fold() {
    return fold;
  }
}
