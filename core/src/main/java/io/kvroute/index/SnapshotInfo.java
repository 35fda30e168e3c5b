package io.kvroute.index;

import io.kvroute.memory.RunStore;

/**
 * What the header of a snapshot says.
 *
 * @param fileBytes length of the file
 * @param chunks pieces with a checksum of their own
 * @param ranks known ranks, with those that hold nothing
 * @param edges runs of blocks between two places where paths part or their holders change
 * @param blocks distinct blocks
 * @param heldBlocks blocks that are held, over all ranks and tiers
 * @param ownNames names that were kept for single ranks
 * @param holderBytes bytes of holders that do not fit into an edge
 * @param blockCapacity of the index that was written, as are the other capacities
 * @param edgeCapacity see {@link RadixIndexBuilder#edgeCapacity}
 * @param rankCapacity see {@link RadixIndexBuilder#rankCapacity}
 * @param ownNameCapacity see {@link RadixIndexBuilder#ownNameCapacity}
 * @param holderCapacityBytes see {@link RadixIndexBuilder#holderBytes}
 */
public record SnapshotInfo(
    long fileBytes,
    int chunks,
    int ranks,
    int edges,
    long blocks,
    long heldBlocks,
    int ownNames,
    long holderBytes,
    int blockCapacity,
    int edgeCapacity,
    int rankCapacity,
    int ownNameCapacity,
    long holderCapacityBytes) {

  static SnapshotInfo of(final SnapshotHeader header) {
    return new SnapshotInfo(
        header.fileLength(),
        header.chunks,
        header.ranks,
        header.edges,
        header.blocks,
        header.held,
        header.ownNames,
        header.units * RunStore.UNIT_LENGTH,
        header.blockCapacity,
        header.edgeCapacity,
        header.rankCapacity,
        header.ownNameCapacity,
        header.unitCapacity * RunStore.UNIT_LENGTH);
  }

  /** The smallest index into which the snapshot can be restored; there is no room for more. */
  public RadixIndexBuilder fitting() {
    return RadixIndex.builder()
        .blockCapacity(Math.max(1, blocks))
        .edgeCapacity(Math.max(1, edges))
        .rankCapacity(Math.max(1, ranks))
        .ownNameCapacity(Math.max(1, ownNames))
        .holderBytes(holderBytes);
  }

  /** An index of the capacities that the one had that was written. */
  public RadixIndexBuilder likeWritten() {
    return RadixIndex.builder()
        .blockCapacity(blockCapacity)
        .edgeCapacity(edgeCapacity)
        .rankCapacity(rankCapacity)
        .ownNameCapacity(ownNameCapacity)
        .holderBytes(holderCapacityBytes);
  }
}
