package io.kvroute.index;

import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.StorageTier;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Hands events to an index in their binary form. */
final class IndexDriver {
  /** What takes the events. */
  interface Target {
    ApplyResult apply(DirectBuffer buffer, int offset, int length);
  }

  private final Target index;
  private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1 << 20]);
  private long eventId;

  IndexDriver(final RadixIndex index) {
    this(index::apply);
  }

  IndexDriver(final Target index) {
    this.index = index;
  }

  ApplyResult stored(final Rank rank, final int tier, final Long parent, final List<Block> blocks) {
    final int count = blocks.size();
    final int length =
        KvEventEncoder.stored(
            buffer,
            0,
            rank.workerId(),
            rank.dpRank(),
            StorageTier.ofOrdinal(tier),
            eventId++,
            parent != null,
            parent == null ? 0 : parent,
            count);
    for (int i = 0; i < count; i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, blocks.get(i).hash());
      KvEventEncoder.putTokensHash(buffer, 0, count, i, blocks.get(i).local());
    }
    return index.apply(buffer, 0, length);
  }

  ApplyResult removed(final Rank rank, final int tier, final List<Long> hashes) {
    final int length =
        KvEventEncoder.removed(
            buffer,
            0,
            rank.workerId(),
            rank.dpRank(),
            StorageTier.ofOrdinal(tier),
            eventId++,
            hashes.size());
    for (int i = 0; i < hashes.size(); i++) {
      KvEventEncoder.putBlockHash(buffer, 0, i, hashes.get(i));
    }
    return index.apply(buffer, 0, length);
  }

  ApplyResult cleared(final Rank rank, final int tier) {
    final int length =
        KvEventEncoder.cleared(
            buffer, 0, rank.workerId(), rank.dpRank(), StorageTier.ofOrdinal(tier), eventId++);
    return index.apply(buffer, 0, length);
  }
}
