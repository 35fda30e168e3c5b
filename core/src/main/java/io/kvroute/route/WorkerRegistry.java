package io.kvroute.route;

import io.kvroute.protocol.RoutingConstraints;
import io.kvroute.protocol.WorkerConfig;
import io.kvroute.route.WorkerRegistrationException.Reason;
import java.util.Arrays;

/**
 * The workers that requests can be routed to, in the order of their ids, unsigned. A worker's ranks
 * are the {@code size} from its start rank on. What a worker says of itself is copied when it
 * registers; a registration has a generation that never comes again, so that what is still under
 * way from an earlier registration can be told apart.
 *
 * <p>Not thread-safe. Looking up allocates nothing.
 */
public final class WorkerRegistry {
  private static final int DEFAULT_RANK_CAPACITY = 1 << 16;
  private static final long DP_RANK_END = 1L << 32;

  private final long blockSize;
  private final long rankCapacity;
  private final OverloadMonitor overload = new OverloadMonitor(this);
  private RegisteredWorker[] workers = new RegisteredWorker[0];

  private long[] ids = new long[0];
  private boolean[] overloaded = new boolean[0];

  // All ranks of all workers in one order: selection walks over nothing else.
  private long[] rankWorkerIds = new long[0];
  private int[] rankDpRanks = new int[0];
  private int[] rankWorkers = new int[0];

  private int rankCount;
  private long generation;
  private long version;
  private long refusals;

  /**
   * Makes an empty registry for up to 65,536 ranks.
   *
   * @param blockSize tokens of the router's blocks, from 1 to 2^32-1
   */
  public WorkerRegistry(final long blockSize) {
    this(blockSize, DEFAULT_RANK_CAPACITY);
  }

  /**
   * Makes an empty registry.
   *
   * @param blockSize tokens of the router's blocks, from 1 to 2^32-1
   * @param rankCapacity the most ranks, from 1 on
   */
  public WorkerRegistry(final long blockSize, final int rankCapacity) {
    if (blockSize < 1 || blockSize >= DP_RANK_END || rankCapacity < 1) {
      throw badCapacity(blockSize, rankCapacity);
    }
    this.blockSize = blockSize;
    this.rankCapacity = rankCapacity;
  }

  private static IllegalArgumentException badCapacity(
      final long blockSize, final int rankCapacity) {
    return new IllegalArgumentException(
        "registry out of range: blockSize=" + blockSize + " rankCapacity=" + rankCapacity);
  }

  // ------ changes

  /**
   * Adds a worker. Costs a copy of the list of workers.
   *
   * @param workerId unsigned
   * @param config is copied
   * @param engineBlockSize tokens of a page of the worker's engine; 0 if it does not say. It has to
   *     be the router's, since pages are not put together or taken apart
   * @return the generation of the registration, from 1 on
   * @throws WorkerRegistrationException if it cannot be; counted
   */
  public long register(final long workerId, final WorkerConfig config, final long engineBlockSize) {
    checkBlockSize(workerId, engineBlockSize);
    final int at = find(workerId);
    if (at >= 0) {
      throw refused(Reason.DUPLICATE_WORKER, workerId, "worker is registered", 0);
    }
    checkRanks(workerId, config, 0);
    final RegisteredWorker worker = new RegisteredWorker(workerId, generation + 1, config);
    insert(-at - 1, worker);
    generation++;
    return generation;
  }

  /**
   * Replaces what is known of a worker: taints, topology, limits, ranks. The registration stays the
   * same, and so do the loads of ranks that stay.
   *
   * @throws WorkerRegistrationException if it cannot be; counted
   */
  public void update(final long workerId, final WorkerConfig config) {
    final int at = find(workerId);
    if (at < 0) {
      throw refused(Reason.UNKNOWN_WORKER, workerId, "worker is not registered", 0);
    }
    final RegisteredWorker before = workers[at];
    checkRanks(workerId, config, before.size);
    final RegisteredWorker worker = new RegisteredWorker(workerId, before.generation, config);
    worker.copyLoads(before);
    workers[at] = worker;
    rankCount += worker.size - before.size;
    become(workers);
  }

