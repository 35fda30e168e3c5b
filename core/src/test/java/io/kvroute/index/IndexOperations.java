package io.kvroute.index;

import io.kvroute.index.NaiveIndex.Block;
import io.kvroute.index.NaiveIndex.Column;
import io.kvroute.index.NaiveIndex.Place;
import io.kvroute.index.NaiveIndex.Rank;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Draws operations that are likely to meet each other: shared paths, live names, near misses. */
final class IndexOperations {
  /** How operations are drawn. */
  record Style(
      int workers,
      int dpRanks,
      int families,
      int depth,
      int tiers,
      Naming naming,
      int disturbance) {
    int ranks() {
      return workers * dpRanks;
    }
  }

  /** How engines name blocks. */
  enum Naming {
    /** All alike: the hash says the path. */
    AGREED,
    /** Some ranks have names of their own. */
    SALTED,
    /** Sometimes another name for the same block. */
    ALIASES,
    /** A few numbers for everything. */
    TINY
  }

  private final Style style;
  private final Random random;
  private IndexOperation last;

  IndexOperations(final Style style, final Random random) {
    this.style = style;
    this.random = random;
  }

  IndexOperation next(final NaiveIndex naive) {
    final Rank rank = anyRank();
    final int tier = random.nextInt(3) == 0 ? random.nextInt(style.tiers) : 0;
    final int draw = random.nextInt(1000);
    if (draw < 20 && last != null) {
      return last;
    }
    last = draw(naive, rank, tier, draw);
    return last;
  }

  private IndexOperation draw(
      final NaiveIndex naive, final Rank rank, final int tier, final int draw) {
    if (draw < 400) {
      return stored(naive, rank, tier);
    }
    if (draw < 1000 - 4 * style.disturbance) {
      return removed(naive, rank, tier);
    }
    return switch ((draw - 1000 + 4 * style.disturbance) / Math.max(1, style.disturbance / 2)) {
      case 0 -> new IndexOperation.Cleared(rank, random.nextInt(style.tiers));
      case 1 -> new IndexOperation.RemoveRank(rank);
      case 2 -> new IndexOperation.RemoveWorker(rank.workerId());
      case 3 -> new IndexOperation.ClearWorker(rank.workerId());
      default -> new IndexOperation.Known(rank, tier, someHashes(naive));
    };
  }

  private Rank anyRank() {
    final long worker = random.nextInt(style.workers) - 1L;
    return new Rank(worker, random.nextInt(style.dpRanks) * 0x4000_0001);
  }

  private IndexOperation stored(final NaiveIndex naive, final Rank rank, final int tier) {
    final Map<Long, Place> names = naive.namesOfRank.getOrDefault(rank, Map.of());
    Place place = naive.root;
    Long parent = null;
    if (!names.isEmpty() && random.nextInt(3) != 0) {
      parent = pick(names.keySet());
      place = names.get(parent);
    } else if (random.nextInt(8) == 0 && !naive.places().isEmpty()) {
      place = pick(naive.places());
      parent = place.hash;
    } else if (random.nextInt(40) == 0) {
      parent = random.nextLong(50);
    }
    final List<Long> locals = pathOf(place);
    final int start = locals.size();
    extend(locals, 1 + random.nextInt(random.nextInt(4) == 0 ? style.depth : 6));
    final List<Block> blocks = new ArrayList<>();
    for (int i = start; i < locals.size(); i++) {
      blocks.add(new Block(hash(rank, locals.subList(0, i + 1)), locals.get(i)));
    }
    if (!blocks.isEmpty() && random.nextInt(60) == 0) {
      final int at = random.nextInt(blocks.size());
      blocks.set(at, new Block(pick(blocks).hash(), blocks.get(at).local()));
    }
    if (random.nextInt(100) == 0) {
      blocks.clear();
    }
    return new IndexOperation.Stored(rank, tier, parent, blocks);
  }

  private static List<Long> pathOf(final Place last) {
    final List<Long> path = new ArrayList<>();
    for (Place place = last; place.parent != null; place = place.parent) {
      path.add(place.local);
    }
    Collections.reverse(path);
    return path;
  }

  /** Mostly along the family that the path belongs to, so that paths share long runs. */
  private void extend(final List<Long> locals, final int count) {
    final long family = locals.isEmpty() ? random.nextInt(style.families) : locals.get(0);
    for (int i = 0; i < count && locals.size() < style.depth; i++) {
      if (locals.isEmpty()) {
        locals.add(family);
      } else {
        locals.add(random.nextInt(12) == 0 ? random.nextLong(4) : locals.size() * 7L + family);
      }
    }
  }

  private long hash(final Rank rank, final List<Long> path) {
    final long agreed = path.hashCode() * 0x9E3779B97F4A7C15L ^ path.size();
    return switch (style.naming) {
      case AGREED -> agreed;
      case SALTED -> rank.hashCode() % 3 == 0 ? agreed * 31 + rank.workerId() : agreed;
      case ALIASES -> random.nextInt(5) == 0 ? agreed + random.nextInt(3) : agreed;
      case TINY -> random.nextLong(60);
    };
  }

  private IndexOperation removed(final NaiveIndex naive, final Rank rank, final int tier) {
    final List<Long> hashes = new ArrayList<>();
    final Map<Long, Place> names = naive.namesOfRank.getOrDefault(rank, Map.of());
    if (!names.isEmpty()) {
      switch (random.nextInt(4)) {
        case 0 -> addRun(hashes, rank, tier, names.get(pick(names.keySet())));
        case 1 -> {
          addRun(hashes, rank, tier, names.get(pick(names.keySet())));
          Collections.reverse(hashes);
        }
        case 2 -> hashes.add(pick(names.keySet()));
        default -> {
          for (int i = random.nextInt(5); i >= 0; i--) {
            hashes.add(pick(names.keySet()));
          }
        }
      }
    }
    if (hashes.isEmpty() || random.nextInt(30) == 0) {
      hashes.add(hashes.size() / 2, random.nextLong(60));
    }
    if (random.nextInt(100) == 0) {
      hashes.clear();
    }
    return new IndexOperation.Removed(rank, tier, hashes);
  }

  /** Names of the rank up the path from a place, for a while: tail first. */
  private void addRun(
      final List<Long> hashes, final Rank rank, final int tier, final Place deepest) {
    final Column column = new Column(rank, tier);
    int rest = 1 + random.nextInt(style.depth);
    for (Place place = deepest; place.parent != null && rest > 0; place = place.parent, rest--) {
      if (place.isHeldBy(column)) {
        hashes.addAll(place.names.get(column));
      }
    }
  }

  private List<Long> someHashes(final NaiveIndex naive) {
    final List<Long> hashes = new ArrayList<>();
    final List<Place> places = naive.places();
    if (!places.isEmpty()) {
      Place place = pick(places);
      for (int i = random.nextInt(6); i >= 0 && place.parent != null; i--) {
        hashes.add(0, place.hash);
        place = place.parent;
      }
    }
    if (random.nextInt(10) == 0) {
      hashes.add(random.nextLong(60));
    }
    return hashes;
  }

  private <T> T pick(final Collection<T> from) {
    int index = random.nextInt(from.size());
    for (final T each : from) {
      if (index-- == 0) {
        return each;
      }
    }
    throw new IllegalStateException("not reached");
  }
}
