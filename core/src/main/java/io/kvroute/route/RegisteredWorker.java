package io.kvroute.route;

import io.kvroute.protocol.ActiveLoad;
import io.kvroute.protocol.KvTransferEnforcement;
import io.kvroute.protocol.UnsignedMath;
import io.kvroute.protocol.WorkerConfig;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the router knows of one worker: its description, copied, and the loads that its ranks have
 * reported.
 */
final class RegisteredWorker {
  /** Which signals of a rank are known, as bits. */
  static final int DECODE = 1;

  static final int PREFILL = 2;
  static final int USED = 4;
  private static final long DEFAULT_MAX_BATCHED_TOKENS = 10_000_000;

  final long id;
  final long generation;
  final int startRank;
  final int size;
  final Set<String> taints;
  final String kvTransferTaint;
  final KvTransferEnforcement kvTransferEnforcement;
  final double kvTransferPreferredWeight;
  final long maxBatchedTokens;

  private final double totalKvBlocks;
  private final byte[] known;
  private final long[] decodeBlocks;
  private final long[] prefillTokens;
  private final long[] usedBlocks;
  private int knownRanks;

  RegisteredWorker(final long id, final long generation, final WorkerConfig config) {
    this.id = id;
    this.generation = generation;
    startRank = config.dataParallelStartRank();
    size = config.dataParallelSize();
    taints = taints(config);
    kvTransferTaint = kvTransferTaint(config);
    kvTransferEnforcement = config.kvTransferEnforcement();
    kvTransferPreferredWeight = config.kvTransferPreferredWeight().orElse(0.0);
    maxBatchedTokens = config.maxNumBatchedTokens().orElse(DEFAULT_MAX_BATCHED_TOKENS);
    totalKvBlocks = UnsignedMath.toDouble(config.totalKvBlocks().orElse(0));
    known = new byte[size];
    decodeBlocks = new long[size];
    prefillTokens = new long[size];
    usedBlocks = new long[size];
  }

  private static Set<String> taints(final WorkerConfig config) {
    final Set<String> all = new HashSet<>(config.taints());
    final Map<String, String> domains = config.topologyDomains();
    if (domains != null) {
      domains.forEach((domain, value) -> all.add(TopologyTaints.taint(domain, value)));
    }
    return all;
  }

  private static String kvTransferTaint(final WorkerConfig config) {
    final String domain = config.kvTransferDomain();
    final Map<String, String> domains = config.topologyDomains();
    final String value = domain == null || domains == null ? null : domains.get(domain);
    return value == null ? null : TopologyTaints.taint(domain, value);
  }

  boolean hasRank(final int dpRank) {
    return Integer.compareUnsigned(dpRank - startRank, size) < 0;
  }

  /** Takes over what ranks have reported that were there before, too. */
  void copyLoads(final RegisteredWorker before) {
    for (int i = 0; i < size; i++) {
      final int from = startRank + i - before.startRank;
      if (before.hasRank(startRank + i)) {
        known[i] = before.known[from];
        decodeBlocks[i] = before.decodeBlocks[from];
        prefillTokens[i] = before.prefillTokens[from];
        usedBlocks[i] = before.usedBlocks[from];
        knownRanks += known[i] == 0 ? 0 : 1;
      }
    }
  }

  void forgetLoads() {
    Arrays.fill(known, (byte) 0);
    knownRanks = 0;
  }

  /** Which signals a report has, as bits. */
  static int known(final ActiveLoad load) {
    return (load.activeDecodeBlocks().isPresent() ? DECODE : 0)
        | (load.activePrefillTokens().isPresent() ? PREFILL : 0)
        | (load.kvUsedBlocks().isPresent() ? USED : 0);
  }

  /** Takes the signals that are known of a rank of this worker. */
  void observe(
      final int dpRank, final int signals, final long decode, final long prefill, final long used) {
    final int i = dpRank - startRank;
    if ((signals & DECODE) != 0) {
      decodeBlocks[i] = decode;
    }
    if ((signals & PREFILL) != 0) {
      prefillTokens[i] = prefill;
    }
    if ((signals & USED) != 0) {
      usedBlocks[i] = used;
    }
    if (known[i] == 0 && signals != 0) {
      knownRanks++;
    }
    known[i] |= (byte) signals;
  }

  /** Overloaded are workers all of whose known ranks are, if there are any. */
  boolean isOverloaded(final OverloadThresholds thresholds) {
    boolean all = knownRanks > 0;
    for (int i = 0; all && i < size; i++) {
      all = known[i] == 0 || passesPrefill(i, thresholds) || passesDecode(i, thresholds);
    }
    return all;
  }

  private boolean passesPrefill(final int i, final OverloadThresholds thresholds) {
    if ((known[i] & PREFILL) == 0) {
      return false;
    }
    final long tokens = prefillTokens[i];
    if (thresholds.activePrefillTokensThreshold().isPresent()
        && Long.compareUnsigned(tokens, thresholds.activePrefillTokensThreshold().getAsLong())
            > 0) {
      return true;
    }
    if (thresholds.activePrefillTokensThresholdFrac().isEmpty()) {
      return false;
    }
    final double fraction = thresholds.activePrefillTokensThresholdFrac().getAsDouble();
    return Long.compareUnsigned(
            tokens, UnsignedMath.floor(fraction * UnsignedMath.toDouble(maxBatchedTokens)))
        > 0;
  }

  /**
   * The last value of each signal decides. So a rank that either signal has put above the threshold
   * stays overloaded until that same signal comes down again, whatever the other one says.
   */
  private boolean passesDecode(final int i, final OverloadThresholds thresholds) {
    if (thresholds.activeDecodeBlocksThreshold().isEmpty() || totalKvBlocks == 0.0) {
      return false;
    }
    final double limit = thresholds.activeDecodeBlocksThreshold().getAsDouble() * totalKvBlocks;
    return ((known[i] & DECODE) != 0 && UnsignedMath.toDouble(decodeBlocks[i]) > limit)
        || ((known[i] & USED) != 0 && UnsignedMath.toDouble(usedBlocks[i]) > limit);
  }
}
