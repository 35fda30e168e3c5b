package io.kvroute.load;

/**
 * The outstanding prefills of each rank, oldest first, and how many of their tokens are still to be
 * expected at an instant.
 *
 * <p>While each has an expected duration, the oldest (the anchor) is taken as if it had the whole
 * engine: the tokens that its speed would have done are done, be they more than its own. As soon as
 * one has none, only the anchor decays, and no further than to nothing.
 */
final class Prefills {
  /** Stands for the expected duration of a prefill that has none. */
  static final long UNMODELLED = -1;

  /** More tokens than this count as this many, so that no sum overflows. */
  static final long MAX_TOKENS = (1L << 43) - 1;

  private static final int NONE = Requests.NONE;
  private static final long NS_PER_MS = 1_000_000;
  private static final long NS_PER_S = 1_000_000_000;

  private final RankLoads ranks;
  private final Requests requests;

  Prefills(final RankLoads ranks, final Requests requests) {
    this.ranks = ranks;
    this.requests = requests;
  }

  /** A request's prefill begins; {@code tokens} is at least 1. */
  void begin(final int request, final long tokens, final long expectedNs, final long nowNs) {
    final int rank = requests.rank(request);
    final int last = ranks.lastPrefill(rank);
    final long kept = Long.compareUnsigned(tokens, MAX_TOKENS) > 0 ? MAX_TOKENS : tokens;
    requests.prefill(request, kept, expectedNs);
    requests.previousPrefill(request, last);
    requests.nextPrefill(request, NONE);
    ranks.lastPrefill(rank, request);
    count(rank, kept, expectedNs, 1);
    if (last == NONE) {
      ranks.firstPrefill(rank, request);
      anchor(rank, request, nowNs);
    } else {
      requests.nextPrefill(last, request);
    }
  }

  private void count(final int rank, final long tokens, final long expectedNs, final int sign) {
    final boolean modelled = expectedNs != UNMODELLED;
    ranks.addPrefill(
        rank, sign * tokens, modelled ? 0 : sign, modelled ? sign * (expectedNs / NS_PER_MS) : 0);
  }

  private void anchor(final int rank, final int request, final long nowNs) {
    if (request == NONE) {
      ranks.anchor(rank, 0, UNMODELLED);
    } else {
      ranks.anchor(rank, requests.tokens(request), requests.expected(request));
      ranks.anchorSince(rank, nowNs);
    }
  }

  /** A request's prefill is done; false if it was not outstanding. */
  boolean complete(final int request, final long nowNs) {
    final long tokens = requests.tokens(request);
    if (tokens == 0) {
      return false;
    }
    final int rank = requests.rank(request);
    final long expected = requests.expected(request);
    final int next = requests.nextPrefill(request);
    final int previous = requests.previousPrefill(request);
    if (next == NONE) {
      ranks.lastPrefill(rank, previous);
    } else {
      requests.previousPrefill(next, previous);
    }
    requests.prefill(request, 0, 0);
    count(rank, tokens, expected, -1);
    if (previous == NONE) {
      ranks.firstPrefill(rank, next);
      anchor(rank, next, nowNs);
    } else {
      requests.nextPrefill(previous, next);
      if (expected != UNMODELLED) {
        moveAnchor(rank, expected, nowNs);
      }
    }
    return true;
  }

  /** The engine has worked for another prefill: the anchor's time moves on, but not past now. */
  private void moveAnchor(final int rank, final long expectedNs, final long nowNs) {
    final long since = ranks.anchorSince(rank);
    ranks.anchorSince(rank, elapsed(rank, nowNs) > expectedNs ? since + expectedNs : nowNs);
  }

  private long elapsed(final int rank, final long nowNs) {
    return Math.max(0, nowNs - ranks.anchorSince(rank));
  }

  /** Tokens that are still to be expected. */
  long activeTokens(final int rank, final long nowNs) {
    final long sum = ranks.prefillTokens(rank);
    final long expected = ranks.anchorExpected(rank);
    if (sum == 0 || expected == UNMODELLED) {
      return sum;
    }
    final long tokens = ranks.anchorTokens(rank);
    if (ranks.unmodelled(rank) == 0) {
      return sum - Math.min(sum, done(tokens, elapsed(rank, nowNs), expected));
    }
    return sum - tokens + left(tokens, elapsed(rank, nowNs), expected);
  }

  /** {@code floor(tokens * elapsed / expected)}, or something that is too large. */
  private static long done(final long tokens, final long elapsed, final long expected) {
    if (expected == 0) {
      return tokens;
    }
    final long product = tokens * elapsed;
    if (product >= 0 && Math.multiplyHigh(tokens, elapsed) == 0) {
      return product / expected;
    }
    return doneOfMany(tokens, elapsed, expected);
  }

  /** As {@link #done} for products of up to 106 bits: by long division. */
  private static long doneOfMany(final long tokens, final long elapsed, final long expected) {
    final long high = Math.multiplyHigh(tokens, elapsed);
    final long low = tokens * elapsed;
    if (high >= expected) {
      return Long.MAX_VALUE;
    }
    long rest = high;
    long quotient = 0;
    for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
      rest = rest << 1 | (low >>> bit & 1);
      quotient <<= 1;
      if (Long.compareUnsigned(rest, expected) >= 0) {
        rest -= expected;
        quotient |= 1;
      }
    }
    return quotient < 0 ? Long.MAX_VALUE : quotient;
  }

  /** What is left of the anchor's own tokens; in floating point, as the reference has it. */
  private static long left(final long tokens, final long elapsed, final long expected) {
    if (elapsed >= expected) {
      return 0;
    }
    final double fraction = Math.max(0.0, 1.0 - seconds(elapsed) / seconds(expected));
    return (long) Math.ceil(tokens * fraction);
  }

  private static double seconds(final long ns) {
    final long whole = ns / NS_PER_S;
    return whole + (double) (ns % NS_PER_S) / NS_PER_S;
  }

  /** Milliseconds until all is done, or -1 if some prefill has no expected duration. */
  long remainingMs(final int rank, final long nowNs) {
    if (ranks.unmodelled(rank) != 0) {
      return UNMODELLED;
    }
    if (ranks.firstPrefill(rank) == NONE) {
      return 0;
    }
    return Math.max(0, ranks.modelledMs(rank) - elapsed(rank, nowNs) / NS_PER_MS);
  }
}
