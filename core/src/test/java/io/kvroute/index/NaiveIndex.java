package io.kvroute.index;

import io.kvroute.protocol.KvEventType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The index as plain maps and sets, written for clarity from the decisions about what events mean,
 * not from the off-heap structure. It knows no edges, slots or bit sets.
 */
final class NaiveIndex {
  /** A worker and a data-parallel rank, in unsigned order. */
  record Rank(long workerId, int dpRank) implements Comparable<Rank> {
    @Override
    public int compareTo(final Rank other) {
      final int byWorker = Long.compareUnsigned(workerId, other.workerId);
      return byWorker != 0 ? byWorker : Integer.compareUnsigned(dpRank, other.dpRank);
    }
  }

  record Column(Rank rank, int tier) {}

  record Block(long hash, long local) {}

  /** What a look-up says of one rank: blocks per tier, each beyond the tiers above. */
  record Score(Rank rank, List<Integer> byTier) {
    int total() {
      return byTier.stream().mapToInt(Integer::intValue).sum();
    }
  }

  /** A place: a path of local hashes from the root. */
  static final class Place {
    final Place parent;
    final long local;
    final long hash;
    final Map<Long, Place> children = new TreeMap<>(Long::compareUnsigned);
    final Map<Column, Set<Long>> names = new HashMap<>();

    /** Number of the last store that ended here or, if it had children, of the last that went. */
    long age;

    Place(final Place parent, final long local, final long hash) {
      this.parent = parent;
      this.local = local;
      this.hash = hash;
    }

    boolean isHeldBy(final Column column) {
      return names.containsKey(column);
    }

    boolean isHeldBy(final Rank rank) {
      return names.keySet().stream().anyMatch(column -> column.rank.equals(rank));
    }
  }

  final Place root = new Place(null, 0, 0);
  final TreeSet<Rank> ranks = new TreeSet<>();
  final Map<Rank, Map<Long, Place>> namesOfRank = new HashMap<>();
  final Map<String, Long> counters = new TreeMap<>();
  final Set<Rank> approximate = new TreeSet<>();
  private final ClearScope clearScope;
  private long capacity = Long.MAX_VALUE;
  private long stores;

  /** Lets it hold so many blocks; the leaf that was stored longest ago makes room. */
  NaiveIndex withCapacity(final long blocks) {
    capacity = blocks;
    return this;
  }

  NaiveIndex(final ClearScope clearScope) {
    this.clearScope = clearScope;
  }

  // ------ events

  ApplyResult stored(
      final Rank rank, final int tier, final Long parentHash, final List<Block> blocks) {
    final ApplyResult result = tryStored(rank, tier, parentHash, blocks);
    count(KvEventType.STORED, result);
    if (result == ApplyResult.PARENT_BLOCK_NOT_FOUND) {
      add("parentless blocks", blocks.size());
    }
    return result;
  }

  private ApplyResult tryStored(
      final Rank rank, final int tier, final Long parentHash, final List<Block> blocks) {
    final Set<Long> hashes = new HashSet<>();
    for (final Block block : blocks) {
      if (!hashes.add(block.hash)) {
        return ApplyResult.INVALID_BLOCK_SEQUENCE;
      }
    }
    if (parentHash != null && hashes.contains(parentHash)) {
      return ApplyResult.INVALID_BLOCK_SEQUENCE;
    }
    Place place = root;
    if (parentHash != null) {
      place = tier == 0 ? ownPlace(rank, parentHash) : knownPlace(rank, parentHash);
      if (place == null) {
        return ApplyResult.PARENT_BLOCK_NOT_FOUND;
      }
    }
    if (!namesFit(rank, place, blocks)) {
      return ApplyResult.INVALID_BLOCK_SEQUENCE;
    }
    if (capacity != Long.MAX_VALUE) {
      final ApplyResult result = makeRoom(place, blocks);
      if (result == ApplyResult.CAPACITY_EXCEEDED && ranks.contains(rank)) {
        approximate.add(rank);
      }
      if (result != ApplyResult.OK) {
        return result;
      }
    }
    ranks.add(rank);
    boolean changed = blocks.isEmpty();
    for (final Block block : blocks) {
      Place child = place.children.get(block.local);
      if (child == null) {
        child = new Place(place, block.local, block.hash);
        place.children.put(block.local, child);
      }
      changed |= name(rank, tier, child, block.hash);
      place = child;
    }
    if (!changed) {
      add("duplicate stores", 1);
    }
    stores++;
    if (!blocks.isEmpty() && place.children.isEmpty()) {
      place.age = stores;
    }
    return ApplyResult.OK;
  }

