package io.kvroute.route;

import io.kvroute.index.MatchScores;
import io.kvroute.protocol.RankOrder;
import io.kvroute.protocol.StorageTier;
import io.kvroute.protocol.UnsignedMath;
import java.util.Arrays;

/**
 * How much of a prompt each rank has cached, as the cost sees it: blocks per tier, and all tiers
 * together weighted by what a block in them is worth. Owned by the caller and used again and again;
 * it grows to the number of ranks and allocates nothing after that. Ascending by (worker id,
 * data-parallel rank), unsigned; ranks that have nothing cached need not be in it.
 *
 * <p>Not thread-safe.
 */
public final class OverlapSignals {
  private static final int INITIAL = 16;

  private int count;
  private boolean tiered;
  private long[] workerIds = new long[INITIAL];
  private int[] dpRanks = new int[INITIAL];
  private double[] device = new double[INITIAL];
  private double[] host = new double[INITIAL];
  private double[] disk = new double[INITIAL];
  private double[] effective = new double[INITIAL];
  private long[] cachedTokens = new long[INITIAL];

  /** Makes an empty one. */
  public OverlapSignals() {}

  /** How many ranks are in it. */
  public int count() {
    return count;
  }

  /** Worker of the rank {@code i}, unsigned. */
  public long workerId(final int i) {
    return workerIds[i];
  }

  /** Data-parallel rank of the rank {@code i}, unsigned. */
  public int dpRank(final int i) {
    return dpRanks[i];
  }

  /**
   * Blocks on the device of the rank {@code i} that the cost credits. If nothing is known of any
   * rank's tiers, these are the {@link #effectiveBlocks}.
   */
  public double deviceBlocks(final int i) {
    return tiered ? device[i] : effective[i];
  }

  /** Blocks in pinned memory behind those on the device. */
  public double hostBlocks(final int i) {
    return host[i];
  }

  /** Blocks on disks and in external stores behind those in memory. */
  public double diskBlocks(final int i) {
    return disk[i];
  }

  /** All blocks, weighted by tier. */
  public double effectiveBlocks(final int i) {
    return effective[i];
  }

  /** Tokens that count as cached, unsigned; can be more than the prompt has. */
  public long cachedTokens(final int i) {
    return cachedTokens[i];
  }

  /** Where a rank is, or -1 if it is not in it. */
  public int indexOf(final long workerId, final int dpRank) {
    return RankOrder.indexOf(workerIds, dpRanks, count, workerId, dpRank);
  }

  private int compareLast(final long workerId, final int dpRank) {
    return RankOrder.compare(workerIds[count - 1], dpRanks[count - 1], workerId, dpRank);
  }

  /** Empties it. */
  public void clear() {
    count = 0;
    tiered = false;
  }

  /**
   * Becomes what an index has found.
   *
   * @param scores of a look-up over all tiers
   * @param config gives the tiers' weights
   * @param blockSize tokens of a block
   */
  public void read(final MatchScores scores, final KvRouterConfig config, final long blockSize) {
    clear();
    for (int i = 0; i < scores.count(); i++) {
      append(scores.workerId(i), scores.dpRank(i));
      weigh(
          scores.device(i),
          scores.extension(i, StorageTier.HOST_PINNED),
          (double) scores.extension(i, StorageTier.DISK)
              + scores.extension(i, StorageTier.EXTERNAL),
          config,
          blockSize);
    }
  }

  /**
   * Adds a rank by its blocks per tier, which are weighted as {@link #read} does.
   *
   * @param workerId unsigned; ranks are added in ascending order
   * @param dpRank unsigned
   * @param deviceBlocks on the device
   * @param hostBlocks in pinned memory, behind those
   * @param diskBlocks on disks and in external stores, behind those
   * @param config gives the tiers' weights
   * @param blockSize tokens of a block
   * @throws IllegalArgumentException if the rank is not behind the last one
   */
  public void addWeighted(
      final long workerId,
      final int dpRank,
      final double deviceBlocks,
      final double hostBlocks,
      final double diskBlocks,
      final KvRouterConfig config,
      final long blockSize) {
    requireAscending(workerId, dpRank);
    append(workerId, dpRank);
    weigh(deviceBlocks, hostBlocks, diskBlocks, config, blockSize);
  }

