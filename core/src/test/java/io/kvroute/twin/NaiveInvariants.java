package io.kvroute.twin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must hold between the naive manager's pages, locks and announcements and their owners. */
final class NaiveInvariants {
  private final NaiveSglangManager manager;
  private final List<NaiveLease> leases;
  private final List<List<Integer>> reservations;
  private final List<NaiveDestination> destinations;
  private final List<NaiveNode> holders;
  private final String[] owners;

  NaiveInvariants(
      final NaiveSglangManager manager,
      final List<NaiveLease> leases,
      final List<List<Integer>> reservations,
      final List<NaiveDestination> destinations,
      final List<NaiveNode> holders) {
    this.manager = manager;
    this.leases = leases;
    this.reservations = reservations;
    this.destinations = destinations;
    this.holders = holders;
    this.owners = new String[manager.pool().total()];
  }

  void check() {
    checkOwners();
    checkLocks();
    checkAnnounced();
  }

  /** Each page is free, in the tree, or with one owner. */
  private void checkOwners() {
    own(manager.pool().freePages(), "free list");
    for (final NaiveNode node : manager.cache().nodes()) {
      own(node.pages, "tree");
      demand(node.isRoot() || node.size() > 0, "an edge is empty");
      demand(node.keys.size() == node.size(), "keys and pages of an edge differ in number");
    }
    for (final NaiveLease lease : leases) {
      final int cached = lease.cachedTokens / manager.pageSize();
      own(lease.pages.subList(cached, lease.pages.size()), "lease");
      if (lease.isActive()) {
        demand(
            manager.cache().pathPages(lease.node).equals(lease.pages.subList(0, cached)),
            "a lease's cached pages are not its path");
      }
    }
    for (final List<Integer> pages : reservations) {
      own(pages == null ? List.of() : pages, "decode reservation");
    }
    for (final NaiveDestination destination : destinations) {
      own(destination == null ? List.of() : destination.freshPages(), "destination");
    }
    for (final String owner : owners) {
      demand(owner != null, "a page has no owner");
    }
  }

  private void own(final List<Integer> pages, final String owner) {
    for (final Integer page : pages) {
      if (owners[page] != null) {
        throw new AssertionError(
            "page " + page + " is owned twice: " + owners[page] + " and " + owner);
      }
      owners[page] = owner;
    }
  }

  /** Each lock belongs to a lease, a destination or a holder at the node or below it. */
  private void checkLocks() {
    final Map<NaiveNode, Integer> expected = new HashMap<>();
    leases.forEach(lease -> countLocks(expected, lease.node));
    destinations.forEach(place -> countLocks(expected, place == null ? null : place.node()));
    holders.forEach(node -> countLocks(expected, node));
    for (final NaiveNode node : manager.cache().nodes()) {
      demand(
          node.locks == expected.getOrDefault(node, 0), "lock count is not the number of holders");
    }
  }

  private static void countLocks(final Map<NaiveNode, Integer> counts, final NaiveNode start) {
    for (NaiveNode node = start; node != null && !node.isRoot(); node = node.parent) {
      counts.merge(node, 1, Integer::sum);
    }
  }

  private void checkAnnounced() {
    final Map<Long, Integer> copies = new HashMap<>();
    manager.hashOfPage().values().forEach(hash -> copies.merge(hash, 1, Integer::sum));
    demand(copies.equals(manager.copiesOfHash()), "copies of hashes are miscounted");
    for (final Integer page : manager.hashOfPage().keySet()) {
      final String owner = owners[page];
      demand(owner.equals("tree") || owner.equals("lease"), "a page without owner is announced");
    }
  }

  private static void demand(final boolean condition, final String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
