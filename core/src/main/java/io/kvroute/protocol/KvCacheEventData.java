package io.kvroute.protocol;

/** What a cache event says: blocks stored, blocks removed, or all cleared. */
public sealed interface KvCacheEventData
    permits KvCacheStoreData, KvCacheRemoveData, KvCacheEventData.Cleared {

  /** All blocks of the worker are gone. */
  record Cleared() implements KvCacheEventData {}
}
