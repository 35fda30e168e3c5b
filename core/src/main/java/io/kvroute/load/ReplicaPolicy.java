package io.kvroute.load;

/** What to do with another router's request for a rank that is not known here. */
public enum ReplicaPolicy {
  /** The rank becomes known. */
  LAZY_REGISTER,
  /** The request is dropped. */
  REQUIRE_REGISTERED
}
