package io.kvroute.route;

/** Which cache, if any, all workers share. */
public enum SharedCacheType {
  /** None. */
  NONE,
  /** A hierarchical cache with a shared store. */
  HICACHE
}
