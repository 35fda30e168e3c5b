package io.kvroute.memory;

/** Makes regions whose memory exists only around the border of two slabs: no gigabyte is needed. */
public final class BorderRegion {
  /** Where the border lies, as an offset in the region. */
  public static final long BORDER = Region.SLAB_LENGTH;

  private BorderRegion() {}

  /**
   * A region that uses {@code memory} for the bytes just before and just after its border, the
   * second half for those before and the first half for those after: code that runs across the
   * border without looking goes wrong.
   */
  public static Region over(final Region memory) {
    final long half = memory.length() / 2;
    final long start = memory.addressOf(0, memory.length());
    final long[] slabs = {start + memory.length() - Region.SLAB_LENGTH, start};
    return new Region("border", slabs, Region.SLAB_LENGTH + half);
  }
}
