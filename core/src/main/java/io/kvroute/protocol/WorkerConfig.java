package io.kvroute.protocol;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** What the scheduling layer needs to know of a worker's configuration. */
public interface WorkerConfig {
  /**
   * A worker that says nothing of itself but its ranks.
   *
   * @param startRank the first, unsigned 32-bit
   * @param size how many, unsigned 32-bit
   */
  static WorkerConfig ofRanks(final int startRank, final int size) {
    return new RanksOnly(startRank, size);
  }

  /** The first data-parallel rank, unsigned 32-bit. */
  int dataParallelStartRank();

  /** How many ranks there are, unsigned 32-bit. */
  int dataParallelSize();

  /** The most tokens that one step of the engine takes, unsigned 64-bit. */
  OptionalLong maxNumBatchedTokens();

  /** The size of the cache in blocks, unsigned 64-bit. */
  OptionalLong totalKvBlocks();

  /** The worker's taints; none by default. */
  default Set<String> taints() {
    return Set.of();
  }

  /**
   * A name of the worker that survives its restart, such as the host name of a stateful pod; null,
   * the default, if there is none and the worker's id has to do.
   */
  default String stableRoutingId() {
    return null;
  }

  /** Domain labels such as zone or rack; null, the default, if there are none. */
  default Map<String, String> topologyDomains() {
    return null;
  }

  /** The domain that transfers of cache must stay in, such as "zone"; null by default. */
  default String kvTransferDomain() {
    return null;
  }

  /** How strictly {@link #kvTransferDomain()} is enforced; null by default. */
  default KvTransferEnforcement kvTransferEnforcement() {
    return null;
  }

  /**
   * The weight of the domain's taint where enforcement is {@link KvTransferEnforcement#PREFERRED};
   * the value of a 32-bit float. Absent by default.
   */
  default OptionalDouble kvTransferPreferredWeight() {
    return OptionalDouble.empty();
  }
}
