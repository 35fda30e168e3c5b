package io.kvroute.jmh;

import io.kvroute.hash.BlockHasher;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.route.FeedAnswer;
import io.kvroute.route.KvRouter;
import io.kvroute.route.RouteOutcome;
import io.kvroute.route.RouteRequest;
import io.kvroute.route.WorkerFeed;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** Our router. */
final class KvRouterSubject implements RoutingSubject {
  private static final long BLOCKS_PER_REQUEST = 512;

  private final KvRouter router;
  private final WorkerFeed[] feeds;
  private final RouteRequest request = new RouteRequest();
  private final MutableDirectBuffer event = new ExpandableArrayBuffer();
  private final BlockHasher hasher = BlockHasher.of(BLOCK_SIZE);
  private long eventId;

  KvRouterSubject(final int workers, final long indexBlocks, final int requests) {
    router =
        KvRouter.builder(BLOCK_SIZE)
            .blockCapacity(indexBlocks)
            .activeBlockCapacity(requests * BLOCKS_PER_REQUEST)
            .rankCapacity(workers)
            .requestCapacity(requests)
            .build();
    feeds = new WorkerFeed[workers];
    for (int w = 0; w < workers; w++) {
      feeds[w] = router.register(w, WorkerConfig.ofRanks(0, 1), BLOCK_SIZE);
    }
  }

  @Override
  public void store(final int worker, final Prompt prompt) {
    final int count = (int) hasher.blockCount(prompt.count);
    final long[] local = new long[count];
    final long[] chain = new long[count];
    hasher.hashes(prompt.view, 0, count, false, 0, local, 0, chain, 0);
    final int length =
        KvEventEncoder.stored(event, 0, worker, 0, StorageTier.DEVICE, eventId++, false, 0, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(event, 0, i, chain[i]);
      KvEventEncoder.putTokensHash(event, 0, count, i, local[i]);
    }
    final FeedAnswer answer = feeds[worker].offer(event, 0, length);
    if (answer != FeedAnswer.ACCEPTED || router.poll() != 1) {
      throw new IllegalStateException("event was not applied: answer=" + answer);
    }
  }

  @Override
  public long route(final long key, final Prompt prompt) {
    request.reset().request(key).prompt(prompt.tokens, 0, prompt.count);
    if (router.route(request) != RouteOutcome.ROUTED) {
      throw new IllegalStateException("request was not routed: outcome=" + request.outcome());
    }
    return request.decision().workerId();
  }

  @Override
  public boolean mark(final long key) {
    return router.markPrefill(key);
  }

  @Override
  public boolean free(final long key) {
    return router.free(key);
  }

  @Override
  public int requests() {
    return router.activeSequences().requestCount();
  }

  @Override
  public long indexBlocks() {
    return router.index().blockCount();
  }

  @Override
  public void close() {
    router.close();
  }
}
