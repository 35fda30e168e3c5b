package io.kvroute.twin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The naive manager behind the common interface. */
final class NaiveSubject implements KvSubject {
  private final NaiveSglangManager manager;
  private final Slots<NaiveLease> leases = new Slots<>(NaiveLease::new);
  private final Slots<List<Integer>> reservations = new Slots<>(ArrayList::new);
  private final Slots<NaiveDestination> destinations = new Slots<>(() -> null);

  NaiveSubject(final Config config) {
    manager =
        new NaiveSglangManager(
            config.totalTokens(),
            config.pageSize(),
            config.dpRank(),
            config.sink(),
            config.trace());
  }

  @Override
  public long allocate(final int lease, final int[] tokens, final int count) {
    return manager.allocate(tokens, count, leases.get(lease));
  }

  @Override
  public boolean extendAllocation(final int lease, final int[] tokens, final int count) {
    return manager.extendAllocation(tokens, count, leases.get(lease));
  }

  @Override
  public void extendCachedPrefix(final int lease, final int[] tokens, final int count) {
    manager.extendCachedPrefix(tokens, count, leases.get(lease));
  }

  @Override
  public boolean reserveDecodePages(final int reservation, final int pages) {
    if (!reservations.get(reservation).isEmpty()) {
      throw new IllegalStateException("the reservation is in use");
    }
    final List<Integer> taken = manager.reserveDecodePages(pages);
    if (taken == null) {
      return false;
    }
    reservations.set(reservation, taken);
    return true;
  }

  @Override
  public void extendDecode(final int lease, final int reservation) {
    manager.extendDecode(leases.get(lease), reservations.get(reservation));
  }

  @Override
  public long allocateDecodeToken(final int lease) {
    return manager.allocateDecodeToken(leases.get(lease));
  }

  @Override
  public void releaseDecodeReservation(final int reservation) {
    manager.releaseDecodeReservation(reservations.get(reservation));
  }

  @Override
  public void finish(final int lease, final int[] tokens, final int count) {
    manager.finish(tokens, count, leases.get(lease));
  }

  @Override
  public boolean abort(final int lease) {
    return manager.abort(leases.get(lease));
  }

  @Override
  public boolean retract(final int lease) {
    return manager.retract(leases.get(lease));
  }

  @Override
  public boolean reserveDestination(final int destination, final int[] tokens, final int count) {
    if (destinations.get(destination) != null) {
      throw new IllegalStateException("the destination is in use");
    }
    destinations.set(destination, manager.reserveDestination(tokens, count));
    return destinations.get(destination) != null;
  }

  @Override
  public long activateDestination(
      final int destination, final int lease, final int[] tokens, final int count) {
    final long prefix =
        manager.activateDestination(reserved(destination), tokens, count, leases.get(lease));
    destinations.set(destination, null);
    return prefix;
  }

  @Override
  public void cancelDestination(final int destination) {
    manager.cancelDestination(reserved(destination));
    destinations.set(destination, null);
  }

  private NaiveDestination reserved(final int destination) {
    final NaiveDestination reserved = destinations.get(destination);
    if (reserved == null) {
      throw new IllegalStateException("the destination is not in use");
    }
    return reserved;
  }

  @Override
  public void evict(final long tokens) {
    manager.evict(tokens);
  }

  @Override
  public long match(final int[] tokens, final int count) {
    return manager.match(tokens, count);
  }

  @Override
  public long prefixMatchLen(final int[] tokens, final int count) {
    return manager.prefixMatchLen(tokens, count);
  }

  @Override
  public void sink(final Consumer<TwinEvent> sink) {
    manager.sink(sink);
  }

  @Override
  public Figures figures() {
    return new Figures(
        manager.availableTokens(),
        manager.evictableTokens(),
        manager.protectedTokens(),
        manager.totalTokens(),
        manager.nodes(),
        manager.storedEvents(),
        manager.removedEvents(),
        manager.storedBlocks(),
        manager.removedBlocks(),
        manager.hashedBlocks(),
        manager.lastHashedBlocks(),
        manager.sinkFailures(),
        manager.unbalancedUnlocks());
  }

