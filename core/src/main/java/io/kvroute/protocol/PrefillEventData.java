package io.kvroute.protocol;

/** How far the prefill of a request has come. */
public sealed interface PrefillEventData
    permits PrefillEventData.NewPrefill,
        PrefillEventData.UpdatePrefill,
        PrefillEventData.CompletePrefill {

  /**
   * It begins.
   *
   * @param tokens pending, unsigned 64-bit
   */
  record NewPrefill(long tokens) implements PrefillEventData {}

  /**
   * It goes on.
   *
   * @param tokens pending, unsigned 64-bit
   */
  record UpdatePrefill(long tokens) implements PrefillEventData {}

  /** It is done. */
  record CompletePrefill() implements PrefillEventData {}
}
