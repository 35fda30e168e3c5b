package io.kvroute.route;

/** Who predicts how long a prefill takes. */
public enum RouterPrefillLoadModel {
  /** Nobody: prefills count in full until they are done. */
  NONE,
  /** A model of the engine's speed, supplied by the embedder. */
  AIC
}
