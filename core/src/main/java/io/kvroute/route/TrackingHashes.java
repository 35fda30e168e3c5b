package io.kvroute.route;

/** By which hashes the blocks of an active request are counted. */
public final class TrackingHashes {
  /** Blocks of active requests are not counted at all. */
  public static final int NONE = -1;

  private TrackingHashes() {}

  /**
   * Gives the hashes of a prompt's whole blocks: their chain hashes if equal blocks of requests
   * count once, else numbers that no other request will have. Allocates nothing.
   *
   * @param config says what is counted and how
   * @param override may say otherwise for this request
   * @param random where numbers come from that stand for blocks nobody shares
   * @param wholeBlocks of the prompt; with none nothing is counted, whatever hashes there are
   * @param sequenceHashes chain hashes of the blocks
   * @param count how many of those there are
   * @param out takes the hashes; has room for the larger of {@code wholeBlocks} and {@code count}
   * @return how many, or {@link #NONE}
   */
  public static int fill(
      final KvRouterConfig config,
      final RouterConfigOverride override,
      final RandomSource random,
      final int wholeBlocks,
      final long[] sequenceHashes,
      final int count,
      final long[] out) {
    if (!config.routerTrackActiveBlocks()) {
      return NONE;
    }
    if (wholeBlocks == 0) {
      return 0;
    }
    if (override.assumeKvReuseOr(config.routerAssumeKvReuse())) {
      System.arraycopy(sequenceHashes, 0, out, 0, count);
      return count;
    }
    for (int i = 0; i < wholeBlocks; i++) {
      out[i] = random.nextLong();
    }
    return wholeBlocks;
  }
}