  private ApplyResult makeRoom(final Place start, final List<Block> blocks) {
    int depth = 0;
    for (Place place = start; place != root; place = place.parent) {
      depth++;
    }
    if (depth + blocks.size() > capacity) {
      return ApplyResult.CAPACITY_EXCEEDED;
    }
    while (true) {
      if (start != root && start.parent.children.get(start.local) != start) {
        return ApplyResult.PARENT_BLOCK_NOT_FOUND;
      }
      final Set<Place> path = pathOf(start, blocks);
      final int fresh = depth + blocks.size() - path.size();
      if (places().size() + fresh <= capacity) {
        return ApplyResult.OK;
      }
      evict(
          places().stream()
              .filter(each -> each.children.isEmpty() && !path.contains(each))
              .min((a, b) -> Long.compare(a.age, b.age))
              .orElseThrow());
    }
  }

  /** The places on the way to where blocks are to begin, and those of the blocks that are there. */
  private Set<Place> pathOf(final Place start, final List<Block> blocks) {
    final Set<Place> path = new HashSet<>();
    for (Place place = start; place != root; place = place.parent) {
      path.add(place);
    }
    Place place = start;
    for (final Block block : blocks) {
      place = place == null ? null : place.children.get(block.local);
      if (place != null) {
        path.add(place);
      }
    }
    return path;
  }

  private void evict(final Place place) {
    add("evicted blocks", 1);
    add("evicted holds", place.names.size());
    place.names.forEach(
        (column, names) -> {
          approximate.add(column.rank);
          namesOfRank.get(column.rank).keySet().removeAll(names);
        });
    place.names.clear();
    prune(place);
  }

  private boolean namesFit(final Rank rank, final Place start, final List<Block> blocks) {
    Place place = start;
    for (final Block block : blocks) {
      place = place == null ? null : place.children.get(block.local);
      final Place named = ownPlace(rank, block.hash);
      if (named != null && named != place) {
        return false;
      }
    }
    return true;
  }

  private boolean name(final Rank rank, final int tier, final Place place, final long hash) {
    namesOfRank.computeIfAbsent(rank, r -> new HashMap<>()).put(hash, place);
    return place.names.computeIfAbsent(new Column(rank, tier), c -> new HashSet<>()).add(hash);
  }

  ApplyResult storedWithoutTokens(final Rank rank, final int tier, final List<Long> hashes) {
    final List<Place> places = new ArrayList<>();
    for (final long hash : hashes) {
      final Place place = knownPlace(rank, hash);
      if (place == null) {
        add("unresolved stores", 1);
        return ApplyResult.BLOCK_NOT_FOUND;
      }
      places.add(place);
    }
    if (new HashSet<>(hashes).size() != hashes.size()) {
      return ApplyResult.INVALID_BLOCK_SEQUENCE;
    }
    ranks.add(rank);
    for (int i = 0; i < places.size(); i++) {
      name(rank, tier, places.get(i), hashes.get(i));
    }
    return ApplyResult.OK;
  }

  ApplyResult removed(final Rank rank, final int tier, final List<Long> hashes) {
    ApplyResult result = ApplyResult.OK;
    for (final long hash : hashes) {
      if (!endName(rank, tier, hash)) {
        result = ApplyResult.BLOCK_NOT_FOUND;
        add("blocks not found", 1);
      }
    }
    count(KvEventType.REMOVED, result);
    return result;
  }

  private boolean endName(final Rank rank, final int tier, final long hash) {
    final Place place = ownPlace(rank, hash);
    final Column column = new Column(rank, tier);
    if (place == null || !place.isHeldBy(column) || !place.names.get(column).remove(hash)) {
      return false;
    }
    if (place.names.get(column).isEmpty()) {
      place.names.remove(column);
    }
    boolean live = false;
    for (int t = 0; t < 4; t++) {
      live |= place.names.getOrDefault(new Column(rank, t), Set.of()).contains(hash);
    }
    if (!live) {
      namesOfRank.get(rank).remove(hash);
    }
    prune(place);
    return true;
  }

  private static void prune(final Place pruned) {
    Place place = pruned;
    while (place.parent != null && place.names.isEmpty() && place.children.isEmpty()) {
      place.parent.children.remove(place.local);
      if (place.parent.children.isEmpty()) {
        place.parent.age = place.age;
      }
      place = place.parent;
    }
  }

