package io.kvroute.protocol;

import io.kvroute.hash.BlockExtraInfo;
import io.kvroute.hash.BlockMmObjectInfo;
import io.kvroute.hash.MmRange;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Seeded random cache events, with the edges of every range drawn often. */
public final class RandomEvents {
  private final SplittableRandom random;

  /** Starts a sequence of events. */
  public RandomEvents(final long seed) {
    random = new SplittableRandom(seed);
  }

  /** The next event of the sequence. */
  public RouterEvent next() {
    final StorageTier tier = StorageTier.ofOrdinal(random.nextInt(StorageTier.count()));
    return new RouterEvent(u64(), tier, cacheEvent());
  }

  /** The next event of the sequence, without worker and tier. */
  public KvCacheEvent cacheEvent() {
    final KvCacheEventData data =
        switch (random.nextInt(5)) {
          case 0 -> new KvCacheEventData.Cleared();
          case 1 -> new KvCacheRemoveData(UnsignedLongs.of(hashes(random.nextInt(20))));
          default -> store();
        };
    return new KvCacheEvent(u64(), data, u32());
  }

  private KvCacheStoreData store() {
    final int count = random.nextInt(20);
    final boolean multimodal = random.nextInt(3) == 0;
    final List<KvCacheStoredBlockData> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final BlockExtraInfo info = multimodal && random.nextBoolean() ? blockInfo() : null;
      blocks.add(new KvCacheStoredBlockData(u64(), u64(), info));
    }
    return new KvCacheStoreData(
        random.nextBoolean() ? OptionalLong.of(u64()) : OptionalLong.empty(),
        random.nextInt(4) == 0 ? OptionalInt.of(u32()) : OptionalInt.empty(),
        blocks);
  }

  /** Random multimodal objects of a block. */
  public BlockExtraInfo blockInfo() {
    final List<BlockMmObjectInfo> objects = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      final List<MmRange> ranges = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        ranges.add(new MmRange(u64(), u64()));
      }
      objects.add(new BlockMmObjectInfo(u64(), ranges));
    }
    return new BlockExtraInfo(objects);
  }

  /** Random hashes. */
  public long[] hashes(final int count) {
    final long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = u64();
    }
    return hashes;
  }

  /** A random number, often at an edge. */
  public long u64() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> Long.MIN_VALUE;
      case 3 -> random.nextInt(100);
      default -> random.nextLong();
    };
  }

  /** A random number, often at an edge. */
  public int u32() {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> Integer.MIN_VALUE;
      default -> random.nextInt();
    };
  }
}
