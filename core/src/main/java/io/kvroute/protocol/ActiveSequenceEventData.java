package io.kvroute.protocol;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * A step in the life of a request that routers tell each other. The growth of a request's output is
 * not among them: it is too frequent.
 */
public sealed interface ActiveSequenceEventData
    permits ActiveSequenceEventData.AddRequest,
        ActiveSequenceEventData.Free,
        ActiveSequenceEventData.MarkPrefillCompleted {

  /**
   * A request was routed.
   *
   * @param tokenSequence sequence hashes of its blocks, unsigned 64-bit; null if not tracked
   * @param trackPrefillTokens whether its prefill counts as load
   * @param expectedOutputTokens unsigned 32-bit, where known
   * @param prefillLoadHint what is expected of its prefill, or null
   */
  record AddRequest(
      UnsignedLongs tokenSequence,
      boolean trackPrefillTokens,
      OptionalInt expectedOutputTokens,
      PrefillLoadHint prefillLoadHint)
      implements ActiveSequenceEventData {
    /** Checks that the optional number is there. */
    public AddRequest {
      Objects.requireNonNull(expectedOutputTokens, "expectedOutputTokens");
    }
  }

  /** A request has ended. */
  record Free() implements ActiveSequenceEventData {}

  /** A request's prefill is done. */
  record MarkPrefillCompleted() implements ActiveSequenceEventData {}
}
