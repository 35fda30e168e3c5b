package io.kvroute.twin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The naive manager behind the common interface. */
final class NaiveSubject implements KvSubject {
  private final NaiveSglangManager manager;
  private final Slots<NaiveLease> leases = new Slots<>(NaiveLease::new);
  private final Slots<List<Integer>> reservations = new Slots<>(() -> null);
  private final Slots<NaiveDestination> destinations = new Slots<>(() -> null);
  private final Slots<NaiveNode> holders = new Slots<>(() -> null);
  private final Consumer<TwinEvent> events;
  private Consumer<TwinEvent> ledger = event -> {};

  NaiveSubject(final Config config) {
    events = config.events();
    manager =
        new NaiveSglangManager(
            config.totalTokens(),
            config.pageSize(),
            config.dpRank(),
            receiver(config.sink()),
            config.trace());
  }

  /** Hands every event to {@code listener} too, whether the sink is healthy or not. */
  void ledger(final Consumer<TwinEvent> listener) {
    ledger = listener;
  }

  private Predicate<TwinEvent> receiver(final SinkMode mode) {
    return mode == SinkMode.ABSENT ? null : event -> receive(event, mode);
  }

  private boolean receive(final TwinEvent event, final SinkMode mode) {
    ledger.accept(event);
    if (mode == SinkMode.HEALTHY) {
      events.accept(event);
      return true;
    }
    if (mode == SinkMode.NO_ROOM) {
      return false;
    }
    throw new IllegalStateException("the sink fails");
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
    if (reservationCount(reservation) > 0) {
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
    final List<Integer> pages = reservations.get(reservation);
    manager.extendDecode(leases.get(lease), pages == null ? List.of() : pages);
  }

  @Override
  public long allocateDecodeToken(final int lease) {
    return manager.allocateDecodeToken(leases.get(lease));
  }

  @Override
  public void releaseDecodeReservation(final int reservation) {
    final List<Integer> pages = reservations.get(reservation);
    if (pages == null) {
      throw new IllegalStateException("the reservation is not in use");
    }
    manager.releaseDecodeReservation(pages);
    reservations.set(reservation, null);
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
  public long lock(final int holder, final int[] tokens, final int count) {
    if (holders.get(holder) != null) {
      throw new IllegalStateException("the holder holds a lock");
    }
    holders.set(holder, manager.matchAndLock(tokens, count));
    return manager.prefixMatchLen(tokens, count);
  }

  @Override
  public void unlock(final int holder) {
    if (holders.get(holder) == null) {
      throw new IllegalStateException("the holder holds no lock");
    }
    manager.unlock(holders.get(holder));
    holders.set(holder, null);
  }

  @Override
  public void unlockUnlocked(final int[] tokens, final int count) {
    final NaiveNode node = manager.matchAndLock(tokens, count);
    manager.unlock(node);
    if (node.locks == 0) {
      manager.unlock(node);
    }
  }

  @Override
  public void sink(final SinkMode mode) {
    manager.sink(receiver(mode));
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
        manager.sinkRefusals(),
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
    final List<Integer> pages = reservations.get(reservation);
    return pages == null ? 0 : pages.size();
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
  public Snapshot snapshot() {
    final List<TreeNode> tree = new ArrayList<>();
    collect(manager.cache().root(), 0, tree);
    return new Snapshot(
        tree,
        manager.pool().recycled(),
        manager.pool().nextFresh(),
        new TreeMap<>(manager.hashOfPage()));
  }

  private static void collect(final NaiveNode node, final int depth, final List<TreeNode> tree) {
    tree.add(
        new TreeNode(
            depth, List.copyOf(node.keys), List.copyOf(node.pages), node.locks, node.stamp));
    new TreeMap<>(node.children).values().forEach(child -> collect(child, depth + 1, tree));
  }

  /** Hashes that count as announced: those of pages that were announced and not taken back. */
  Set<Long> advertised() {
    return manager.copiesOfHash().keySet();
  }

  @Override
  public void checkInvariants() {
    new NaiveInvariants(
            manager, leases.all(), reservations.all(), destinations.all(), holders.all())
        .check();
  }

  @Override
  public void close() {
    manager.close();
  }
}