  /**
   * Removes a worker.
   *
   * @return false if it was not registered
   */
  public boolean remove(final long workerId) {
    final int at = find(workerId);
    if (at < 0) {
      return false;
    }
    rankCount -= workers[at].size;
    final RegisteredWorker[] fewer = new RegisteredWorker[workers.length - 1];
    System.arraycopy(workers, 0, fewer, 0, at);
    System.arraycopy(workers, at + 1, fewer, at, fewer.length - at);
    become(fewer);
    return true;
  }

  /** Takes an update back. */
  void restore(final RegisteredWorker before) {
    final int at = find(before.id);
    rankCount += before.size - workers[at].size;
    workers[at] = before;
    become(workers);
  }

  private void insert(final int at, final RegisteredWorker worker) {
    final RegisteredWorker[] more = Arrays.copyOf(workers, workers.length + 1);
    System.arraycopy(workers, at, more, at + 1, workers.length - at);
    more[at] = worker;
    rankCount += worker.size;
    become(more);
  }

  private void become(final RegisteredWorker[] all) {
    workers = all;
    ids = new long[all.length];
    overloaded = new boolean[all.length];
    rankWorkerIds = new long[rankCount];
    rankDpRanks = new int[rankCount];
    rankWorkers = new int[rankCount];
    int rank = 0;
    for (int i = 0; i < all.length; i++) {
      ids[i] = all[i].id;
      judge(i);
      for (int r = 0; r < all[i].size; r++) {
        rankWorkerIds[rank] = all[i].id;
        rankDpRanks[rank] = all[i].startRank + r;
        rankWorkers[rank] = i;
        rank++;
      }
    }
    version++;
  }

  /** A worker's reports, or the thresholds, have changed. */
  void judge(final int i) {
    overloaded[i] = workers[i].isOverloaded(overload.thresholds());
  }

  private void checkBlockSize(final long workerId, final long engineBlockSize) {
    if (engineBlockSize == 0) {
      throw refused(
          Reason.BLOCK_SIZE_UNKNOWN, workerId, "worker tells no block size", engineBlockSize);
    }
    final int order = Long.compareUnsigned(engineBlockSize, blockSize);
    if (order < 0) {
      throw refused(
          Reason.PAGES_SMALLER_THAN_BLOCKS,
          workerId,
          "engine's pages are smaller than the router's blocks",
          engineBlockSize);
    }
    if (order > 0) {
      throw refused(
          Reason.PAGES_LARGER_THAN_BLOCKS,
          workerId,
          "engine's pages are larger than the router's blocks",
          engineBlockSize);
    }
  }

  private void checkRanks(final long workerId, final WorkerConfig config, final int before) {
    final long start = Integer.toUnsignedLong(config.dataParallelStartRank());
    final long size = Integer.toUnsignedLong(config.dataParallelSize());
    if (size == 0) {
      throw refused(Reason.INVALID_DP_SIZE, workerId, "worker has no ranks", size);
    }
    if (start + size > DP_RANK_END) {
      throw refused(Reason.INVALID_DP_RANGE, workerId, "ranks end above 2^32", start + size);
    }
    if (rankCount - before + size > rankCapacity) {
      throw refused(
          Reason.TOO_MANY_RANKS, workerId, "registry is full: rankCapacity=" + rankCapacity, size);
    }
  }

  private WorkerRegistrationException refused(
      final Reason reason, final long workerId, final String what, final long value) {
    refusals++;
    return new WorkerRegistrationException(
        reason,
        workerId,
        what
            + ": workerId="
            + Long.toUnsignedString(workerId)
            + " value="
            + Long.toUnsignedString(value)
            + " blockSize="
            + blockSize);
  }

  // ------ questions

