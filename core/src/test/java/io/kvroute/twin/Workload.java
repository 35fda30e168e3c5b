package io.kvroute.twin;

import java.util.function.Function;

/**
 * What the reference workloads share: a manager, the sums over its answers, and the row they make.
 */
abstract class Workload implements AutoCloseable {
  private final Fold hits = new Fold();
  private final Fold events = new Fold();
  final KvSubject subject;
  final int pageSize;
  long hitTokens;
  long inputTokens;
  long refused;

  /** The outputs after some number of requests or steps. */
  record Outputs(
      long hitTokens,
      long nodes,
      long available,
      long evictable,
      long protectedTokens,
      long storedEvents,
      long storedBlocks,
      long removedEvents,
      long removedBlocks,
      String hitFold,
      String eventFold) {}

  Workload(
      final Function<KvSubject.Config, KvSubject> maker,
      final long totalTokens,
      final int pageSize) {
    this.pageSize = pageSize;
    this.subject =
        maker.apply(
            new KvSubject.Config(
                totalTokens, pageSize, 0, KvSubject.SinkMode.HEALTHY, events::add, null));
  }

  /** Does the next request or step. */
  abstract void step();

  final void run(final int steps) {
    for (int i = 0; i < steps; i++) {
      step();
    }
  }

  /** Allocates and books the answer. */
  final boolean allocate(final int lease, final int[] tokens, final int count) {
    final long prefix = subject.allocate(lease, tokens, count);
    hits.add(prefix);
    inputTokens += count;
    if (prefix == KvSubject.REFUSED) {
      refused++;
      return false;
    }
    hitTokens += prefix;
    return true;
  }

  /**
   * One decode token: a page at a page boundary, after making room if need be; false if there is
   * none.
   */
  final boolean decode(final int lease, final int tokenCount) {
    final int pages = tokenCount % pageSize == 0 ? 1 : 0;
    if (!subject.reserveDecodePages(0, pages)) {
      subject.evict(pageSize);
      if (!subject.reserveDecodePages(0, pages)) {
        return false;
      }
    }
    subject.extendDecode(lease, 0);
    subject.releaseDecodeReservation(0);
    return true;
  }

  final Outputs outputs() {
    final KvSubject.Figures figures = subject.figures();
    return new Outputs(
        hitTokens,
        figures.nodes(),
        figures.available(),
        figures.evictable(),
        figures.protectedTokens(),
        figures.storedEvents(),
        figures.storedBlocks(),
        figures.removedEvents(),
        figures.removedBlocks(),
        hits.hex(),
        events.hex());
  }

  @Override
  public final void close() {
    subject.close();
  }
}
