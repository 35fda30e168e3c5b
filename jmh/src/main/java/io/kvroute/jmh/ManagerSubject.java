package io.kvroute.jmh;

import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.DecodeReservation;
import io.kvroute.engine.SglangKvManager;
import java.util.Arrays;

/** Ours. */
final class ManagerSubject extends Subject {
  private final CountingSink sink;
  private final SglangKvManager manager;
  private final ActiveKvLease[] leases;
  private final DecodeReservation reservation = new DecodeReservation();

  ManagerSubject(final long poolTokens, final String sink, final int leases) {
    this.sink = counts(sink) ? new CountingSink() : null;
    manager = SglangKvManager.builder(poolTokens, PAGE_SIZE).sink(this.sink).build();
    this.leases = new ActiveKvLease[leases];
    Arrays.setAll(this.leases, i -> new ActiveKvLease());
  }

  @Override
  long allocate(final Prompt prompt, final int lease) {
    return manager.allocate(prompt.view, leases[lease]);
  }

  @Override
  boolean extendAllocation(final Prompt prompt, final int lease) {
    return manager.extendAllocation(prompt.view, leases[lease]);
  }

  @Override
  void extendCachedPrefix(final Prompt prompt, final int lease) {
    manager.extendCachedPrefix(prompt.view, leases[lease]);
  }

  @Override
  void decode(final int lease) {
    final ActiveKvLease active = leases[lease];
    final int pages = active.tokenCount() % PAGE_SIZE == 0 ? 1 : 0;
    if (!manager.reserveDecodePages(pages, reservation)) {
      manager.evict(PAGE_SIZE);
      BenchmarkBase.require("page", 1, manager.reserveDecodePages(pages, reservation) ? 1 : 0);
    }
    manager.extendDecode(active, reservation);
    manager.releaseDecodeReservation(reservation);
  }

  @Override
  void finish(final Prompt prompt, final int lease) {
    manager.finish(prompt.view, leases[lease]);
  }

  @Override
  boolean abort(final int lease) {
    return manager.abort(leases[lease]);
  }

  @Override
  void evict(final long tokens) {
    manager.evict(tokens);
  }

  @Override
  long match(final Prompt prompt) {
    return manager.cache().matchPrefix(prompt.view);
  }

  @Override
  long prefixMatchLen(final Prompt prompt) {
    return manager.cache().prefixMatchLen(prompt.view);
  }

  @Override
  long tokenCount(final int lease) {
    return leases[lease].tokenCount();
  }

  @Override
  long cachedTokens(final int lease) {
    return leases[lease].cachedTokens();
  }

  @Override
  long availableTokens() {
    return manager.cache().availableTokens();
  }

  @Override
  long evictableTokens() {
    return manager.cache().evictableTokens();
  }

  @Override
  long protectedTokens() {
    return manager.cache().protectedTokens();
  }

  @Override
  long nodes() {
    return manager.cache().nodes();
  }

  @Override
  long storedBlocks() {
    return manager.storedBlocks();
  }

  @Override
  long removedBlocks() {
    return manager.removedBlocks();
  }

  @Override
  long hashedBlocks() {
    return manager.hashedBlocks();
  }

  @Override
  public void close() {
    BenchmarkBase.require("events", manager.nextEventId(), sink == null ? 0 : sink.events());
    manager.close();
  }
}
