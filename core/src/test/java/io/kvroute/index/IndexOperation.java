package io.kvroute.index;

import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Rank;
import io.kvroute.protocol.StorageTier;
import java.util.ArrayList;
import java.util.List;

/**
 * One step of a twin run. Its text form is one line of a trace; {@link #parse} reads it, so that a
 * printed trace can be replayed.
 */
sealed interface IndexOperation {
  /** Applies it to both; the two results. */
  Object[] apply(NaiveIndex naive, RadixIndex index, IndexDriver driver);

  record Stored(Rank rank, int tier, Long parent, List<Block> blocks) implements IndexOperation {
    @Override
    public Object[] apply(
        final NaiveIndex naive, final RadixIndex index, final IndexDriver driver) {
      return new Object[] {
        naive.stored(rank, tier, parent, blocks), driver.stored(rank, tier, parent, blocks)
      };
    }

    @Override
    public String toString() {
      final StringBuilder text = new StringBuilder("stored " + head(rank, tier));
      text.append(' ').append(parent == null ? "-" : parent);
      blocks.forEach(
          block -> text.append(' ').append(block.hash()).append(':').append(block.local()));
      return text.toString();
    }
  }

  record Known(Rank rank, int tier, List<Long> hashes) implements IndexOperation {
    @Override
    public Object[] apply(
        final NaiveIndex naive, final RadixIndex index, final IndexDriver driver) {
      final long[] array = hashes.stream().mapToLong(Long::longValue).toArray();
      return new Object[] {
        naive.storedWithoutTokens(rank, tier, hashes),
        index.applyStoredWithoutTokens(
            rank.workerId(), rank.dpRank(), StorageTier.ofOrdinal(tier), array, 0, array.length)
      };
    }

    @Override
    public String toString() {
      return "known " + head(rank, tier) + tail(hashes);
    }
  }

  record Removed(Rank rank, int tier, List<Long> hashes) implements IndexOperation {
    @Override
    public Object[] apply(
        final NaiveIndex naive, final RadixIndex index, final IndexDriver driver) {
      return new Object[] {naive.removed(rank, tier, hashes), driver.removed(rank, tier, hashes)};
    }

    @Override
    public String toString() {
      return "removed " + head(rank, tier) + tail(hashes);
    }
  }

  record Cleared(Rank rank, int tier) implements IndexOperation {
    @Override
    public Object[] apply(
        final NaiveIndex naive, final RadixIndex index, final IndexDriver driver) {
      return new Object[] {naive.cleared(rank, tier), driver.cleared(rank, tier)};
    }

    @Override
    public String toString() {
      return "cleared " + head(rank, tier);
    }
  }

  record RemoveRank(Rank rank) implements IndexOperation {
    @Override
    public Object[] apply(
        final NaiveIndex naive, final RadixIndex index, final IndexDriver driver) {
      return new Object[] {
        naive.removeRank(rank), index.removeWorkerDpRank(rank.workerId(), rank.dpRank())
      };
    }

    @Override
    public String toString() {
      return "remove-rank " + head(rank, 0);
    }
  }

  record RemoveWorker(long workerId) implements IndexOperation {
    @Override
    public Object[] apply(
        final NaiveIndex naive, final RadixIndex index, final IndexDriver driver) {
      return new Object[] {naive.removeWorker(workerId), index.removeWorker(workerId)};
    }

    @Override
    public String toString() {
      return "remove-worker " + head(new Rank(workerId, 0), 0);
    }
  }

  record ClearWorker(long workerId) implements IndexOperation {
    @Override
    public Object[] apply(
        final NaiveIndex naive, final RadixIndex index, final IndexDriver driver) {
      return new Object[] {naive.clearAllBlocks(workerId), index.clearAllBlocks(workerId)};
    }

    @Override
    public String toString() {
      return "clear-worker " + head(new Rank(workerId, 0), 0);
    }
  }

  private static String head(final Rank rank, final int tier) {
    return rank.workerId() + " " + rank.dpRank() + " " + tier;
  }

  private static String tail(final List<Long> hashes) {
    final StringBuilder text = new StringBuilder();
    hashes.forEach(hash -> text.append(' ').append(hash));
    return text.toString();
  }

  /** Reads a line that {@code toString} wrote. */
  static IndexOperation parse(final String line) {
    final String[] words = line.trim().split(" ", -1);
    final Rank rank = new Rank(Long.parseLong(words[1]), Integer.parseInt(words[2]));
    final int tier = Integer.parseInt(words[3]);
    final List<Long> hashes = new ArrayList<>();
    for (int i = 4; i < words.length && !words[0].equals("stored"); i++) {
      hashes.add(Long.parseLong(words[i]));
    }
    return switch (words[0]) {
      case "stored" -> {
        final List<Block> blocks = new ArrayList<>();
        for (int i = 5; i < words.length; i++) {
          final String[] parts = words[i].split(":", -1);
          blocks.add(new Block(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
        }
        yield new Stored(rank, tier, words[4].equals("-") ? null : Long.valueOf(words[4]), blocks);
      }
      case "known" -> new Known(rank, tier, hashes);
      case "removed" -> new Removed(rank, tier, hashes);
      case "cleared" -> new Cleared(rank, tier);
      case "remove-rank" -> new RemoveRank(rank);
      case "remove-worker" -> new RemoveWorker(rank.workerId());
      case "clear-worker" -> new ClearWorker(rank.workerId());
      default -> throw new IllegalArgumentException("unknown operation: line=" + line);
    };
  }
}