  private void weigh(
      final double onDevice,
      final double inHost,
      final double onDisk,
      final KvRouterConfig config,
      final long blockSize) {
    final int i = count - 1;
    final double hostWeight = config.hostCacheHitWeight();
    final double diskWeight = config.diskCacheHitWeight();
    tiered = true;
    device[i] = onDevice;
    host[i] = inHost;
    disk[i] = onDisk;
    effective[i] = onDevice + hostWeight * inHost + diskWeight * onDisk;
    cachedTokens[i] = UnsignedMath.round(effective[i] * blockSize);
  }

  /**
   * Adds a rank whose tiers are known.
   *
   * @param workerId unsigned; ranks are added in ascending order
   * @param dpRank unsigned
   * @param deviceBlocks on the device
   * @param hostBlocks in pinned memory, behind those
   * @param diskBlocks on disks and in external stores, behind those
   * @param effectiveBlocks all of them, weighted
   * @param cached tokens that count as cached, unsigned
   * @throws IllegalArgumentException if the rank is not behind the last one
   */
  public void add(
      final long workerId,
      final int dpRank,
      final double deviceBlocks,
      final double hostBlocks,
      final double diskBlocks,
      final double effectiveBlocks,
      final long cached) {
    addUntiered(workerId, dpRank, effectiveBlocks, cached);
    tiered = true;
    device[count - 1] = deviceBlocks;
    host[count - 1] = hostBlocks;
    disk[count - 1] = diskBlocks;
  }

  /**
   * Adds a rank of which only the sum is known. If other ranks' tiers are known, the cost takes
   * this one to have nothing in any tier.
   *
   * @param workerId unsigned; ranks are added in ascending order
   * @param dpRank unsigned
   * @param effectiveBlocks all blocks, weighted
   * @param cached tokens that count as cached, unsigned
   * @throws IllegalArgumentException if the rank is not behind the last one
   */
  public void addUntiered(
      final long workerId, final int dpRank, final double effectiveBlocks, final long cached) {
    requireAscending(workerId, dpRank);
    append(workerId, dpRank);
    final int i = count - 1;
    device[i] = 0.0;
    host[i] = 0.0;
    disk[i] = 0.0;
    effective[i] = effectiveBlocks;
    cachedTokens[i] = cached;
  }

  private void requireAscending(final long workerId, final int dpRank) {
    if (count > 0 && compareLast(workerId, dpRank) >= 0) {
      throw notAscending(workerId, dpRank);
    }
  }

  private void append(final long workerId, final int dpRank) {
    if (count == workerIds.length) {
      grow();
    }
    workerIds[count] = workerId;
    dpRanks[count] = dpRank;
    count++;
  }

  private void grow() {
    final int length = 2 * count;
    workerIds = Arrays.copyOf(workerIds, length);
    dpRanks = Arrays.copyOf(dpRanks, length);
    device = Arrays.copyOf(device, length);
    host = Arrays.copyOf(host, length);
    disk = Arrays.copyOf(disk, length);
    effective = Arrays.copyOf(effective, length);
    cachedTokens = Arrays.copyOf(cachedTokens, length);
  }

  private IllegalArgumentException notAscending(final long workerId, final int dpRank) {
    return new IllegalArgumentException(
        "ranks have to be ascending: workerId="
            + Long.toUnsignedString(workerId)
            + " dpRank="
            + Integer.toUnsignedString(dpRank)
            + " lastWorkerId="
            + Long.toUnsignedString(workerIds[count - 1])
            + " lastDpRank="
            + Integer.toUnsignedString(dpRanks[count - 1]));
  }
}
