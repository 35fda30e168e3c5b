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
    final int at = known(load.workerId(), load.dpRank());
    if (at < 0) {
      return false;
    }
    final RegisteredWorker worker = registry.worker(at);
    if (load.activeDecodeBlocks().isPresent()) {
      worker.observeDecode(load.dpRank(), load.activeDecodeBlocks().getAsLong());
    }
    if (load.activePrefillTokens().isPresent()) {
      worker.observePrefill(load.dpRank(), load.activePrefillTokens().getAsLong());
    }
    if (load.kvUsedBlocks().isPresent()) {
      worker.observeUsed(load.dpRank(), load.kvUsedBlocks().getAsLong());
    }
    registry.judge(at);
    return true;
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
    final int at = known(workerId, dpRank);
    if (at < 0) {
      return false;
    }
    final RegisteredWorker worker = registry.worker(at);
    worker.observeDecode(dpRank, activeDecodeBlocks);
    worker.observePrefill(dpRank, activePrefillTokens);
    registry.judge(at);
    return true;
  }

  /**
   * Takes a worker's own word on its cache.
   *
   * @param kvUsedBlocks unsigned
   * @return false if there is no such rank; counted
   */
  public boolean observeUsedBlocks(final long workerId, final int dpRank, final long kvUsedBlocks) {
    final int at = known(workerId, dpRank);
    if (at < 0) {
      return false;
    }
    final RegisteredWorker worker = registry.worker(at);
    worker.observeUsed(dpRank, kvUsedBlocks);
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

  private int known(final long workerId, final int dpRank) {
    final int at = registry.find(workerId);
    if (at < 0 || !registry.worker(at).hasRank(dpRank)) {
      unknownRanks++;
      return -1;
    }
    return at;
  }
}