  /** Tokens of the router's blocks. */
  public long blockSize() {
    return blockSize;
  }

  /** How many workers there are. */
  public int workerCount() {
    return workers.length;
  }

  /** How many ranks all workers have together. */
  public int rankCount() {
    return rankCount;
  }

  /** Changes with every registration, update and removal. */
  public long version() {
    return version;
  }

  /** Registrations and updates that were refused. */
  public long refusals() {
    return refusals;
  }

  /**
   * The worker at a place in the order, unsigned.
   *
   * @param i from 0 to {@link #workerCount()} - 1
   */
  public long workerId(final int i) {
    return ids[i];
  }

  /** The first rank of the worker at a place in the order, unsigned. */
  public int startRank(final int i) {
    return workers[i].startRank;
  }

  /** How many ranks the worker at a place in the order has. */
  public int ranks(final int i) {
    return workers[i].size;
  }

  /** True if a worker is registered. */
  public boolean isRegistered(final long workerId) {
    return find(workerId) >= 0;
  }

  /** True if a worker is registered and has a rank. */
  public boolean hasRank(final long workerId, final int dpRank) {
    final RegisteredWorker worker = get(workerId);
    return worker != null && worker.hasRank(dpRank);
  }

  /** The generation of a worker's registration, or 0 if it is not registered. */
  public long generation(final long workerId) {
    final RegisteredWorker worker = get(workerId);
    return worker == null ? 0 : worker.generation;
  }

  /** The most tokens that a step of a worker takes, unsigned; 10,000,000 if it does not say. */
  public long maxNumBatchedTokens(final int i) {
    return workers[i].maxBatchedTokens;
  }

  /** True if the worker at a place in the order is overloaded. */
  public boolean isOverloaded(final int i) {
    return overloaded[i];
  }

  /** Which workers are overloaded. */
  public OverloadMonitor overload() {
    return overload;
  }

  /**
   * The constraints of a request's decode phase, after its prefill has been given to a worker: with
   * the taint of that worker's transfer domain required, or preferred with the worker's weight,
   * whichever it asks for. Allocates if that changes anything.
   *
   * @param constraints of the request
   * @param prefillWorkerId where its prefill runs, unsigned
   */
  public RoutingConstraints decodeConstraints(
      final RoutingConstraints constraints, final long prefillWorkerId) {
    final RegisteredWorker worker = get(prefillWorkerId);
    if (worker == null || worker.kvTransferTaint == null || worker.kvTransferEnforcement == null) {
      return constraints;
    }
    return TopologyTaints.merge(
        constraints,
        worker.kvTransferTaint,
        worker.kvTransferEnforcement,
        (float) worker.kvTransferPreferredWeight);
  }

  /** Place in the order of all ranks of a worker's first rank. */
  int firstRank(final int i) {
    int first = 0;
    for (int w = 0; w < i; w++) {
      first += workers[w].size;
    }
    return first;
  }

  /** Worker of the rank at a place in the order of all ranks. */
  long rankWorkerId(final int rank) {
    return rankWorkerIds[rank];
  }

  /** Data-parallel rank of the rank at a place in the order of all ranks. */
  int rankDpRank(final int rank) {
    return rankDpRanks[rank];
  }

  /** Place in the order of workers of the worker of the rank at a place in the order of ranks. */
  int rankWorker(final int rank) {
    return rankWorkers[rank];
  }

  /** The worker at a place in the order. */
  RegisteredWorker worker(final int i) {
    return workers[i];
  }

  /** Where a worker is in the order, or -1 - the place where it would be. */
  int find(final long workerId) {
    int low = 0;
    int high = ids.length - 1;
    while (low <= high) {
      final int middle = (low + high) >>> 1;
      final int order = Long.compareUnsigned(ids[middle], workerId);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  RegisteredWorker get(final long workerId) {
    final int at = find(workerId);
    return at < 0 ? null : workers[at];
  }
}
