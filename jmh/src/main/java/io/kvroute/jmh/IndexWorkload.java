package io.kvroute.jmh;

import io.kvroute.index.SyntheticWorkload;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** An index filled by the synthetic workload, whose look-ups were checked. */
final class IndexWorkload implements AutoCloseable {
  private static final int FRESH_EVENTS = 2_000;

  private final int workers;
  private final IndexSubject subject;
  private final SyntheticWorkload workload;

  IndexWorkload(final IndexSubject.Maker maker, final int workers, final long blocks) {
    this.workers = workers;
    final long fresh = (long) FRESH_EVENTS * SyntheticWorkload.EVENT_BLOCKS;
    subject = maker.make(workers, blocks + SyntheticWorkload.QUERY_LENGTH + fresh);
    workload = new SyntheticWorkload(subject::apply, workers);
    workload.build(blocks);
    BenchmarkBase.require("held blocks", workload.storedBlocks(), subject.heldBlocks());
  }

  IndexSubject subject() {
    return subject;
  }

  /** The queries of a depth; all were asked, and found what they must. */
  long[][] queries(final int depth) {
    final long[][] queries = workload.queries(depth);
    final long[] expected = workload.expectedTotals(depth);
    long sum = 0;
    long weighted = 0;
    for (final long[] query : queries) {
      subject.find(query);
      for (int w = 0; w < workers; w++) {
        sum += subject.score(w);
        weighted += (w + 1L) * subject.score(w);
      }
    }
    BenchmarkBase.require("sum of scores", expected[0], sum);
    BenchmarkBase.require("weighted sum of scores", expected[1], weighted);
    return queries;
  }

  /** 2,000 events of 16 fresh blocks each below a held prefix, and their removals. */
  List<UnsafeBuffer> stores(final List<UnsafeBuffer> removals) {
    final List<byte[]> removed = new ArrayList<>();
    final List<byte[]> stored = workload.freshStores(FRESH_EVENTS, removed);
    removed.forEach(bytes -> removals.add(new UnsafeBuffer(bytes)));
    return stored.stream().map(UnsafeBuffer::new).toList();
  }

  @Override
  public void close() {
    subject.close();
  }
}
