package io.kvroute.index;

/**
 * Looks a prompt up. The walk goes edge by edge: one comparison over consecutive memory, then the
 * candidates are intersected with the edge's full holders, word by word; ranks that hold a part of
 * the edge are scored from its list. Tiers below the device are then extended along the same path.
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

  /** Looks in all tiers. */
  void find(final HashList list, final boolean earlyExit, final MatchScores out) {
    out.begin(ranks);
    final boolean further = ranks.anyBelowDevice();
    walk(list, 0, earlyExit, further, out);
    if (further) {
      out.beginExtensions(0);
      for (int tier = 1; tier < Ranks.TIERS; tier++) {
        if (ranks.heldInTier(tier) != 0) {
          extend(tier, out);
        }
      }
    }
    finish(further ? ALL_TIERS : 1, earlyExit, out);
  }

  /** Looks in one tier alone. */
  void find(final HashList list, final int tier, final boolean earlyExit, final MatchScores out) {
    out.begin(ranks);
    walk(list, tier, earlyExit, false, out);
    finish(1 << tier, earlyExit, out);
  }

  private void finish(final int tiers, final boolean earlyExit, final MatchScores out) {
    out.finish(tiers);
    if (earlyExit) {
      out.cutToDecision();
    }
  }

  private void walk(
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
  }

  /** Scores the candidates that hold a part of the edge, and takes them out of the candidates. */
  private void scoreParts(
      final int edge, final int tier, final int depth, final int matched, final MatchScores out) {
    final int parts = holders.parts(edge);
    final int base = tier * stride;
    final long[] active = out.active();
    for (int i = 0; i < parts; i++) {
      final int rank = holders.partColumn(edge, i) - base;
      if (rank >= 0 && rank < stride && (depth == 0 || (active[rank >>> 6] >>> rank & 1) != 0)) {
        active[rank >>> 6] &= ~(1L << rank);
        final int held = Math.min(holders.partCutoff(edge, i), matched);
        out.score(tier, rank, depth + held);
      }
    }
  }

  /** Makes the full holders of a first edge the candidates; their number. */
  private int enter(final int edge, final int tier, final MatchScores out) {
    final long[] active = out.active();
    int left = 0;
    for (int w = 0; w < words; w++) {
      final long bits = holders.bits(edge, tier * words + w);
      active[w] = bits;
      left += Long.bitCount(bits);
    }
    return left;
  }

  /** Keeps the candidates that hold all of the edge and scores the others; how many are left. */
  private int narrow(final int edge, final int tier, final int depth, final MatchScores out) {
    final long[] active = out.active();
    int left = 0;
    for (int w = 0; w < words; w++) {
      final long candidates = active[w];
      if (candidates != 0) {
        final long kept = candidates & holders.bits(edge, tier * words + w);
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
      final int matched = out.pathMatched(i);
      final int start = edges.start(edge);
      for (int j = 0; j < holders.words(edge); j++) {
        final int word = holders.wordIndex(edge, j) - tier * words;
        if (word >= 0 && word < words) {
          extendBits(holders.wordBits(edge, j), word, tier, start, matched, out);
        }
      }
      for (int j = 0; j < holders.parts(edge); j++) {
        final int rank = holders.partColumn(edge, j) - tier * stride;
        if (rank >= 0 && rank < stride) {
          final int held = Math.min(holders.partCutoff(edge, j), matched);
          out.extend(tier, rank, start, held);
        }
      }
    }
  }

  private void extendBits(
      final long holding,
      final int word,
      final int tier,
      final int start,
      final int matched,
      final MatchScores out) {
    for (long bits = holding; bits != 0; bits &= bits - 1) {
      final int rank = (word << 6) + Long.numberOfTrailingZeros(bits);
      out.extend(tier, rank, start, matched);
    }
  }
}
