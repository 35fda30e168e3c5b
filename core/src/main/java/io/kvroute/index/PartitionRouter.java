package io.kvroute.index;

import io.kvroute.memory.Arena;
import io.kvroute.protocol.KvEventDecoder;
import io.kvroute.protocol.KvEventEncoder;
import io.kvroute.protocol.KvEventType;
import io.kvroute.protocol.StorageTier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Decides which partition an event belongs to. As long as every name of the event is known in one
 * partition at most, that partition alone can tell what becomes of it. Else all partitions are
 * brought up to date and asked.
 */
final class PartitionRouter {
  private static final int NOWHERE = NameDirectory.NOWHERE;
  private static final int SEVERAL = NameDirectory.SEVERAL;

  private final IndexPartition[] partitions;
  private final NameDirectory directory;
  private final HashList names = new HashList();
  private final HashList locals = new HashList();
  private final ExpandableArrayBuffer parts = new ExpandableArrayBuffer();
  private final int[] partCounts;
  private byte[] places = new byte[64];
  private boolean several;
  private long frontEvents;
  private long rebuilds;

  /** Only written: it keeps the compiler from dropping the loads that warm up the directory. */
  long touched;

  PartitionRouter(final IndexPartition[] partitions, final NameDirectory directory) {
    this.partitions = partitions;
    this.directory = directory;
    this.partCounts = new int[partitions.length];
  }

  long frontEvents() {
    return frontEvents;
  }

  long rebuilds() {
    return rebuilds;
  }

  void free(final Arena arena) {
    directory.free(arena);
  }

  // ------ sending

  void toAll(final int type, final DirectBuffer buffer, final int offset, final int length) {
    for (int p = 0; p < partitions.length; p++) {
      send(p, type, buffer, offset, length);
    }
  }

