package io.kvroute.index;

/**
 * Looks a prompt up. The walk goes edge by edge: one comparison over consecutive memory, then the
 * candidates are intersected with the edge's full holders, word by word; ranks that hold a part of
 * the edge are scored from its list. Tiers below the device are then extended along the same path.
 *
 * <p>Any number of threads may use one finder while another changes the index. What is read then
 * may be torn, and the result is worth nothing, but the walk ends and stays inside the memory of
 * the index: every number that leads somewhere is either one that the writer only ever writes whole
 * and in range, or is checked here.
 */
final class Finder {
  private static final int ALL_TIERS = (1 << Ranks.TIERS) - 1;

  private final Blocks blocks;
  private final Edges edges;
  private final Holders holders;
  private final Ranks ranks;
  private final int words;
  private final int stride;

  Finder(final Tree tree) {
    blocks = tree.blocks;
    edges = tree.edges;
    holders = tree.holders;
    ranks = tree.ranks;
    words = ranks.wordsPerTier();
    stride = words << 6;
  }

  /**
   * Looks in all tiers.
   *
   * @return false if it met what only a change under way can explain
   */
  boolean find(final HashList list, final boolean earlyExit, final MatchScores out) {
    out.begin(ranks);
    final boolean further = ranks.anyBelowDevice();
    final boolean whole = walk(list, 0, earlyExit, further, out);
    if (further) {
      out.beginExtensions(0);
      for (int tier = 1; tier < Ranks.TIERS; tier++) {
        if (ranks.heldInTier(tier) != 0) {
          extend(tier, out);
        }
      }
    }
    finish(further ? ALL_TIERS : 1, earlyExit, out);
    return whole;
  }

  /** Looks in one tier alone; as {@link #find(HashList, boolean, MatchScores)}. */
  boolean find(
      final HashList list, final int tier, final boolean earlyExit, final MatchScores out) {
    out.begin(ranks);
    final boolean whole = walk(list, tier, earlyExit, false, out);
    finish(1 << tier, earlyExit, out);
    return whole;
  }

  private void finish(final int tiers, final boolean earlyExit, final MatchScores out) {
    out.finish(tiers);
    if (earlyExit) {
      out.cutToDecision();
    }
  }

  private boolean walk(
      final HashList list,
      final int tier,
      final boolean earlyExit,
      final boolean wholePath,
      final MatchScores out) {
    final int count = list.count();
    int edge = count == 0 ? Edges.NONE : edges.child(Edges.ROOT, list.get(0));
    int depth = 0;
    while (edge != Edges.NONE) {
      final int length = edges.count(edge);
      if (length <= 0) {
        return false;
      }
      final int matched =
          blocks.matchLocals(edges.first(edge), Math.min(length, count - depth), list, depth);
      scoreParts(edge, tier, depth, matched, out);
      final int left = depth == 0 ? enter(edge, tier, out) : narrow(edge, tier, depth, out);
      depth += matched;
      if (wholePath) {
        out.addToPath(edge, matched);
      } else if (left == 0 || (earlyExit && left == 1)) {
        break;
      }
      if (matched < length || depth == count) {
        break;
      }
      edge = edges.child(edge, list.get(depth));
    }
    if (depth != 0) {
      scoreRest(tier, depth, out);
    }
    return true;
  }

  /** Scores the candidates that hold a part of the edge, and takes them out of the candidates. */
  private void scoreParts(
      final int edge, final int tier, final int depth, final int matched, final MatchScores out) {
    final int parts = holders.parts(edge);
    if (parts == 0) {
      return;
    }
    final long run = holders.partsOffset(edge, parts);
    final int base = tier * stride;
    final long[] active = out.active();
    for (int i = 0; i < parts && run >= 0; i++) {
      final int rank = holders.partColumnAt(run, i) - base;
      if (rank >= 0 && rank < stride) {
        final int word = rank >>> 6;
        final long candidates = depth == 0 ? out.known(word) : active[word];
        if ((candidates >>> rank & 1) != 0) {
          active[word] &= ~(1L << rank);
          out.score(tier, rank, depth + Math.min(holders.partCutoffAt(run, i), matched));
        }
      }
    }
  }

  /** Makes the full holders of a first edge the candidates; their number. */
  private int enter(final int edge, final int tier, final MatchScores out) {
    final long[] active = out.active();
    final int inEdge = holders.words(edge);
    final long run = holders.wordsOffset(edge, inEdge);
    final int base = tier * words;
    int left = 0;
    int i = 0;
    for (int w = 0; w < words; w++) {
      i = holders.skipTo(run, i, inEdge, base + w);
      final long bits = holders.bitsAt(run, i, inEdge, base + w) & out.known(w);
      active[w] = bits;
      left += Long.bitCount(bits);
    }
    return left;
  }

  /** Keeps the candidates that hold all of the edge and scores the others; how many are left. */
  private int narrow(final int edge, final int tier, final int depth, final MatchScores out) {
    final long[] active = out.active();
    final int inEdge = holders.words(edge);
    final long run = holders.wordsOffset(edge, inEdge);
    final int base = tier * words;
    int left = 0;
    int i = 0;
    for (int w = 0; w < words; w++) {
      final long candidates = active[w];
      if (candidates != 0) {
        i = holders.skipTo(run, i, inEdge, base + w);
        final long kept = candidates & holders.bitsAt(run, i, inEdge, base + w);
        out.scoreAll(tier, w, candidates & ~kept, depth);
        active[w] = kept;
        left += Long.bitCount(kept);
      }
    }
    return left;
  }

  private void scoreRest(final int tier, final int depth, final MatchScores out) {
    final long[] active = out.active();
    for (int w = 0; w < words; w++) {
      out.scoreAll(tier, w, active[w], depth);
    }
  }

  private void extend(final int tier, final MatchScores out) {
    for (int i = 0; i < out.pathLength(); i++) {
      final int edge = out.pathEdge(i);
      extendFull(edge, tier, out.pathMatched(i), out);
      extendParts(edge, tier, out.pathMatched(i), out);
    }
  }

  private void extendFull(
      final int edge, final int tier, final int matched, final MatchScores out) {
    final int start = edges.start(edge);
    final int inEdge = holders.words(edge);
    final long run = holders.wordsOffset(edge, inEdge);
    final int base = tier * words;
    int i = 0;
    for (int w = 0; w < words; w++) {
      i = holders.skipTo(run, i, inEdge, base + w);
      long bits = holders.bitsAt(run, i, inEdge, base + w) & out.known(w);
      for (; bits != 0; bits &= bits - 1) {
        out.extend(tier, (w << 6) + Long.numberOfTrailingZeros(bits), start, matched);
      }
    }
  }

  private void extendParts(
      final int edge, final int tier, final int matched, final MatchScores out) {
    final int start = edges.start(edge);
    final int parts = holders.parts(edge);
    final long run = parts == 0 ? Edges.NONE : holders.partsOffset(edge, parts);
    for (int i = 0; i < parts && run >= 0; i++) {
      final int rank = holders.partColumnAt(run, i) - tier * stride;
      if (rank >= 0 && rank < stride && (out.known(rank >>> 6) >>> rank & 1) != 0) {
        out.extend(tier, rank, start, Math.min(holders.partCutoffAt(run, i), matched));
      }
    }
  }
}