  ApplyResult cleared(final Rank rank, final int tier) {
    ranks.add(rank);
    for (final Rank each : List.copyOf(ranks)) {
      if (each.equals(rank)
          || (clearScope == ClearScope.WORKER && each.workerId == rank.workerId)) {
        clear(each, tier == 0 ? List.of(0, 1, 2, 3) : List.of(tier));
      }
    }
    count(KvEventType.CLEARED, ApplyResult.OK);
    return ApplyResult.OK;
  }

  private void clear(final Rank rank, final List<Integer> tiers) {
    for (final long hash : List.copyOf(namesOfRank.getOrDefault(rank, Map.of()).keySet())) {
      for (final int tier : tiers) {
        endName(rank, tier, hash);
      }
    }
  }

  boolean removeRank(final Rank rank) {
    clear(rank, List.of(0, 1, 2, 3));
    return ranks.remove(rank);
  }

  boolean removeWorker(final long workerId) {
    boolean known = false;
    for (final Rank rank : List.copyOf(ranks)) {
      known |= rank.workerId == workerId && removeRank(rank);
    }
    return known;
  }

  boolean clearAllBlocks(final long workerId) {
    boolean known = false;
    for (final Rank rank : List.copyOf(ranks)) {
      if (rank.workerId == workerId) {
        clear(rank, List.of(0, 1, 2, 3));
        known = true;
      }
    }
    return known;
  }

  // ------ questions

  private Place ownPlace(final Rank rank, final long hash) {
    return namesOfRank.getOrDefault(rank, Map.of()).get(hash);
  }

  /**
   * Known to the rank itself, or else the one place that anyone knows, or that was made, under it.
   */
  private Place knownPlace(final Rank rank, final long hash) {
    final Place own = ownPlace(rank, hash);
    if (own != null) {
      return own;
    }
    final Set<Place> places = new HashSet<>();
    for (final Place place : places()) {
      if (place.hash == hash) {
        places.add(place);
      }
    }
    for (final Map<Long, Place> names : namesOfRank.values()) {
      if (names.containsKey(hash)) {
        places.add(names.get(hash));
      }
    }
    return places.size() == 1 ? places.iterator().next() : null;
  }

  List<Place> places() {
    final List<Place> places = new ArrayList<>();
    final List<Place> open = new ArrayList<>(root.children.values());
    while (!open.isEmpty()) {
      final Place place = open.remove(open.size() - 1);
      places.add(place);
      open.addAll(place.children.values());
    }
    return places;
  }

  private List<Place> path(final long[] locals) {
    final List<Place> path = new ArrayList<>();
    Place place = root;
    for (final long local : locals) {
      place = place.children.get(local);
      if (place == null) {
        break;
      }
      path.add(place);
    }
    return path;
  }

  List<Score> find(final long[] locals, final boolean earlyExit) {
    return find(locals, List.of(0, 1, 2, 3), earlyExit);
  }

  List<Score> find(final long[] locals, final List<Integer> tiers, final boolean earlyExit) {
    final List<Place> path = path(locals);
    final List<Score> scores = new ArrayList<>();
    for (final Rank rank : ranks) {
      final int[] byTier = new int[4];
      int depth = 0;
      for (final int tier : tiers) {
        while (depth < path.size() && path.get(depth).isHeldBy(new Column(rank, tier))) {
          byTier[tier]++;
          depth++;
        }
      }
      if (depth > 0) {
        scores.add(new Score(rank, List.of(byTier[0], byTier[1], byTier[2], byTier[3])));
      }
    }
    return earlyExit ? cut(scores) : scores;
  }

  /** The walk ends at the first depth at which one rank alone is left. */
  private static List<Score> cut(final List<Score> scores) {
    final List<Score> cut = new ArrayList<>();
    for (final Score score : scores) {
      int others = 0;
      for (final Score other : scores) {
        others = other.rank.equals(score.rank) ? others : Math.max(others, other.total());
      }
      final int[] byTier = score.byTier.stream().mapToInt(Integer::intValue).toArray();
      int total = score.total();
      for (int tier = 3; tier >= 0; tier--) {
        while (byTier[tier] > 0 && total > others + 1) {
          byTier[tier]--;
          total--;
        }
      }
      cut.add(new Score(score.rank, List.of(byTier[0], byTier[1], byTier[2], byTier[3])));
    }
    return cut;
  }

  long held(final Rank rank, final int tier) {
    return Set.copyOf(namesOfRank.getOrDefault(rank, Map.of()).values()).stream()
        .filter(place -> place.isHeldBy(new Column(rank, tier)))
        .count();
  }

  private void count(final KvEventType type, final ApplyResult result) {
    add(type + " " + result, 1);
  }

  private void add(final String counter, final long difference) {
    counters.merge(counter, difference, Long::sum);
  }
}