  private void send(
      final int partition,
      final int type,
      final DirectBuffer buffer,
      final int offset,
      final int length) {
    final IndexPartition target = partitions[partition];
    if (length > target.maxMessageLength()) {
      applyHere(target, type, buffer, offset, length);
      return;
    }
    while (!target.offer(type, buffer, offset, length)) {
      if (target.tryOwn()) {
        try {
          target.drain();
        } finally {
          target.disown();
        }
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Applies a message that no ring has room for. */
  private void applyHere(
      final IndexPartition target,
      final int type,
      final DirectBuffer buffer,
      final int offset,
      final int length) {
    parts.putBytes(0, buffer, offset, length);
    target.own();
    try {
      target.drain();
      target.onMessage(type, parts, 0, length);
    } finally {
      target.disown();
    }
  }

  /** Becomes the writer of all partitions, and applies what waits for them. */
  void ownAll() {
    for (final IndexPartition partition : partitions) {
      partition.own();
      partition.drain();
    }
  }

  void disownAll() {
    for (final IndexPartition partition : partitions) {
      partition.disown();
    }
  }

  // ------ stores

  void stored(final KvEventDecoder event, final DirectBuffer buffer, final int offset) {
    final int count = event.blockCount();
    names.wrapLittleEndian(buffer, KvEventEncoder.blockHashesOffset(offset), count);
    locals.wrapLittleEndian(buffer, KvEventEncoder.tokensHashesOffset(offset, count), count);
    touch();
    final int parent = event.hasParent() ? directory.partitionOf(event.parentHash()) : NOWHERE;
    if (event.hasParent() && parent == NOWHERE) {
      // Refused wherever it goes, so its names need not be noted.
      send(0, IndexPartition.EVENT, buffer, offset, event.length());
      return;
    }
    final int target = event.hasParent() ? parent : partitionOfFirst();
    if (target == SEVERAL || !onlyIn(target)) {
      storedHere(event, buffer, offset);
    } else if (note(target)) {
      send(target, IndexPartition.EVENT, buffer, offset, event.length());
    } else {
      refuse(ApplyResult.CAPACITY_EXCEEDED, 0);
    }
  }

  private int partitionOfFirst() {
    return locals.count() == 0 ? 0 : PartitionedIndex.partitionOf(locals.get(0), partitions.length);
  }

  private void touch() {
    touched = 0;
    for (int i = 0; i < names.count(); i++) {
      touched |= directory.touch(names.get(i));
    }
  }

  /** True if no name may be known elsewhere than in a partition. */
  private boolean onlyIn(final int partition) {
    boolean only = true;
    for (int i = 0; i < names.count() && only; i++) {
      final int known = directory.partitionOf(names.get(i));
      only = known == NOWHERE || known == partition;
    }
    return only;
  }

  /** Notes that all names may be known in a partition; false if the directory has no room. */
  private boolean note(final int partition) {
    if (!directory.hasRoom(names.count()) && !rebuild(names.count())) {
      return false;
    }
    for (int i = 0; i < names.count(); i++) {
      directory.add(names.get(i), partition);
    }
    return true;
  }

  private boolean rebuild(final int count) {
    rebuilds++;
    ownAll();
    directory.clear();
    for (int p = 0; p < partitions.length; p++) {
      final int partition = p;
      partitions[p].index().tree().forEachName(name -> directory.add(name, partition));
    }
    disownAll();
    return directory.hasRoom(count);
  }

  private void refuse(final ApplyResult result, final int parentlessBlocks) {
    partitions[0].own();
    final IndexCounters counters = partitions[0].index().counters();
    counters.countEvent(KvEventType.STORED, result);
    counters.countParentlessBlocks(parentlessBlocks);
    partitions[0].disown();
  }

  /** Applies a store some of whose names are known in other partitions than it would go to. */
  private void storedHere(final KvEventDecoder event, final DirectBuffer buffer, final int offset) {
    frontEvents++;
    ownAll();
    final int target = event.hasParent() ? holderOfParent(event) : partitionOfFirst();
    ApplyResult refusal = ApplyResult.OK;
    if (target == NOWHERE) {
      refusal = ApplyResult.PARENT_BLOCK_NOT_FOUND;
    } else if (isNamedOutside(target, event.workerId(), event.dpRank())) {
      refusal = ApplyResult.INVALID_BLOCK_SEQUENCE;
    }
    disownAll();
    if (refusal != ApplyResult.OK) {
      refuse(refusal, refusal == ApplyResult.PARENT_BLOCK_NOT_FOUND ? event.blockCount() : 0);
    } else if (note(target)) {
      send(target, IndexPartition.EVENT, buffer, offset, event.length());
    } else {
      refuse(ApplyResult.CAPACITY_EXCEEDED, 0);
    }
  }

  /** The partition in which a store finds its parent. */
  private int holderOfParent(final KvEventDecoder event) {
    final long parent = event.parentHash();
    return event.tier() == StorageTier.DEVICE
        ? holder(event.workerId(), event.dpRank(), parent)
        : knower(event.workerId(), event.dpRank(), parent);
  }

  /** The partition in which a rank holds a block under a name. */
  private int holder(final long workerId, final int dpRank, final long name) {
    for (int p = 0; p < partitions.length; p++) {
      if (partitions[p].index().tree().isNamed(workerId, dpRank, name)) {
        return p;
      }
    }
    return NOWHERE;
  }

  /**
   * The partition in which a name is known: to the rank, or else, for one block only, to anyone.
   */
  private int knower(final long workerId, final int dpRank, final long name) {
    int found = holder(workerId, dpRank, name);
    if (found == NOWHERE) {
      int known = 0;
      for (int p = 0; p < partitions.length; p++) {
        final int here = partitions[p].index().tree().placesNamed(name);
        known += here;
        found = here == 0 ? found : p;
      }
      found = known == 1 ? found : NOWHERE;
    }
    return found;
  }

  private boolean isNamedOutside(final int partition, final long workerId, final int dpRank) {
    for (int p = 0; p < partitions.length; p++) {
      for (int i = 0; p != partition && i < names.count(); i++) {
        if (partitions[p].index().tree().isNamed(workerId, dpRank, names.get(i))) {
          return true;
        }
      }
    }
    return false;
  }

  // ------ removals

  void removed(final KvEventDecoder event, final DirectBuffer buffer, final int offset) {
    final int count = event.blockCount();
    names.wrapLittleEndian(buffer, KvEventEncoder.blockHashesOffset(offset), count);
    touch();
    if (place(event.workerId(), event.dpRank(), false) <= 1) {
      send(count == 0 ? 0 : places[0], IndexPartition.EVENT, buffer, offset, event.length());
      return;
    }
    for (int p = 0; p < partitions.length; p++) {
      if (partCounts[p] != 0) {
        final int length =
            KvEventEncoder.removed(
                parts,
                0,
                event.workerId(),
                event.dpRank(),
                event.tier(),
                event.eventId(),
                partCounts[p]);
        int n = 0;
        for (int i = 0; i < count; i++) {
          if (places[i] == p) {
            KvEventEncoder.putBlockHash(parts, 0, n++, names.get(i));
          }
        }
        send(p, IndexPartition.EVENT, parts, 0, length);
      }
    }
  }

  /**
   * Finds out in which partition each name is to be looked for; those that are known nowhere go
   * with the first of the others.
   *
   * @param toAnyone whether names that the rank does not hold are looked for too
   * @return how many partitions there are
   */
  private int place(final long workerId, final int dpRank, final boolean toAnyone) {
    final int count = names.count();
    if (count > places.length) {
      places = new byte[Math.max(count, 2 * places.length)];
    }
    several = false;
    for (int i = 0; i < count; i++) {
      final int known = directory.partitionOf(names.get(i));
      places[i] = (byte) known;
      several |= known == SEVERAL;
    }
    if (several) {
      frontEvents++;
      ownAll();
      for (int i = 0; i < count; i++) {
        final long name = names.get(i);
        if (places[i] == (byte) SEVERAL) {
          places[i] =
              (byte) (toAnyone ? knower(workerId, dpRank, name) : holder(workerId, dpRank, name));
        }
      }
      disownAll();
    }
    return countParts(count);
  }

  private int countParts(final int count) {
    int first = 0;
    for (int i = count - 1; i >= 0; i--) {
      first = places[i] >= 0 ? places[i] : first;
    }
    Arrays.fill(partCounts, 0);
    int used = 0;
    for (int i = 0; i < count; i++) {
      places[i] = places[i] >= 0 ? places[i] : (byte) first;
      used += partCounts[places[i]]++ == 0 ? 1 : 0;
    }
    return used;
  }

  // ------ stores without token lists

  void storedWithoutTokens(
      final long workerId, final int dpRank, final int tier, final HashList hashes) {
    final int count = hashes.count();
    names.copy(hashes);
    // A name of several partitions may be ambiguous, which none of them could see.
    if (place(workerId, dpRank, true) <= 1 && !several) {
      sendKnown(count == 0 ? 0 : places[0], workerId, dpRank, tier, count);
      return;
    }
    frontEvents++;
    if (!allKnownOnce(workerId, dpRank)) {
      partitions[0].own();
      partitions[0].index().counters().countUnresolvedStore();
      partitions[0].disown();
      return;
    }
    for (int p = 0; p < partitions.length; p++) {
      if (partCounts[p] != 0) {
        sendKnown(p, workerId, dpRank, tier, partCounts[p]);
      }
    }
  }

  private boolean allKnownOnce(final long workerId, final int dpRank) {
    final Set<Long> seen = new HashSet<>();
    boolean known = true;
    ownAll();
    for (int i = 0; i < names.count(); i++) {
      known &= seen.add(names.get(i)) && knower(workerId, dpRank, names.get(i)) != NOWHERE;
    }
    disownAll();
    return known;
  }

  private void sendKnown(
      final int partition, final long workerId, final int dpRank, final int tier, final int count) {
    IndexPartition.putHead(parts, workerId, dpRank, tier, count);
    int n = 0;
    for (int i = 0; i < names.count(); i++) {
      if (places[i] == partition) {
        parts.putLong(IndexPartition.HASHES_OFFSET + (n++ << 3), names.get(i));
      }
    }
    send(
        partition,
        IndexPartition.STORE_KNOWN,
        parts,
        0,
        IndexPartition.HASHES_OFFSET + (count << 3));
  }
}
