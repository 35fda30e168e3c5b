package io.kvroute.route;

import io.kvroute.hash.BlockHasher;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.ActiveLoad;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.concurrent.UnsafeBuffer;

/** A thread that sends events to whichever feed is there, good ones and bad ones. */
final class SoakProducer extends Thread {
  private static final StorageTier[] TIERS = StorageTier.values();
  private static final int RANKS = 3;
  private static final int BUFFER_BYTES = 1 << 16;

  private final AtomicReferenceArray<WorkerFeed> feeds;
  private final int[][] prompts;
  private final Random random;
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BUFFER_BYTES]);
  private final long[][] local;
  private final long[][] chain;
  private WorkerFeed ended;
  private long accepted;
  private long refused;
  private long eventId;
  private volatile boolean halted;
  private volatile Throwable failure;

  SoakProducer(
      final AtomicReferenceArray<WorkerFeed> feeds, final int[][] prompts, final long seed) {
    this.feeds = feeds;
    this.prompts = prompts;
    random = new Random(seed);
    local = new long[prompts.length][];
    chain = new long[prompts.length][];
    final BlockHasher hasher = BlockHasher.of(RouterRig.BLOCK);
    for (int p = 0; p < prompts.length; p++) {
      final int count = prompts[p].length / RouterRig.BLOCK;
      local[p] = new long[count];
      chain[p] = new long[count];
      hasher.hashes(TokenView.of(prompts[p]), 0, count, false, 0, local[p], 0, chain[p], 0);
    }
    setDaemon(true);
  }

  @Override
  public void run() {
    try {
      while (!halted) {
        final WorkerFeed feed = feeds.get(random.nextInt(feeds.length()));
        if (feed != null) {
          send(random.nextInt(64) == 0 && ended != null ? ended : feed);
          ended = random.nextInt(256) == 0 ? feed : ended;
        }
      }
    } catch (final RuntimeException | Error unexpected) {
      failure = unexpected;
    }
  }

  private void send(final WorkerFeed feed) {
    final FeedAnswer answer =
        random.nextInt(8) == 0
            ? feed.offer(load(feed))
            : feed.offer(buffer, 0, write(feed.workerId()));
    if (answer == FeedAnswer.ACCEPTED) {
      accepted++;
    } else {
      refused++;
      Thread.onSpinWait();
    }
  }

  private ActiveLoad load(final WorkerFeed feed) {
    return new ActiveLoad(
        feed.workerId(),
        random.nextInt(RANKS),
        OptionalLong.of(random.nextInt(100)),
        OptionalLong.of(random.nextInt(1000)),
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(200)));
  }

  private int write(final long workerId) {
    final int rank = random.nextInt(RANKS);
    final StorageTier tier =
        random.nextInt(4) == 0 ? TIERS[random.nextInt(TIERS.length)] : TIERS[0];
    final int p = random.nextInt(prompts.length);
    final int count = 1 + random.nextInt(chain[p].length);
    return switch (random.nextInt(50)) {
      case 0 -> KvEventEncoder.cleared(buffer, 0, workerId, rank, tier, eventId++);
      case 1 -> noise();
      case 2 -> BUFFER_BYTES;
      case 3 -> KvEventEncoder.cleared(buffer, 0, workerId + 1, rank, tier, eventId++);
      default ->
          random.nextInt(3) == 0
              ? removed(workerId, rank, tier, p, count)
              : stored(workerId, rank, tier, p, count);
    };
  }

  private int noise() {
    random.nextBytes(buffer.byteArray());
    return 8 * random.nextInt(40);
  }

  private int stored(
      final long workerId, final int rank, final StorageTier tier, final int p, final int count) {
    final int length =
        KvEventEncoder.stored(buffer, 0, workerId, rank, tier, eventId++, false, 0, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, chain[p][i]);
      KvEventEncoder.putTokensHash(buffer, 0, count, i, local[p][i]);
    }
    return length;
  }

  private int removed(
      final long workerId, final int rank, final StorageTier tier, final int p, final int count) {
    final int length = KvEventEncoder.removed(buffer, 0, workerId, rank, tier, eventId++, count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, chain[p][chain[p].length - 1 - i]);
    }
    return length;
  }

  /** Stops the thread and waits for its end. */
  void halt() throws InterruptedException {
    halted = true;
    join();
  }

  /** Fails if the thread did. */
  void check() {
    if (failure != null) {
      throw new IllegalStateException("a producer failed", failure);
    }
  }

  /** Messages that the router took; to be asked after {@link #halt}. */
  long accepted() {
    return accepted;
  }

  /** Messages that it did not take. */
  long refused() {
    return refused;
  }
}
