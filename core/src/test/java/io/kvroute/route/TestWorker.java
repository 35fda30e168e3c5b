package io.kvroute.route;

import io.kvroute.protocol.KvTransferEnforcement;
import io.kvroute.protocol.WorkerConfig;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** What a worker says of itself, for tests. */
record TestWorker(
    int dataParallelStartRank,
    int dataParallelSize,
    OptionalLong maxNumBatchedTokens,
    OptionalLong totalKvBlocks,
    Set<String> taints,
    Map<String, String> topologyDomains,
    String kvTransferDomain,
    KvTransferEnforcement kvTransferEnforcement,
    OptionalDouble kvTransferPreferredWeight)
    implements WorkerConfig {

  static TestWorker ranks(final int start, final int size) {
    return new TestWorker(
        start,
        size,
        OptionalLong.empty(),
        OptionalLong.empty(),
        Set.of(),
        null,
        null,
        null,
        OptionalDouble.empty());
  }

  static TestWorker one() {
    return ranks(0, 1);
  }

  TestWorker limits(final long batch, final long blocks) {
    return new TestWorker(
        dataParallelStartRank,
        dataParallelSize,
        OptionalLong.of(batch),
        OptionalLong.of(blocks),
        taints,
        topologyDomains,
        kvTransferDomain,
        kvTransferEnforcement,
        kvTransferPreferredWeight);
  }

  TestWorker tainted(final String... values) {
    return new TestWorker(
        dataParallelStartRank,
        dataParallelSize,
        maxNumBatchedTokens,
        totalKvBlocks,
        Set.of(values),
        topologyDomains,
        kvTransferDomain,
        kvTransferEnforcement,
        kvTransferPreferredWeight);
  }

  TestWorker zone(
      final String zone, final KvTransferEnforcement enforcement, final double preferredWeight) {
    return new TestWorker(
        dataParallelStartRank,
        dataParallelSize,
        maxNumBatchedTokens,
        totalKvBlocks,
        taints,
        Map.of("zone", zone),
        "zone",
        enforcement,
        OptionalDouble.of(preferredWeight));
  }
}
