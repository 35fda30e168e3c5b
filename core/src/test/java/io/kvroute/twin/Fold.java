package io.kvroute.twin;

import java.util.List;
import java.util.Locale;

/** A running checksum in the notation of the reference workloads. */
final class Fold {
  private long value;

  void add(final long item) {
    value = (value ^ item) * 0x100000001b3L;
  }

  /** Folds an event in: parent and pairs of hashes, or the complements of removed hashes. */
  void add(final TwinEvent event) {
    if (event instanceof TwinEvent.Stored stored) {
      add(stored.hasParent() ? stored.parent() : 0);
      final List<Long> tokensHashes = stored.tokensHashes();
      for (int i = 0; i < tokensHashes.size(); i++) {
        add(stored.blockHashes().get(i));
        add(tokensHashes.get(i));
      }
    } else if (event instanceof TwinEvent.Removed removed) {
      for (final long hash : removed.blockHashes()) {
        add(~hash);
      }
    }
  }

  String hex() {
    return String.format(Locale.ROOT, "%016x", value);
  }
}
