package io.kvroute.twin;

import io.kvroute.cache.CacheInspector;
import io.kvroute.cache.CacheView;
import io.kvroute.cache.PageChain;
import io.kvroute.cache.RadixCache;
import io.kvroute.engine.ActiveKvLease;
import io.kvroute.engine.DecodeReservation;
import io.kvroute.engine.DestinationReservation;
import io.kvroute.engine.EngineInspector;
import io.kvroute.engine.SglangKvManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold between the real manager's pages, locks and announcements and their owners. */
final class RealInvariants {
  private final SglangKvManager manager;
  private final CacheView view;
  private final List<ActiveKvLease> leases;
  private final List<DecodeReservation> reservations;
  private final List<DestinationReservation> destinations;
  private final List<Integer> holders;
  private final String[] owners;
  private final Set<Long> announcedInTree = new HashSet<>();
  private final Map<Long, Integer> announcedInFlight = new HashMap<>();

  RealInvariants(
      final SglangKvManager manager,
      final List<ActiveKvLease> leases,
      final List<DecodeReservation> reservations,
      final List<DestinationReservation> destinations,
      final List<Integer> holders) {
    this.manager = manager;
    this.view = new CacheView(manager.cache());
    this.leases = leases;
    this.reservations = reservations;
    this.destinations = destinations;
    this.holders = holders;
    this.owners = new String[manager.cache().pool().placeCount()];
  }

  void check() {
    CacheInspector.verify(manager.cache(), chains());
    checkOwners();
    checkLocks();
    checkCounts();
  }

  /**
   * Copies are counted for the blocks with an announced copy in flight, and for no others; or there
   * is one copy of each, all are of one lease, and none is counted.
   */
  private void checkCounts() {
    final PageChain alone = EngineInspector.alone(manager);
    if (alone != null) {
      final List<Long> uncounted =
          pages(alone).stream().filter(view::isPublished).map(view::hash).toList();
      demand(
          leases.stream().anyMatch(l -> l.isActive() && EngineInspector.owned(l) == alone),
          "the lone lease has ended");
      demand(EngineInspector.countedCopies(manager) == 0, "copies are counted beside a lone lease");
      demand(announcedInFlight.keySet().equals(Set.copyOf(uncounted)), "the lease is not alone");
      demand(announcedInFlight.size() == uncounted.size(), "a lone lease holds a block twice");
      demand(uncounted.stream().noneMatch(announcedInTree::contains), "the tree has it announced");
      return;
    }
    demand(
        EngineInspector.countedCopies(manager)
            == announcedInFlight.values().stream().mapToInt(Integer::intValue).sum(),
        "other copies are counted than those in flight");
    announcedInFlight.forEach(
        (hash, copies) ->
            demand(
                EngineInspector.count(manager, hash)
                    == 2 * copies + (announcedInTree.contains(hash) ? 1 : 0),
                "copies are miscounted"));
  }

  /**
   * Each page is free, in the tree, or with one owner; only pages of tree and leases are announced.
   */
  private void checkOwners() {
    own(view.free(), "free places", false);
    for (final Integer node : view.liveNodes()) {
      final List<Integer> pages = view.edge(node);
      own(pages, "tree", true);
      pages.stream().filter(view::isPublished).map(view::hash).forEach(announcedInTree::add);
    }
    for (final ActiveKvLease lease : leases) {
      final List<Integer> pages = pages(EngineInspector.owned(lease));
      own(pages, "lease", true);
      pages.stream()
          .filter(view::isPublished)
          .forEach(page -> announcedInFlight.merge(view.hash(page), 1, Integer::sum));
    }
    reservations.forEach(r -> own(pages(EngineInspector.owned(r)), "decode reservation", false));
    destinations.forEach(d -> own(pages(EngineInspector.owned(d)), "destination", false));
    for (final String owner : owners) {
      demand(owner != null, "a page has no owner");
    }
  }

  private List<PageChain> chains() {
    final List<PageChain> chains = new ArrayList<>();
    leases.forEach(lease -> chains.add(EngineInspector.owned(lease)));
    reservations.forEach(reservation -> chains.add(EngineInspector.owned(reservation)));
    destinations.forEach(destination -> chains.add(EngineInspector.owned(destination)));
    return chains;
  }

  private List<Integer> pages(final PageChain chain) {
    return view.pages(chain);
  }

  private void own(final List<Integer> pages, final String owner, final boolean mayBeAnnounced) {
    for (final Integer page : pages) {
      if (owners[page] != null || (!mayBeAnnounced && view.isPublished(page))) {
        throw new AssertionError(
            "page " + page + " of " + owner + " is announced, or owned by " + owners[page]);
      }
      owners[page] = owner;
    }
  }

  /** Each lock belongs to somebody at the node or below it. */
  private void checkLocks() {
    final Map<Integer, Integer> expected = new HashMap<>();
    for (final Integer start : lockedEnds()) {
      for (int node = start; node != RadixCache.ROOT; node = view.parent(node)) {
        expected.merge(node, 1, Integer::sum);
      }
    }
    for (final Integer node : view.liveNodes()) {
      demand(
          view.lockCount(node) == expected.getOrDefault(node, 0),
          "lock count is not the number of holders");
    }
  }

  private List<Integer> lockedEnds() {
    final List<Integer> ends = new ArrayList<>();
    leases.stream()
        .filter(ActiveKvLease::isActive)
        .forEach(lease -> ends.add(EngineInspector.node(lease)));
    destinations.stream()
        .filter(DestinationReservation::isActive)
        .forEach(destination -> ends.add(EngineInspector.node(destination)));
    holders.stream().filter(holder -> holder != null).forEach(ends::add);
    return ends;
  }

  private static void demand(final boolean condition, final String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
