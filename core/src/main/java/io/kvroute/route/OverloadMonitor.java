package io.kvroute.route;

import io.kvroute.protocol.ActiveLoad;
import java.util.Objects;

/**
 * Which workers are overloaded: those all of whose known ranks are, where a rank is known once it
 * has reported. A rank is overloaded if any threshold that is set is passed; every test is strict.
 * The fraction of a batch is cut to whole tokens, and a batch of unknown size has 10,000,000. The
 * test of blocks needs the size of the cache, and takes the last value of each of its two signals.
 *
 * <p>Belongs to a {@link WorkerRegistry} and to its thread. Observing allocates nothing but for
 * {@link #observe(ActiveLoad)}, which allocates nothing of its own.
 */
public final class OverloadMonitor {
  private final WorkerRegistry registry;
  private OverloadThresholds thresholds = OverloadThresholds.NONE;
  private long unknownRanks;

  OverloadMonitor(final WorkerRegistry registry) {
    this.registry = registry;
  }

  /** The thresholds in force. */
  public OverloadThresholds thresholds() {
    return thresholds;
  }

  /** Sets the thresholds; all workers are judged again. */
  public void thresholds(final OverloadThresholds value) {
    thresholds = Objects.requireNonNull(value, "thresholds");
    for (int i = 0; i < registry.workerCount(); i++) {
      registry.judge(i);
    }
  }

  /**
   * Takes a report; what is absent in it stays as it was.
   *
   * @return false if there is no such rank; counted
   */
  public boolean observe(final ActiveLoad load) {
    return observe(
        load.workerId(),
        load.dpRank(),
        RegisteredWorker.known(load),
        load.activeDecodeBlocks().orElse(0),
        load.activePrefillTokens().orElse(0),
        load.kvUsedBlocks().orElse(0));
  }

  /**
   * Takes the router's own view of a rank.
   *
   * @param activeDecodeBlocks unsigned
   * @param activePrefillTokens unsigned
   * @return false if there is no such rank; counted
   */
  public boolean observe(
      final long workerId,
      final int dpRank,
      final long activeDecodeBlocks,
      final long activePrefillTokens) {
    return observe(
        workerId,
        dpRank,
        RegisteredWorker.DECODE | RegisteredWorker.PREFILL,
        activeDecodeBlocks,
        activePrefillTokens,
        0);
  }

  /**
   * Takes a worker's own word on its cache.
   *
   * @param kvUsedBlocks unsigned
   * @return false if there is no such rank; counted
   */
  public boolean observeUsedBlocks(final long workerId, final int dpRank, final long kvUsedBlocks) {
    return observe(workerId, dpRank, RegisteredWorker.USED, 0, 0, kvUsedBlocks);
  }

  boolean observe(
      final long workerId,
      final int dpRank,
      final int known,
      final long activeDecodeBlocks,
      final long activePrefillTokens,
      final long kvUsedBlocks) {
    final int at = registry.find(workerId);
    if (at < 0 || !registry.worker(at).hasRank(dpRank)) {
      unknownRanks++;
      return false;
    }
    registry
        .worker(at)
        .observe(dpRank, known, activeDecodeBlocks, activePrefillTokens, kvUsedBlocks);
    registry.judge(at);
    return true;
  }

  /** Forgets what all ranks have reported. */
  public void clear() {
    for (int i = 0; i < registry.workerCount(); i++) {
      registry.worker(i).forgetLoads();
      registry.judge(i);
    }
  }

  /** True if a worker is registered and overloaded. */
  public boolean isOverloaded(final long workerId) {
    final int at = registry.find(workerId);
    return at >= 0 && registry.isOverloaded(at);
  }

  /** Reports of ranks that are not registered. */
  public long unknownRanks() {
    return unknownRanks;
  }
}
