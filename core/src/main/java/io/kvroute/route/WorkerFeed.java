package io.kvroute.route;

import io.kvroute.protocol.ActiveLoad;
import io.kvroute.protocol.KvEventSink;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where the events of one registration of a worker go: into the router's ring, from any thread.
 * Made by {@link KvRouter#register}. What is refused is answered and counted, and stays the
 * caller's; what arrives after the registration has ended, or names another worker, is counted and
 * has no effect.
 *
 * <p>Thread-safe; nothing allocates. As a {@link KvEventSink} it takes events without a copy; a
 * claim that is not committed holds up everything behind it.
 */
public final class WorkerFeed implements KvEventSink {
  private final FeedRing ring;
  private final long workerId;
  private final long generation;

  WorkerFeed(final FeedRing ring, final long workerId, final long generation) {
    this.ring = ring;
    this.workerId = workerId;
    this.generation = generation;
  }

  /** The worker, unsigned. */
  public long workerId() {
    return workerId;
  }

  /** The registration that it is for. */
  public long generation() {
    return generation;
  }

  /**
   * Offers a cache event in its binary form; copied.
   *
   * @param buffer that holds the event
   * @param offset of its first byte
   * @param length of it in bytes
   * @throws IndexOutOfBoundsException if it is not inside the buffer
   */
  public FeedAnswer offer(final DirectBuffer buffer, final int offset, final int length) {
    buffer.boundsCheck(offset, length);
    final FeedAnswer refusal = ring.refusalOf((long) length + FeedMessageLayout.EVENT);
    if (refusal != null) {
      return refusal;
    }
    final int at = claim(length);
    if (at < 0) {
      return FeedAnswer.RING_FULL;
    }
    ring.buffer().putBytes(at, buffer, offset, length);
    commit(at, length);
    return FeedAnswer.ACCEPTED;
  }

  /**
   * Offers a report of load of one of the worker's ranks.
   *
   * @param load its worker has to be this one
   */
  public FeedAnswer offer(final ActiveLoad load) {
    final FeedAnswer refusal = ring.refusalOf(FeedMessageLayout.LOAD_LENGTH);
    if (refusal != null) {
      return refusal;
    }
    final int at = ring.claim(FeedMessageLayout.LOAD, FeedMessageLayout.LOAD_LENGTH);
    if (at < 0) {
      return FeedAnswer.RING_FULL;
    }
    final UnsafeBuffer buffer = ring.buffer();
    buffer.putLong(at + FeedMessageLayout.GENERATION, generation);
    buffer.putLong(at + FeedMessageLayout.WORKER_ID, load.workerId());
    buffer.putInt(at + FeedMessageLayout.DP_RANK, load.dpRank());
    buffer.putInt(at + FeedMessageLayout.KNOWN, RegisteredWorker.known(load));
    buffer.putLong(at + FeedMessageLayout.DECODE_BLOCKS, load.activeDecodeBlocks().orElse(0));
    buffer.putLong(at + FeedMessageLayout.PREFILL_TOKENS, load.activePrefillTokens().orElse(0));
    buffer.putLong(at + FeedMessageLayout.USED_BLOCKS, load.kvUsedBlocks().orElse(0));
    ring.commit(at);
    return FeedAnswer.ACCEPTED;
  }

  /** Claims room for one event; negative, and counted, if there is none. */
  @Override
  public int claim(final int length) {
    if (ring.refusalOf((long) length + FeedMessageLayout.EVENT) != null) {
      return -1;
    }
    final int at = ring.claim(FeedMessageLayout.KV_EVENT, length + FeedMessageLayout.EVENT);
    if (at < 0) {
      return -1;
    }
    ring.buffer().putLong(at + FeedMessageLayout.GENERATION, generation);
    return at + FeedMessageLayout.EVENT;
  }

  @Override
  public MutableDirectBuffer buffer() {
    return ring.buffer();
  }

  @Override
  public void commit(final int offset, final int length) {
    ring.commit(offset - FeedMessageLayout.EVENT);
  }
}
