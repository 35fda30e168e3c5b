package io.kvroute.protocol;

/** How strictly decode workers must share the prefill worker's topology domain. */
public enum KvTransferEnforcement {
  /** The topology's taint is a required one. */
  REQUIRED,
  /** The topology's taint is a preferred one. */
  PREFERRED
}
