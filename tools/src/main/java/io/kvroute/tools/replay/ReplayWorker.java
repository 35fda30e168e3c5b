package io.kvroute.tools.replay;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.CacheTrace;
import io.kvroute.engine.SglangKvManager;
import io.kvroute.hash.TokenView;
import io.kvroute.protocol.KvEventSink;

/** One simulated worker: its cache, and what it was given. */
final class ReplayWorker implements AutoCloseable, CacheTrace {
  private final int id;
  private final SglangKvManager manager;
  private final ActiveKvLease lease = new ActiveKvLease();
  private long requests;
  private long refused;
  private long inputTokens;
  private long hitTokens;
  private long evictions;
  private long evictedTokens;

  /** A worker whose events go to {@code sink}, which it may share with others of its thread. */
  ReplayWorker(final int id, final ReplaySettings settings, final KvEventSink sink) {
    this.id = id;
    this.manager =
        SglangKvManager.builder(settings.poolTokens(), settings.pageSize())
            .workerId(id)
            .sink(sink)
            .trace(this)
            .build();
  }

  /**
   * Runs a request's prompt: allocate, put it into the cache, finish.
   *
   * @return its cached prefix in tokens, or {@link SglangKvManager#REFUSED}
   */
  long run(final TokenView prompt) {
    final long prefix = manager.allocate(prompt, lease);
    requests++;
    inputTokens += prompt.count();
    if (prefix == SglangKvManager.REFUSED) {
      refused++;
      return prefix;
    }
    manager.extendCachedPrefix(prompt, lease);
    manager.finish(prompt, lease);
    hitTokens += prefix;
    return prefix;
  }

  @Override
  public void onCacheState(
      final Event event,
      final int dpRank,
      final long numTokens,
      final long pageSize,
      final long availableTokens,
      final long evictableTokens,
      final long protectedTokens,
      final long totalTokens) {
    if (event == Event.EVICTION) {
      evictions++;
      evictedTokens += numTokens;
    }
  }

  int id() {
    return id;
  }

  SglangKvManager manager() {
    return manager;
  }

  long requests() {
    return requests;
  }

  long refused() {
    return refused;
  }

  long inputTokens() {
    return inputTokens;
  }

  long hitTokens() {
    return hitTokens;
  }

  long evictions() {
    return evictions;
  }

  long evictedTokens() {
    return evictedTokens;
  }

  @Override
  public void close() {
    manager.close();
  }
}
