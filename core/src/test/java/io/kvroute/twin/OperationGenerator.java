package io.kvroute.twin;

import io.kvroute.twin.Operation.Kind;
import java.util.Arrays;

/**
 * Draws operations that often meet: few leases, and prompts made of pages that are all alike or one
 * of a few kinds, so that they share prefixes, split edges and compute the same block twice.
 */
final class OperationGenerator {
  private static final int LEASES = 5;
  private static final int RESERVATIONS = 3;
  private static final int DESTINATIONS = 2;
  private static final int HOLDERS = 2;

  private final SplitMix random;
  private final KvSubject state;
  private final int pageSize;
  private final int poolPages;
  private final int variants;
  private final int sinkChange;

  /**
   * Makes a generator.
   *
   * @param state the manager on which each operation is played before the next is drawn
   * @param sinkChange the sink's mode changes once in so many operations; 0 for never
   */
  OperationGenerator(
      final long seed,
      final KvSubject state,
      final int pageSize,
      final int poolPages,
      final int sinkChange) {
    this.random = new SplitMix(seed);
    this.state = state;
    this.pageSize = pageSize;
    this.poolPages = poolPages;
    this.sinkChange = sinkChange;
    this.variants = 1 + random.below(6);
  }

  /** The next operation: mostly one that makes sense for its lease, sometimes any. */
  Operation next() {
    if (sinkChange > 0 && random.oneIn(sinkChange)) {
      return Operation.of(Kind.SINK, random.below(KvSubject.SinkMode.values().length));
    }
    if (random.oneIn(12)) {
      return anything();
    }
    final int choice = random.below(100);
    if (choice < 72) {
      final int lease = lease();
      return state.lease(lease).active() ? continueRequest(lease) : startRequest(lease);
    }
    if (choice < 80) {
      return destination();
    }
    return choice < 85 ? reservation() : cache();
  }

  private Operation startRequest(final int lease) {
    final int destination = random.below(DESTINATIONS);
    if (random.oneIn(2) && state.destination(destination) != null) {
      return Operation.of(Kind.ACTIVATE_DESTINATION, destination, lease, 0);
    }
    return Operation.of(Kind.ALLOCATE, lease, 0, prompt());
  }

  private Operation continueRequest(final int lease) {
    final int choice = random.below(100);
    if (choice < 20) {
      return Operation.of(Kind.EXTEND, lease, 0, growth());
    }
    if (choice < 45) {
      return Operation.of(Kind.CACHE, lease, 0, shortage());
    }
    if (choice < 65) {
      final int reservation = random.below(RESERVATIONS);
      return state.reservationCount(reservation) > 0
          ? Operation.of(Kind.DECODE, lease, reservation, decoded())
          : Operation.of(Kind.DECODE_ONE, lease, 0, decoded());
    }
    if (choice < 86) {
      return Operation.of(Kind.FINISH, lease, 0, shortage());
    }
    return Operation.of(choice < 93 ? Kind.ABORT : Kind.RETRACT, lease);
  }

  private Operation destination() {
    final int destination = random.below(DESTINATIONS);
    if (state.destination(destination) == null) {
      return Operation.of(Kind.RESERVE_DESTINATION, destination, 0, prompt());
    }
    final int lease = lease();
    return random.oneIn(3) || state.lease(lease).active()
        ? Operation.of(Kind.CANCEL_DESTINATION, destination)
        : Operation.of(Kind.ACTIVATE_DESTINATION, destination, lease, 0);
  }

  private Operation reservation() {
    final int reservation = random.below(RESERVATIONS);
    return state.reservationCount(reservation) > 0
        ? Operation.of(Kind.RELEASE, reservation)
        : Operation.of(Kind.RESERVE, reservation, 0, random.below(4));
  }

  private Operation cache() {
    final int choice = random.below(16);
    if (choice < 7) {
      return Operation.of(Kind.EVICT, 0, 0, random.below(3 * pageSize + poolPages * pageSize / 8));
    }
    if (choice < 10) {
      return Operation.of(Kind.MATCH, 0, 0, prompt());
    }
    if (choice < 11) {
      return Operation.of(Kind.PEEK, 0, 0, prompt());
    }
    final int holder = random.below(HOLDERS);
    if (choice < 13) {
      return Operation.of(Kind.LOCK, holder, 0, prompt());
    }
    return choice < 15
        ? Operation.of(Kind.UNLOCK, holder)
        : Operation.of(Kind.UNLOCK_UNLOCKED, 0, 0, prompt());
  }

  /** Any operation on anything, in whatever state it is. */
  private Operation anything() {
    final Kind[] kinds = Kind.values();
    final Kind kind = kinds[random.below(kinds.length - 1)];
    return switch (kind) {
      case ALLOCATE, RESERVE_DESTINATION -> Operation.of(kind, random.below(2), 0, prompt());
      case EXTEND, DECODE_ONE -> Operation.of(kind, lease(), 0, growth());
      case DECODE -> Operation.of(kind, lease(), random.below(RESERVATIONS), decoded());
      case CACHE, FINISH -> Operation.of(kind, lease(), 0, shortage());
      case RESERVE -> Operation.of(kind, random.below(RESERVATIONS), 0, random.below(8) - 1L);
      case ACTIVATE_DESTINATION ->
          Operation.of(kind, random.below(DESTINATIONS), lease(), random.below(2));
      case ABORT, RETRACT -> Operation.of(kind, lease());
      case RELEASE, CANCEL_DESTINATION -> Operation.of(kind, random.below(2));
      default -> cache();
    };
  }

  private int lease() {
    return random.below(LEASES);
  }

  /** Tokens left out at the end: none, or a few, or as many as may spoil the call. */
  private int shortage() {
    if (random.below(4) > 0) {
      return 0;
    }
    return random.oneIn(12) ? -random.below(2 * pageSize) : random.below(2 * pageSize + 1);
  }

  /** Tokens to decode: one, or some that may fill a page or two. */
  private int[] decoded() {
    final int[] tokens = new int[random.oneIn(2) ? 1 : 1 + random.below(2 * pageSize)];
    fill(tokens);
    return tokens;
  }

  private int[] growth() {
    final int pages = random.below(1 + Math.min(4, poolPages / 4));
    final int[] tokens = new int[pages * pageSize + random.below(pageSize + 1)];
    fill(tokens);
    return tokens;
  }

  /** Empty, shorter than a page, a few pages, a large part of the pool, or more than there is. */
  private int[] prompt() {
    final int pages =
        switch (random.below(12)) {
          case 0 -> 0;
          case 1 -> random.below(poolPages + 2);
          default -> random.below(1 + Math.max(3, poolPages / 4));
        };
    final int[] tokens = new int[pages * pageSize + (random.oneIn(2) ? 0 : random.below(pageSize))];
    fill(tokens);
    return tokens;
  }

  private void fill(final int[] tokens) {
    final int common = random.below(variants);
    for (int start = 0; start < tokens.length; start += pageSize) {
      final int token = random.below(16) == 0 ? random.below(variants) : common;
      final int end = Math.min(start + pageSize, tokens.length);
      Arrays.fill(tokens, start, end, token);
    }
  }
}
