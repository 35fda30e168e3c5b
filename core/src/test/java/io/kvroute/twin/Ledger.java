package io.kvroute.twin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The hashes that a stream of events advertises; each is stored, removed, stored and so on. */
final class Ledger {
  private static final BlockHashing HASHING = BlockHashing.reference();

  private final Set<Long> advertised = new HashSet<>();

  /** Books an event; fails if it stores what is advertised or removes what is not. */
  void book(final TwinEvent event) {
    if (event instanceof TwinEvent.Stored stored) {
      for (final Long hash : stored.blockHashes()) {
        demand(advertised.add(hash), "stored twice: hash=" + Long.toUnsignedString(hash));
      }
    } else if (event instanceof TwinEvent.Removed removed) {
      for (final Long hash : removed.blockHashes()) {
        demand(advertised.remove(hash), "removed unannounced: hash=" + Long.toUnsignedString(hash));
      }
    }
  }

  /** What nobody heard go. */
  void forgetAllBut(final Set<Long> hashes) {
    advertised.retainAll(hashes);
  }

  Set<Long> advertised() {
    return advertised;
  }

  /** A page of the tree that is announced is so under the chain of the keys on its path. */
  static void checkHashes(final KvSubject.Snapshot state) {
    final List<Long> ends = new ArrayList<>();
    for (final KvSubject.TreeNode node : state.tree()) {
      Long hash = node.depth() < 2 ? null : ends.get(node.depth() - 1);
      for (int i = 0; i < node.pages().size(); i++) {
        final long key = node.keys().get(i);
        hash = hash == null ? key : HASHING.next(hash, key);
        final Long announced = state.published().get(node.pages().get(i));
        demand(announced == null || announced.equals(hash), "a page has the hash of another path");
      }
      ends.subList(Math.min(node.depth(), ends.size()), ends.size()).clear();
      ends.add(hash);
    }
  }

  private static void demand(final boolean condition, final String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
