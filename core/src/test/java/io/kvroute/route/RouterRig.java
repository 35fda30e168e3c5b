package io.kvroute.route;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/** A router with a clock that stands still, and workers that tell what they store. */
final class RouterRig implements AutoCloseable {
  static final int BLOCK = 16;
  static final long SECOND_NS = 1_000_000_000L;

  final KvRouter router;
  long nowNs = 1;
  private final MutableDirectBuffer buffer = new ExpandableArrayBuffer();
  private long eventId;

  RouterRig(final KvRouterBuilder builder) {
    router = builder.clock(() -> nowNs).build();
  }

  RouterRig() {
    this(small());
  }

  RouterRig(final KvRouterConfig config) {
    this(small().config(config));
  }

  /** Room for few of everything. */
  static KvRouterBuilder small() {
    return KvRouter.builder(BLOCK)
        .blockCapacity(1 << 12)
        .rankCapacity(16)
        .requestCapacity(64)
        .feedRingBytes(1 << 14);
  }

  WorkerFeed worker(final long id) {
    return router.register(id, TestWorker.one(), BLOCK);
  }

  /** Blocks' worth of tokens that depend on the numbers given, block by block. */
  static int[] prompt(final int... blocks) {
    final int[] tokens = new int[BLOCK * blocks.length];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = blocks[i / BLOCK] * 1000 + i % BLOCK;
    }
    return tokens;
  }

  static RouteRequest request(final long key, final int... tokens) {
    return new RouteRequest().request(key).prompt(tokens, 0, tokens.length);
  }

  /** Tells that a worker has the blocks of a prompt. */
  FeedAnswer store(final WorkerFeed feed, final int... tokens) {
    return store(feed, feed.workerId(), 0, StorageTier.DEVICE, tokens);
  }

  FeedAnswer store(
      final WorkerFeed feed,
      final long workerId,
      final int dpRank,
      final StorageTier tier,
      final int... tokens) {
    final int count = tokens.length / BLOCK;
    final long[] local = new long[count];
    final long[] chain = new long[count];
    BlockHasher.of(BLOCK).hashes(TokenView.of(tokens), 0, count, false, 0, local, 0, chain, 0);
    final int length =
        KvEventEncoder.stored(buffer, 0, workerId, dpRank, tier, eventId++, false, 0, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, chain[i]);
      KvEventEncoder.putTokensHash(buffer, 0, count, i, local[i]);
    }
    return feed.offer(buffer, 0, length);
  }

  @Override
  public void close() {
    router.close();
  }
}