  @Override
  public LeaseState lease(final int slot) {
    final NaiveLease lease = leases.get(slot);
    final List<Long> indices =
        Arrays.stream(lease.tokenIndices(manager.pageSize())).boxed().toList();
    final long last = indices.isEmpty() ? -1 : indices.get(indices.size() - 1);
    return new LeaseState(lease.isActive(), lease.tokenCount, lease.cachedTokens, last, indices);
  }

  @Override
  public int reservationCount(final int reservation) {
    return reservations.get(reservation).size();
  }

  @Override
  public DestinationState destination(final int slot) {
    final NaiveDestination destination = destinations.get(slot);
    if (destination == null) {
      return null;
    }
    return new DestinationState(
        destination.prefixLen(),
        destination.transferablePromptTokens(),
        destination.allocatedTokens(),
        Arrays.stream(destination.tokenIndices()).boxed().toList());
  }

  @Override
  public void checkInvariants() {
    final TreeMap<Integer, String> owners = new TreeMap<>();
    own(owners, manager.pool().freePages(), "free list");
    for (final NaiveNode node : manager.cache().nodes()) {
      own(owners, node.pages, "tree");
      demand(node.isRoot() || node.size() > 0, "an edge is empty");
      demand(node.keys.size() == node.size(), "keys and pages of an edge differ in number");
    }
    for (final NaiveLease lease : leases.all()) {
      final int cached = lease.cachedTokens / manager.pageSize();
      own(owners, lease.pages.subList(cached, lease.pages.size()), "lease");
      if (lease.isActive()) {
        demand(
            manager.cache().pathPages(lease.node).equals(lease.pages.subList(0, cached)),
            "a lease's cached pages are not its path");
      }
    }
    reservations.all().forEach(pages -> own(owners, pages, "decode reservation"));
    for (final NaiveDestination destination : destinations.all()) {
      if (destination != null) {
        own(owners, destination.freshPages(), "destination");
      }
    }
    demand(owners.size() == manager.pool().total(), "a page has no owner");
    checkLocks();
    checkAdvertised(owners);
  }

  /** Each lock belongs to a lease or a destination at the node or below it. */
  private void checkLocks() {
    for (final NaiveNode node : manager.cache().nodes()) {
      long holders = 0;
      for (final NaiveLease lease : leases.all()) {
        holders += lease.isActive() && isAtOrBelow(lease.node, node) ? 1 : 0;
      }
      for (final NaiveDestination destination : destinations.all()) {
        holders += destination != null && isAtOrBelow(destination.node(), node) ? 1 : 0;
      }
      demand(
          node.locks == (node.isRoot() ? 0 : holders), "lock count is not the number of holders");
    }
  }

  private static boolean isAtOrBelow(final NaiveNode low, final NaiveNode high) {
    NaiveNode node = low;
    while (node != null && node != high) {
      node = node.parent;
    }
    return node == high;
  }

  private void checkAdvertised(final TreeMap<Integer, String> owners) {
    final TreeMap<Long, Integer> copies = new TreeMap<>();
    manager.hashOfPage().values().forEach(hash -> copies.merge(hash, 1, Integer::sum));
    demand(copies.equals(manager.copiesOfHash()), "copies of hashes are miscounted");
    for (final Integer page : manager.hashOfPage().keySet()) {
      final String owner = owners.get(page);
      demand(owner.equals("tree") || owner.equals("lease"), "a page is announced but " + owner);
    }
  }

  private static void own(
      final TreeMap<Integer, String> owners, final List<Integer> pages, final String owner) {
    for (final Integer page : pages) {
      final String other = owners.put(page, owner);
      demand(other == null, "page " + page + " belongs to " + other + " and to " + owner);
    }
  }

  private static void demand(final boolean condition, final String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
