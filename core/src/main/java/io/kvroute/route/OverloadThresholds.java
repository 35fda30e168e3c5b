package io.kvroute.route;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * From when on a rank is overloaded. A threshold that is not set is never passed.
 *
 * @param activeDecodeBlocksThreshold share of a rank's cache in blocks, 0 to 1
 * @param activePrefillTokensThreshold tokens that wait for prefill, unsigned 64-bit
 * @param activePrefillTokensThresholdFrac the same as a multiple of the largest batch, from 0 on
 */
public record OverloadThresholds(
    OptionalDouble activeDecodeBlocksThreshold,
    OptionalLong activePrefillTokensThreshold,
    OptionalDouble activePrefillTokensThresholdFrac) {
  /** Nothing is ever overloaded. */
  public static final OverloadThresholds NONE =
      new OverloadThresholds(OptionalDouble.empty(), OptionalLong.empty(), OptionalDouble.empty());

  /**
   * Checks the ranges.
   *
   * @throws KvRouterConfigException if a value is out of its range
   */
  public OverloadThresholds {
    Objects.requireNonNull(activePrefillTokensThreshold, "activePrefillTokensThreshold");
    Checks.fraction("active_decode_blocks_threshold", activeDecodeBlocksThreshold.orElse(0.0));
    Checks.notNegative(
        "active_prefill_tokens_threshold_frac", activePrefillTokensThresholdFrac.orElse(0.0));
  }
}
