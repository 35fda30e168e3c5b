package io.kvroute.jmh;

import io.kvroute.twin.NaiveLease;
import io.kvroute.twin.NaiveSglangManager;
import java.util.Arrays;
import java.util.List;

/** The control: the naive twin of our manager, in plain collections on the heap. */
final class ControlSubject extends Subject {
  private final NaiveSglangManager manager;
  private final NaiveLease[] leases;

  ControlSubject(final long poolTokens, final String sink, final int leases) {
    manager = NaiveSglangManager.of(poolTokens, PAGE_SIZE, counts(sink));
    this.leases = new NaiveLease[leases];
    Arrays.setAll(this.leases, i -> new NaiveLease());
  }

  @Override
  long allocate(final Prompt prompt, final int lease) {
    return manager.allocate(prompt.tokens, prompt.count, leases[lease]);
  }

  @Override
  boolean extendAllocation(final Prompt prompt, final int lease) {
    return manager.extendAllocation(prompt.tokens, prompt.count, leases[lease]);
  }

  @Override
  void extendCachedPrefix(final Prompt prompt, final int lease) {
    manager.extendCachedPrefix(prompt.tokens, prompt.count, leases[lease]);
  }

  @Override
  void decode(final int lease) {
    final NaiveLease active = leases[lease];
    final int pages = active.tokenCount() % PAGE_SIZE == 0 ? 1 : 0;
    List<Integer> reservation = manager.reserveDecodePages(pages);
    if (reservation == null) {
      manager.evict(PAGE_SIZE);
      reservation = manager.reserveDecodePages(pages);
      BenchmarkBase.require("page", 1, reservation == null ? 0 : 1);
    }
    manager.extendDecode(active, reservation);
    manager.releaseDecodeReservation(reservation);
  }

  @Override
  void finish(final Prompt prompt, final int lease) {
    manager.finish(prompt.tokens, prompt.count, leases[lease]);
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
    return manager.match(prompt.tokens, prompt.count);
  }

  @Override
  long prefixMatchLen(final Prompt prompt) {
    return manager.prefixMatchLen(prompt.tokens, prompt.count);
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
    return manager.availableTokens();
  }

  @Override
  long evictableTokens() {
    return manager.evictableTokens();
  }

  @Override
  long protectedTokens() {
    return manager.protectedTokens();
  }

  @Override
  long nodes() {
    return manager.nodes();
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
    manager.close();
  }
}
