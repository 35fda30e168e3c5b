package io.kvroute.index;

import java.util.List;

/**
 * What an index looks like inside, for reports: how deep its paths are, how often they part, who
 * holds how much, and where the bytes are.
 *
 * <p>Histograms have a bucket per power of two: bucket 0 counts zeros, bucket {@code i} counts from
 * {@code 2^(i-1)} to {@code 2^i - 1}.
 *
 * @param blocks distinct blocks, with those that only lie on the way to others
 * @param edges runs of blocks between two places where paths part or their holders change
 * @param leaves edges without children
 * @param maxDepth blocks of the longest path
 * @param ownNames names that are kept for single ranks
 * @param ranks each known rank, ascending
 * @param depths histogram of the lengths of the paths to the leaves, in blocks
 * @param lengths histogram of the blocks of an edge
 * @param fanOuts histogram of the children of an edge; the root is one, too
 * @param holders histogram of the ranks that hold a block, in whatever tier, over all blocks
 * @param prefixes those with the highest blocks times holders, the highest first; none begins with
 *     another
 * @param structures where the bytes are
 */
public record IndexShape(
    long blocks,
    long edges,
    long leaves,
    int maxDepth,
    long ownNames,
    List<RankShare> ranks,
    List<Long> depths,
    List<Long> lengths,
    List<Long> fanOuts,
    List<Long> holders,
    List<Prefix> prefixes,
    List<Structure> structures) {

  /**
   * What one rank holds.
   *
   * @param workerId unsigned 64-bit
   * @param dpRank unsigned 32-bit
   * @param approximate see {@link RadixIndex#isApproximate}
   * @param ownNames names that are kept for it alone
   * @param device blocks that it holds there
   * @param hostPinned blocks that it holds there
   * @param disk blocks that it holds there
   * @param external blocks that it holds there
   */
  public record RankShare(
      long workerId,
      int dpRank,
      boolean approximate,
      int ownNames,
      long device,
      long hostPinned,
      long disk,
      long external) {
    /** Blocks that it holds, over all tiers. */
    public long held() {
      return device + hostPinned + disk + external;
    }
  }

  /**
   * A path from the root.
   *
   * @param blocks how many
   * @param holders ranks that hold its last block, in whatever tier
   * @param firstLocal local hash of its first block
   * @param lastLocal local hash of its last block
   * @param lastExternal external hash of its last block
   */
  public record Prefix(
      int blocks, int holders, long firstLocal, long lastLocal, long lastExternal) {
    /** Blocks times holders. */
    public long weight() {
      return (long) blocks * holders;
    }
  }

  /**
   * Bytes of one structure.
   *
   * @param name what it is
   * @param usedBytes for the content, with its share of tables at full load
   * @param reservedBytes laid out for the capacity
   */
  public record Structure(String name, long usedBytes, long reservedBytes) {}

  /**
   * Goes through an index, which must not change meanwhile. Allocates in proportion to its edges.
   *
   * @param prefixes the most to be listed
   * @throws IllegalStateException if the index is closed
   */
  public static IndexShape of(final RadixIndex index, final int prefixes) {
    index.sweepAll();
    return new ShapeWalk(index.tree()).shape(prefixes);
  }
}
